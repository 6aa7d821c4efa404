/** The bar above every view: tabs, running jobs, further views, help, theme and sources. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon, mark, type IconName } from '../components/icon/icon';
import '../components/source-menu/source-menu';
import { COMPARING } from '../state/comparing';
import { suiteThatCan } from '../state/demos';
import { count } from '../state/format';
import { NO_FILTER, USUAL_PLOT, type Place } from '../state/router';
import type { State, Theme } from '../state/state';
import { store } from '../state/store';

const THEMES: Record<Theme, { next: Theme; icon: IconName; label: string }> = {
  system: { next: 'light', icon: 'system', label: 'Theme: as the system. Switch to light' },
  light: { next: 'dark', icon: 'sun', label: 'Theme: light. Switch to dark' },
  dark: { next: 'system', icon: 'moon', label: 'Theme: dark. Switch to the system’s' },
};

const OVERVIEW: Place = { view: 'overview', scope: '', criterion: '' };

/** `criterion`: the one that is looked at, kept in the links to views that go by one. */
export function renderBar(state: State, criterion: string, askHelp: () => void): TemplateResult {
  const theme = THEMES[state.theme];
  return html`<div class="bar">
    <a class="brand" href=${store.href(OVERVIEW)} aria-label="Juror, overview">${mark}<span>Juror</span></a>
    <nav aria-label="Views">
      ${renderTab(state, { view: 'overview', scope: '', criterion }, 'Overview')} ${renderTab(state, { view: 'samples', filter: { ...NO_FILTER, by: criterion } }, 'Samples')} ${renderTab(state, { view: 'plots', choice: { ...USUAL_PLOT, criterion } }, 'Plots')} ${renderTab(state, { view: 'compare', comparing: { ...COMPARING, criterion } }, 'Compare')} ${renderTab(state, { view: 'incidents' }, 'Incidents')} ${renderTab(state, { view: 'judge' }, 'Judge')} ${renderTab(state, { view: 'metrics' }, 'Metrics')} ${renderTab(state, { view: 'rate' }, 'Rate')}
      ${hasAgents(state) ? renderTab(state, { view: 'agents' }, 'Agents') : nothing}
      ${hasAttention(state) ? renderTab(state, { view: 'dar' }, 'Attention') : nothing}
    </nav>
    <span class="spacer"></span>
    ${renderRunning(state)} ${renderTools(state)}
    <button type="button" class="button quiet icon help" aria-label="Help (?)" title="Help: words, keys, filters (?)" @click=${askHelp}>${icon('help')}</button>
    <button type="button" class="button quiet icon" aria-label=${theme.label} title=${theme.label} @click=${() => store.setTheme(theme.next)}>
      ${icon(theme.icon)}
    </button>
    <juror-source-menu .client=${store.client} .state=${state}></juror-source-menu>
  </div>`;
}

/** A job goes on, and may cost money, wherever the reader is meanwhile. */
function renderRunning({ job, agents, generate, route }: State): TemplateResult[] {
  const jobs = [
    { view: 'judge', doing: 'Judging', state: job },
    { view: 'agents', doing: 'Agents', state: agents },
    { view: 'generate', doing: 'Generating', state: generate },
  ] as const;
  return jobs.flatMap(({ view, doing, state }) => {
    if (state === null || state.progress.finished || route.place.view === view) return [];
    const { answered, failed, total, paused } = state.progress;
    return [
      html`<a class="running" href=${store.href({ view })} data-testid="running-${view}">${paused ? 'Paused' : doing} <span class="num">${count(answered + failed)} of ${count(total)}</span></a>`,
    ];
  });
}

