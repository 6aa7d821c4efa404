import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { count, plural } from '../../state/format';
import { NO_FILTER, terms } from '../../state/router';
import { vars } from '../../state/vars';
import { hrefOf } from '../../state/links';
import type { State } from '../../state/state';
import type { JudgePreset } from '../../engine/types/JudgePreset';
import type { ModelKind } from '../../engine/types/ModelKind';
import type { ModelSummary } from '../../engine/types/ModelSummary';
import type { UnstatedJudge } from '../../engine/types/UnstatedJudge';
import { base, controls, meter } from '../../styles/base.styles';

/** Reply files named; some benchmarks have one per sample. */
const MAX_FILES = 3;
const MODES: Record<string, string> = { img: 'pictures', txt: 'texts', umm: 'pictures and texts' };

/** Somebody says who judged in files of replies that do not state it. */
export class NameJudge extends Event {
  constructor(
    readonly places: string[],
    readonly judge: string,
  ) {
    super('name-judge', { bubbles: true, composed: true });
  }
}

/** Somebody says what a model is judged on; an empty kind leaves it to its files. */
export class SetKind extends Event {
  constructor(
    readonly model: string,
    readonly kind: ModelKind | null,
  ) {
    super('set-kind', { bubbles: true, composed: true });
  }
}

/**
 * @summary What was found of each model: outputs, answers, scores, judges, reply files.
 * @fires set-kind - What a model is judged on is chosen: `model`, `kind`; none leaves it to its files.
 * @fires name-judge - A judge is named for files of replies that state none: `places`, `judge`; an empty name takes it back.
 */
@customElement('juror-models')
export class JurorModels extends LitElement {
  static override styles = [
    base,
    controls,
    meter,
    css`
      li.model {
        display: grid;
        grid-template-columns: minmax(0, 8fr) minmax(0, 6fr) minmax(0, 6fr);
        align-items: start;
        gap: 6px 24px;
        padding: 8px 16px 10px;
        border-top: 1px solid var(--juror-line);
      }
      .said {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 12px;
      }
      .said .source {
        flex: 1 1 12rem;
        min-width: 0;
      }
      .head {
        display: grid;
        grid-template-columns: minmax(0, 1fr) 10rem 6rem;
        align-items: baseline;
        gap: 4px 8px;
      }
      .head:not(:has(select)) h3 {
        grid-column: span 2;
      }
      .head a {
        grid-column: 3;
        justify-self: end;
      }
      h3 {
        overflow-wrap: anywhere;
      }
      .meters {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        gap: 4px 16px;
      }
      dt {
        color: var(--juror-text-2);
        font-size: var(--juror-size-s);
      }
      .part {
        color: var(--juror-warn);
        font-weight: 600;
      }
      .meter {
        --meter-height: 4px;
        display: block;
      }
      @media (max-width: 760px) {
        li.model {
          grid-template-columns: minmax(0, 1fr);
        }
        .head h3 {
          grid-column: 1 / -1;
        }
        .head select {
          grid-column: 1 / 3;
          justify-self: start;
        }
      }
      .source {
        color: var(--juror-text-3);
        font-size: var(--juror-size-s);
      }
      .naming {
        display: grid;
        gap: 8px;
        justify-items: start;
      }
      .naming .field {
        inline-size: 100%;
      }
    `,
  ];

  @property({ attribute: false }) state!: Pick<State, 'route'>;
  @property({ attribute: false }) models: ModelSummary[] = [];
  /** Whether models may be judged on pictures, on texts or on both. */
  @property({ type: Boolean }) modes = false;
  /** Models with files of replies that state no judge. */
  @property({ attribute: false }) unstated: UnstatedJudge[] = [];
  /** The benchmark’s own judges, as suggestions. */
  @property({ attribute: false }) presets: JudgePreset[] = [];
  /** The model whose judge is being named. */
  @state() private naming: string | null = null;

  override render(): TemplateResult {
    return html`<ul class="models">
      ${this.models.map((model) => this.renderModel(model))}
    </ul>`;
  }

