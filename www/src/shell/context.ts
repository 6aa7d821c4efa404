/** What is open, and the choices that every number depends on. */
import { html, nothing, type TemplateResult } from 'lit';
import '../components/export-menu/export-menu';
import { icon } from '../components/icon/icon';
import { AskPanel } from '../components/panel-dialog/ask';
import { page } from '../engine/loader/page';
import type { Available } from '../engine/types/Available';
import type { Policy } from '../engine/types/Policy';
import type { Profile } from '../engine/types/Profile';
import type { ScoreOptions } from '../engine/types/ScoreOptions';
import { DEMOS } from '../state/demos';
import { POLICY_SENTENCES, personName } from '../state/format';
import type { State } from '../state/state';
import { store } from '../state/store';

const POLICIES: Record<Policy, string> = {
  zero: 'lowest score',
  exclude: 'skipped',
  upstream: 'as in the authors’ code',
};

const PROFILES: Record<Profile, string> = { paper: 'paper’s formulas', released: 'authors’ code' };

/** What a phone folds away, and what the choices need of the page. */
export interface ContextActions {
  /** Whether a phone shows the choices. */
  isUnfolded: boolean;
  unfold: () => void;
  askPanel: (ask: AskPanel) => void;
}

/** Whether a demo suite is what the page begins with: what is around it is drawn at once, so that nothing moves when it comes. */
export function isDemoComing({ opened, opening, overview, engine, route }: State): boolean {
  const isBegun = engine === 'loading' || opening !== '';
  return isBegun && opened.length === 0 && overview === null && route.bench === '' && route.pack === '' && page.report() === null;
}

/** Who rates must not read models' names, which folders may bear. */
export function hasContext(state: State): boolean {
  const { opened, route } = state;
  return (opened.length > 0 || isDemoComing(state)) && !['about', 'manual', 'rate'].includes(route.place.view);
}

export function renderContext(state: State, { isUnfolded, unfold, askPanel }: ContextActions): TemplateResult | typeof nothing {
  if (!hasContext(state)) return nothing;
  const { overview, opened, route } = state;
  const { profile, policy, judge, run, reading } = route.options;
  const usual: Policy = profile === 'paper' ? 'zero' : 'upstream';
  const coming = opened.every(({ demo }) => demo) ? DEMOS.find(({ id }) => id === route.demo)?.title : undefined;
  const sources = opened.length === 0 ? ['Demo suite'] : opened.map(({ name }) => name);
  const changed = [policy !== null, judge !== null, run !== null, profile === 'paper' && reading === 'tolerant'].filter(Boolean).length;
  return html`<div class="context" role="region" aria-label="What is open, and how it is scored">
    <div class="context-in">
      <span class="what">
        <strong>${overview?.benchmark?.title ?? coming ?? 'Opened'}</strong>
        <span class="muted sources" title=${sources.join('\n')}>${sources.join(' + ')}</span>
      </span>
      <span class="spacer"></span>
      <button type="button" class="button quiet unfold" aria-expanded=${isUnfolded} aria-controls="settings" data-testid="unfold" @click=${unfold}>
        ${PROFILES[profile]}${changed === 0 ? nothing : `, ${changed} more changed`}${icon('chevron', 16)}
      </button>
      <div id="settings" class=${isUnfolded ? 'unfolded' : ''}>
      ${overview === null ? nothing : renderChoice(overview.at_hand, route.options, askPanel)} ${profile === 'paper' ? renderReading(state) : nothing}
      <div class="policy"><span id="formulas">Score as</span>
      <fieldset class="segmented" aria-labelledby="formulas">
        ${(['paper', 'released'] as const).map(
          (id) =>
            html`<label title=${id === 'paper' ? 'Formulas as printed in the paper' : 'As the authors’ released code computes, defects included'}>
              <input
                type="radio"
                name="profile"
                data-testid="profile-${id}"
                .checked=${profile === id}
                @change=${() => store.choose({ profile: id })}
              />${PROFILES[id]}
            </label>`,
        )}
      </fieldset></div>
      <label class="policy" title=${POLICY_SENTENCES[policy ?? usual]}>
        <span>Missing outputs</span>
        <select class="field" aria-label="Policy: what missing outputs count as" @change=${onPolicy}>
          <option value="" ?selected=${policy === null} .selected=${policy === null}>${POLICIES[usual]} (default)</option>
          ${(['zero', 'exclude', 'upstream'] as const).map((id) => html`<option value=${id} ?selected=${policy === id} .selected=${policy === id}>${POLICIES[id]}</option>`)}
        </select>
      </label>
      <juror-export-menu .client=${store.client} .state=${state}></juror-export-menu>
      </div>
    </div>
  </div>`;
}