/** Every view that few need, with what it needs; those that have it say so by an icon. */
function renderTools({ overview, opened }: State): TemplateResult {
  const models = overview?.models.length ?? 0;
  const judges = (overview?.at_hand.judges.length ?? 0) + (overview?.at_hand.people.length ?? 0);
  const tools: [place: Place, name: string, does: string, needs: string, has: boolean][] = [
    [{ view: 'statistics' }, 'Statistics', 'what the benchmark is made of: groups, pictures, words', 'a benchmark, and no model', overview?.benchmark != null],
    [{ view: 'lint' }, 'Output check', 'finds missing, damaged, misnamed and copied outputs', 'a benchmark and a model’s outputs', models > 0],
    [{ view: 'agreement' }, 'Agreement', 'how far judges and people agree', 'replies of two judges, or a judge’s replies and people’s ratings', judges > 1],
    [{ view: 'experiments' }, 'Experiments', 'variants, prompts and judges beside each other', 'replies about variants, or by two judges', models > 0],
    [{ view: 'embed' }, 'Embed', 'shows these scores on your own page', 'a benchmark with a model', models > 0],
    [{ view: 'generate' }, 'Generate', 'has a generator make the outputs of a benchmark', 'a benchmark, and no model', overview?.benchmark != null],
    [{ view: 'agents' }, 'Agents', 'loops of planner and generator', suiteThatCan('agents')?.title ?? '', overview?.abilities.includes('agents') === true],
    [
      { view: 'dar' },
      'Attention',
      `rebalances attention as ${suiteThatCan('attention')?.title ?? 'its paper'} does`,
      'tensors of your own (.npy or .safetensors), and no benchmark',
      true,
    ],
    [{ view: 'make' }, 'Make', 'makes samples for MultiRef-Bench, cases for MICON-Bench, VIBE’s Billiards and its drawn instructions', '', true],
    [{ view: 'manual', chapter: '', section: '' }, 'Manual', 'every view, file and command', '', true],
    [{ view: 'about' }, 'About', 'what is computed, and how', '', true],
  ];
  return html`<button type="button" class="button quiet more" popovertarget="tools" data-testid="tools">More${icon('chevron', 16)}</button>
    <div id="tools" popover role="group" aria-label="More views" @toggle=${onTools}>
      <ul>
        ${tools.map(
          ([place, name, does, needs, has]) =>
            html`<li>
              <a href=${store.href(place)} @click=${closeTools}><b>${name}</b><span>${does}</span>${needs === '' ? nothing : html`<span class="needs ${has ? 'has' : ''}">${icon(has ? 'check' : 'missing', 14)}needs ${needs}${has || opened.length === 0 ? '' : ', which is not open'}</span>`}</a>
            </li>`,
        )}
      </ul>
    </div>`;
}

const closeTools = (event: Event): void => (event.currentTarget as HTMLElement).closest<HTMLElement>('#tools')?.hidePopover();

/** Opens below its button, within the window. */
function onTools(event: ToggleEvent): void {
  if (event.newState !== 'open') return;
  const popup = event.currentTarget as HTMLElement;
  const at = popup.previousElementSibling?.getBoundingClientRect();
  if (at === undefined) return;
  popup.style.setProperty('left', `${Math.max(8, Math.min(at.right - popup.offsetWidth, innerWidth - popup.offsetWidth - 8))}px`);
  popup.style.setProperty('top', `${at.bottom + 6}px`);
  popup.querySelector('a')?.focus();
}

/** Some benchmarks have agent loops; their view stays where it is open. */
function hasAgents({ overview, route }: State): boolean {
  return overview?.abilities.includes('agents') === true || route.place.view === 'agents';
}

/** Some benchmarks have a method that works on attention; it needs no files of the benchmark. */
function hasAttention({ overview, route }: State): boolean {
  return overview?.abilities.includes('attention') === true || route.place.view === 'dar';
}

function renderTab(state: State, place: Place, label: string): TemplateResult {
  const { view } = state.route.place;
  const here = view === place.view || (view === 'sample' && place.view === 'samples');
  return html`<a href=${store.href(place)} aria-current=${here ? 'page' : nothing}>${label}</a>`;
}