  private renderModel(model: ModelSummary): TemplateResult {
    const incidents = hrefOf(this.state.route, { view: 'samples', filter: { ...NO_FILTER, q: terms({ incident: 'any', model: model.name }) } });
    const unstated = this.unstated.find((one) => one.model === model.name);
    const named = unstated?.judge ?? null;
    const judges = model.judges.filter((judge) => judge !== '');
    return html`<li class="model">
      <div class="head">
        <h3 dir="auto">${model.name}</h3>
        ${!this.modes || model.mode === '' ? nothing : this.renderKind(model)}
        ${model.incidents === 0 ? nothing : html`<a class="small" href=${incidents}>${count(model.incidents)} incident${model.incidents === 1 ? '' : 's'}</a>`}
      </div>
      <dl class="meters">
        ${renderMeter('Pictures', model.pictures, model.pictures_expected)} ${renderMeter('Text answers', model.answers, model.answers_expected)}
        ${renderMeter('Replies read', model.scored, model.expected)}
      </dl>
      <div class="said">
      ${
        (model.unrecognised_answers ?? 0) > 0
          ? html`<p class="part" data-testid="unrecognised">${plural(model.unrecognised_answers ?? 0, 'unrecognised text answer', 'unrecognised text answers')}: no turn asks for ${model.unrecognised_answers === 1 ? 'its name' : 'their names'}. <a href=${hrefOf(this.state.route, { view: 'lint' })}>Names to give them</a></p>`
          : nothing
      }
      ${model.is_unjudged ? html`<p data-testid="not-judged">${model.has_unread_replies ? html`<strong>Replies could not be opened</strong>: see the message at the top.` : html`<strong>Not judged</strong>: there is no reply yet, so there is no score.`}</p>` : nothing}
      ${!model.is_unjudged && model.has_unread_replies ? html`<p data-testid="unread-replies">Some reply files could not be opened; what is in them is left out.</p>` : nothing}
      ${(model.unread_outputs ?? 0) > 0 ? html`<p data-testid="unread-outputs">${plural(model.unread_outputs ?? 0, 'output', 'outputs')} could not be opened and ${model.unread_outputs === 1 ? 'is' : 'are'} left out.</p>` : nothing}
      <p class="source">
        ${judges.length === 0 ? 'Judge not stated' : html`Judged by ${judges.map((judge) => (judge === named ? `${judge} (named manually)` : judge)).join(', ')}`}${
          model.reply_files.length === 0
            ? '; no reply file'
            : html`; replies from <span class="path">${model.reply_files.slice(0, MAX_FILES).join(', ')}</span>${model.reply_files.length > MAX_FILES ? ` and ${count(model.reply_files.length - MAX_FILES)} more files` : ''}`
        }
      </p>
      ${unstated === undefined ? nothing : this.renderNaming(unstated)}
      </div>
    </li>`;
  }

  /** What a model is judged on, which its reader may know better than its files. */
  private renderKind(model: ModelSummary): TemplateResult {
    const choose = (event: Event): void => {
      const { value } = event.target as HTMLSelectElement;
      this.dispatchEvent(new SetKind(model.name, value === '' ? null : (value as ModelKind)));
    };
    return html`<select class="field small" aria-label="What ${model.name} is judged on" data-testid="kind" @change=${choose}>
      <option value="">${model.kind_is_stated === true ? 'as its files say' : (MODES[model.mode] ?? model.mode)}</option>
      ${Object.entries(MODES).map(([id, words]) => html`<option value=${id} ?selected=${model.kind_is_stated === true && model.mode === id}>${words}, chosen here</option>`)}
    </select>`;
  }

  /** Who judged, where the files do not say so themselves. */
  private renderNaming(of: UnstatedJudge): TemplateResult {
    const { model, judge, files, first } = of;
    if (this.naming !== model) {
      return html`<p class="naming-actions">
        <button type="button" class="button tiny" data-testid="name-judge" @click=${() => (this.naming = model)}>${judge === null ? 'Name the judge…' : 'Change the judge’s name…'}</button>
        ${judge === null ? nothing : html`<button type="button" class="button tiny quiet" data-testid="unname-judge" @click=${() => this.name(of.places, '')}>Remove the name</button>`}
      </p>`;
    }
    const others = this.unstated.filter((one) => one.model !== model && one.judge === null);
    return html`<form class="naming" data-testid="judge-naming" @submit=${(event: SubmitEvent) => this.onNamed(event, of, others)}>
      <label class="small" for="judge-name">Who judged in <span class="path">${first[0] ?? ''}</span>${files > 1 ? ` and ${plural(files - 1, 'more file')}` : nothing}, which ${files > 1 ? 'do' : 'does'} not say so</label>
      <input class="field" id="judge-name" name="judge" list="judge-names" required maxlength="200" autocomplete="off" spellcheck="false" placeholder="gpt-4o-2024-08-06" .value=${judge ?? ''} />
      <datalist id="judge-names">${this.presets.map(({ params }) => html`<option value=${params.model}></option>`)}</datalist>
      ${others.length === 0 ? nothing : html`<label class="small"><input type="checkbox" name="all" checked /> also of ${plural(others.length, 'other model')} without a stated judge</label>`}
      <span><button type="submit" class="button tiny primary">Name</button> <button type="button" class="button tiny quiet" @click=${() => (this.naming = null)}>Cancel</button></span>
    </form>`;
  }

  private onNamed(event: SubmitEvent, of: UnstatedJudge, others: UnstatedJudge[]): void {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const said = data.get('judge');
    const judge = typeof said === 'string' ? said.trim() : '';
    if (judge === '') return;
    const all = data.get('all') === null ? [of] : [of, ...others];
    this.name(
      all.flatMap(({ places }) => places),
      judge,
    );
  }

  private name(places: string[], judge: string): void {
    this.naming = null;
    this.dispatchEvent(new NameJudge(places, judge));
  }
}

function renderMeter(label: string, found: number, expected: number): TemplateResult | typeof nothing {
  if (expected === 0 && found === 0) return nothing;
  return html`<div>
    <dt>${label}</dt>
    <dd class="num ${found < expected ? 'part' : ''}">${count(found)} / ${count(expected)}</dd>
    <span class="meter" aria-hidden="true" ${vars({ '--part': expected === 0 ? 0 : Math.min(1, found / expected) })}></span>
  </div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-models': JurorModels;
  }
}