/** Whether replies are there that the reading in force gets no score from. */
export function hasRefused({ overview }: State): boolean {
  const incidents = overview?.incidents ?? [];
  return incidents.some(({ kind, per_model: counts }) => (kind === 'unparsable' || kind === 'out_of_range') && counts.some((one) => one > 0));
}

/** How replies are read, where any is refused or the tolerant reading is chosen; the authors' code reads in its own way. */
function renderReading(state: State): TemplateResult | typeof nothing {
  const { reading = 'strict' } = state.route.options;
  if (!hasRefused(state) && reading === 'strict') return nothing;
  const words = { strict: 'strictly', tolerant: 'tolerantly' };
  return html`<label class="policy" title="Tolerantly: thoughts, Markdown and words around the verdict are set aside first. Two verdicts that differ are still none.">
    <span>Replies read</span>
    <select class="field" data-testid="reply-reading" aria-label="How replies are read" @change=${(event: Event) => store.choose({ reading: (event.target as HTMLSelectElement).value === 'tolerant' ? 'tolerant' : 'strict' })}>
      ${(['strict', 'tolerant'] as const).map((id) => html`<option value=${id} ?selected=${reading === id} .selected=${reading === id}>${words[id]}</option>`)}
    </select>
  </label>`;
}

function onPolicy(event: Event): void {
  const { value } = event.target as HTMLSelectElement;
  store.choose({ policy: value === '' ? null : (value as Policy) });
}

/** One judge and one run alone, or several judges together, where there are several. */
function renderChoice({ judges, runs, people, joined }: Available, { judge, run }: ScoreOptions, askPanel: ContextActions['askPanel']): TemplateResult {
  const onJudge = (event: Event): void => {
    const field = event.target as HTMLSelectElement;
    if (field.value === 'together') {
      field.value = judge === null ? 'all' : `.${judge}`;
      askPanel(new AskPanel((several) => store.choose({ judge: several }), 'Score together'));
    } else store.choose({ judge: field.value === 'all' ? null : field.value.slice(1) });
  };
  const chosen = (event: Event): string => (event.target as HTMLSelectElement).value;
  const known = judge === null || [...judges, ...people, ...joined.map((one) => one.judge)].includes(judge) ? judges : [...judges, judge];
  const knownRuns = run === null || runs.includes(run) ? runs : [...runs, run];
  const name = (id: string): string => `${id === '' ? 'not stated' : id}${judges.includes(id) || id.startsWith('panel:') ? '' : ' (no reply)'}`;
  return html`${
    known.length < 2 && people.length === 0 && judge === null
      ? nothing
      : html`<label class="policy" title="Whose replies are scored">
        <span>Judge</span>
        <select class="field" aria-label="Judge whose replies are scored" @change=${onJudge}>
          <option value="all" ?selected=${judge === null} .selected=${judge === null}>all</option>
          ${known.map((id) => html`<option value=".${id}" ?selected=${judge === id} .selected=${judge === id}>${name(id)}</option>`)}
          ${joined.map((one) => html`<option value=".${one.judge}" ?selected=${judge === one.judge} .selected=${judge === one.judge}>${one.name} (mean)</option>`)}
          ${
            people.length === 0
              ? nothing
              : html`<optgroup label="People who rated">
                  ${people.map((id) => html`<option value=".${id}" ?selected=${judge === id} .selected=${judge === id}>${personName(id)}</option>`)}
                </optgroup>`
          }
          ${judges.length + people.length < 2 ? nothing : html`<option value="together">several together…</option>`}
        </select>
      </label>`
  }
  ${
    knownRuns.length < 2 && run === null
      ? nothing
      : html`<label class="policy" title="Which repeat of the judging is scored">
        <span>Run</span>
        <select class="field" aria-label="Run that is scored" @change=${(event: Event) => store.choose({ run: Number(chosen(event)) || null })}>
          <option value="0" ?selected=${run === null} .selected=${run === null}>all</option>
          ${knownRuns.map((id) => html`<option value=${id} ?selected=${run === id} .selected=${run === id}>${id}${runs.includes(id) ? '' : ' (no reply)'}</option>`)}
        </select>
      </label>`
  }`;
}
