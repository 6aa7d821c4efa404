/** The view of each place, which comes when it is first asked for. */
import { html, type TemplateResult } from 'lit';
import { icon } from '../components/icon/icon';
import '../views/overview';
import type { Place } from '../state/router';
import type { State } from '../state/state';

/** What the views need of the page. */
export interface ViewActions {
  /** Says so in the view's place where the part does not come. */
  expect: (part: Promise<unknown>) => void;
  openFolder: () => void;
}

/** Whether the address is of a benchmark that is not open. */
export function lacksData({ route, overview, engine, opened }: State): boolean {
  if (route.bench === '' || ['about', 'manual', 'dar', 'make'].includes(route.place.view) || engine !== 'ready') return false;
  // After a restart what was open is read again.
  if (overview === null && opened.length > 0) return false;
  return overview?.benchmark?.protocol !== route.bench;
}

/** Says which benchmark the address needs. */
export function renderMissing(state: State, { expect, openFolder }: ViewActions): TemplateResult {
  const { route, overview, opening, reading } = state;
  expect(import('../components/missing-data/missing-data'));
  return html`<juror-missing-data .state=${state} bench=${route.bench} .place=${route.place} .overview=${overview} ?busy=${opening !== '' || reading === 'reading'} @juror-open-folder=${openFolder}></juror-missing-data>`;
}

export function renderPlace(place: Place, { expect, openFolder }: ViewActions): TemplateResult {
  switch (place.view) {
    case 'overview':
      return html`<juror-overview @juror-open-folder=${openFolder}></juror-overview>`;
    case 'samples':
      expect(import('../views/samples'));
      return html`<juror-samples></juror-samples>`;
    case 'sample':
      expect(import('../views/sample'));
      return html`<juror-sample></juror-sample>`;
    case 'plots':
      expect(import('../views/plots'));
      return html`<juror-plots><p class="muted">Loading…</p></juror-plots>`;
    case 'incidents':
      expect(import('../views/incidents'));
      return html`<juror-incidents-view></juror-incidents-view>`;
    case 'compare':
      expect(import('../views/compare'));
      return html`<juror-compare></juror-compare>`;
    case 'judge':
      expect(import('../views/judge'));
      return html`<juror-judge></juror-judge>`;
    case 'metrics':
      expect(import('../views/metrics'));
      return html`<juror-metrics></juror-metrics>`;
    case 'generate':
      expect(import('../views/generate'));
      return html`<juror-generate></juror-generate>`;
    case 'agents':
      expect(import('../views/agents'));
      return html`<juror-agents></juror-agents>`;
    case 'rate':
      expect(import('../views/rate'));
      return html`<juror-rate></juror-rate>`;
    case 'agreement':
      expect(import('../views/agreement'));
      return html`<juror-agreement-view></juror-agreement-view>`;
    case 'lint':
      expect(import('../views/lint'));
      return html`<juror-lint></juror-lint>`;
    case 'experiments':
      expect(import('../views/experiments'));
      return html`<juror-experiments></juror-experiments>`;
    case 'statistics':
      expect(import('../views/statistics'));
      return html`<juror-statistics></juror-statistics>`;
    case 'dar':
      expect(import('../views/dar'));
      return html`<juror-dar></juror-dar>`;
    case 'make':
      expect(import('../views/make'));
      return html`<juror-make></juror-make>`;
    case 'embed':
      expect(import('../views/embed'));
      return html`<juror-embed-view></juror-embed-view>`;
    case 'about':
      expect(import('../views/about'));
      return html`<juror-about></juror-about>`;
    case 'manual':
      expect(import('../views/manual'));
      return html`<juror-manual></juror-manual>`;
  }
}

export function renderUnloaded(why: string, retry: () => void): TemplateResult {
  return html`<section class="panel unloaded" role="alert" data-testid="unloaded">
    ${icon('error', 32)}
    <h1>This view could not be loaded</h1>
    <p>A part of the page could not be loaded, perhaps because there is no network. What you opened stays open, and the views that are already loaded keep working.</p>
    <p class="small muted">${why}</p>
    <button type="button" class="button primary" @click=${retry}>Try again</button>
  </section>`;
}
