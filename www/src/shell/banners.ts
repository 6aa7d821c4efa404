/** What is said above every view: of the engine, of what is open and what is not. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../components/icon/icon';
import type { DemoSuite } from '../engine/types/DemoSuite';
import type { PackBeside } from '../engine/types/PackBeside';
import type { PackCheck } from '../engine/types/PackCheck';
import { SILENT_SECS } from '../engine/watchdog';
import { DEMOS } from '../state/demos';
import { download } from '../state/download';
import { plural } from '../state/format';
import { partialToTell } from '../state/partial';
import type { Place } from '../state/router';
import type { State } from '../state/state';
import { store } from '../state/store';
import { hasContext, hasRefused, isDemoComing } from './context';

type Banner = TemplateResult | typeof nothing;

/** The places that show means of models. */
const WITH_MEANS: readonly Place['view'][] = ['overview', 'plots', 'compare', 'agreement', 'experiments'];

/** Packs are checked and compared once, whichever view is looked at. */
const checkPacks = (packs: number): Promise<PackCheck[]> => store.once(`check ${packs}`, () => store.client.checkPacks());
const comparePacks = (packs: number): Promise<PackBeside[]> => store.once(`compare ${packs}`, () => store.client.comparePacks());

/** The engine has stopped, or does not answer. */
export function renderEngine({ engine, engineError, silent }: State): Banner {
  if (engine !== 'failed') return silent === null ? nothing : renderSilent(silent);
  return html`<div class="banner bad" role="alert">
    ${icon('error')}
    <span><strong>The engine stopped.</strong> ${engineError} Your files are untouched; reloading reads them again.</span>
    <button type="button" class="button" @click=${() => void store.restart()}>Reload engine</button>
  </div>`;
}

/** The engine's thread stands still, or computes for long: the reader decides. */
function renderSilent(waits: string): TemplateResult {
  const unkept = store.client.unkept();
  return html`<div class="banner bad" role="alert" data-testid="silent">
    ${icon('error')}
    <span>
      <strong>The engine stopped answering.</strong> It has not answered for ${SILENT_SECS} s${waits === '' ? '' : html`; it was waiting for: ${waits}`}. It may still be
      computing. Your files are untouched; reloading reads them again and restores pasted replies.
    </span>
    ${
      unkept.count === 0
        ? nothing
        : html`<button type="button" class="button" @click=${() => download(new Blob([unkept.text], { type: 'application/jsonl' }), 'jsonl', 'pasted')}>
          Save ${plural(unkept.count, 'pasted reply', 'pasted replies')}
        </button>`
    }
    <button type="button" class="button" @click=${() => void store.restart()}>Reload engine</button>
  </div>`;
}

/** `isUnfolded`: whether a phone shows the suites. */
export function renderDemoNote(state: State, isUnfolded: boolean, openFolder: () => void): Banner {
  const { opened, route } = state;
  if (!opened.some(({ demo }) => demo) && !isDemoComing(state)) return nothing;
  const choice = ({ id, title }: DemoSuite): TemplateResult =>
    html`<li><a href=${store.demoHref(id)} aria-current=${route.demo === id ? 'true' : nothing}>${title}</a></li>`;
  return html`<div class="banner demo ${hasContext(state) ? 'with-context' : ''} ${isUnfolded ? 'unfolded' : ''}" role="region" aria-label="Demo suite">
    <span><strong>Demo suite</strong><span class="wide"> of synthetic pictures and replies</span></span>
    <ul class="demos" aria-label="Demo suites">${DEMOS.map(choice)}</ul>
    <span class="own"><button type="button" class="link" @click=${openFolder}>Open your own folder</button>
    <span class="muted wide">or drop it anywhere on this page</span></span>
  </div>`;
}

/** Results alone do not say what is missing from them. */
export function renderNotOpen({ overview }: State, openFolder: () => void): Banner {
  if (overview?.benchmark === null || overview?.has_results_only !== true) return nothing;
  return html`<div class="banner" role="region" aria-label="Benchmark not open" data-testid="benchmark-not-open">
    ${icon('warn')}
    <span><strong>Benchmark not open: totals may be incomplete.</strong> Only with ${overview.benchmark.title}’s own folder open is it known what was expected and is missing.</span>
    <button type="button" class="button" @click=${openFolder}>Open folder…</button>
  </div>`;
}

/** A link must not make the page ask another server for anything before the reader agrees. */
export function renderLinked({ linked }: State): Banner {
  if (linked === '') return nothing;
  return html`<div class="banner" role="region" aria-label="Evidence pack of another server" data-testid="linked">
    <span>${
      new URL(linked).origin === location.origin
        ? html`This page’s server redirects this address to another one, which the browser does not show in advance.`
        : html`This address leads to an evidence pack on <strong>${new URL(linked).host}</strong>, another server than this page’s.`
    } <span class="muted">${linked}</span></span>
    <button type="button" class="button" @click=${() => void store.openLinked()}>Fetch it</button>
  </div>`;
}

/** What the numbers on the page leave out. */
export function renderStanding(state: State): Banner {
  const { overview, reading, route } = state;
  if (overview === null) return nothing;
  const { unread } = overview;
  // Where means are shown: a sample shows what there is of it.
  const notices = WITH_MEANS.includes(route.place.view) ? overview.notices : [];
  if (unread.files + unread.folders + notices.length + partialToTell(overview, route.options).length === 0) return nothing;
  void import('../components/standing/standing');
  // Who rates must not read models' names, which paths may bear.
  return html`<juror-standing .state=${state} .overview=${overview} .notices=${notices} ?busy=${reading === 'reading'} ?blind=${route.place.view === 'rate'}></juror-standing>`;
}

/** Whether the evidence packs that are open reproduce. */
export function renderPacks(state: State): Banner {
  const { opened, route } = state;
  // What differs lists models and verdicts, which who rates must not read.
  if (route.place.view === 'rate' || !opened.some(({ pack }) => pack)) return nothing;
  void import('../components/pack-banner/pack-banner');
  return html`<juror-pack-banner .state=${state} .check=${checkPacks} .compare=${comparePacks}></juror-pack-banner>`;
}

/** What another reading of the replies would add, or adds. */
export function renderTolerance(state: State): Banner {
  const { overview, route } = state;
  if (overview === null || overview.profile === 'released' || !WITH_MEANS.includes(route.place.view)) return nothing;
  if (overview.reading === 'strict' && !hasRefused(state)) return nothing;
  void import('../components/reading/reading');
  return html`<juror-reading .client=${store.client} .state=${state} .overview=${overview}></juror-reading>`;
}
