import { LitElement, html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { Query, StoreController } from '../state/controllers';
import { download } from '../state/download';
import { count, plural } from '../state/format';
import { USUAL_RATING, type Rating as RatingChoice } from '../state/router';
import type { Step } from '../state/state';
import { store } from '../state/store';
import { renderChoices } from '../components/choices/choices';
import { renderPer } from '../components/choices/per';
import { icon } from '../components/icon/icon';
import { isDone } from '../components/rating-desk/rating-desk';
import { messageOf } from '../engine/errors';
import { rater as here } from '../components/failure-labels/rater';
import type { RaterSession } from '../engine/types/RaterSession';
import type { Overview } from '../engine/types/Overview';
import type { RateItems } from '../engine/types/RateItems';
import type { RatePlan } from '../engine/types/RatePlan';
import type { Rating } from '../engine/types/Rating';
import type { RateScope } from '../engine/types/RateScope';
import type { RaterSummary } from '../engine/types/RaterSummary';
import type { SubsetScope } from '../engine/types/SubsetScope';
import { manualLink } from '../manual/link';
import { base, controls } from '../styles/base.styles';
import { chosen, forms, page } from '../styles/page.styles';
import { styles } from './rate.styles';

/** What the form held last; kept while the page is open. Who rates is in no address. */
const form = { rater: '', rating: USUAL_RATING };

/** How far the rater is who rated last. */
interface Kept {
  session: RaterSession;
  done: number;
  total: number;
}

/** What a rater is at work on. */
interface Sitting {
  benchmark: string;
  scope: RateScope;
  plan: RatePlan;
}

/**
 * @summary Blind rating: who rates what, and then one output after another without verdicts and names.
 */
@customElement('juror-rate')
export class JurorRate extends LitElement {
  static override styles = [base, controls, page, forms, chosen, styles];

  readonly #store = new StoreController(this);
  readonly #plan = new Query<RatePlan>(this);
  readonly #sessions = new Query<RaterSession[]>(this);
  readonly #kept = new Query<Kept | null>(this);
  readonly #scopes = new Query<SubsetScope[]>(this);
  @state() private sitting: Sitting | null = null;
  @state() private error = '';
  /** Grows when ratings were written. */
  @state() private written = 0;
  /** What was opened when the sitting began: other files have other numbers. */
  #opened: unknown = null;
  /** Whether a sitting was shown last, to put the focus where it begins or ended. */
  #sat = false;

  override connectedCallback(): void {
    super.connectedCallback();
    // Who comes back by the tab finds what they had chosen.
    if (JSON.stringify(this.rating) === JSON.stringify(USUAL_RATING) && form.rating !== USUAL_RATING)
      store.go({ view: 'rate', rating: form.rating }, 'replace');
  }

  /** What the address chooses, as far as it is open. */
  private get rating(): RatingChoice {
    const { overview, route } = this.#store.state;
    const { place } = route;
    const asked = place.view === 'rate' ? (place.rating ?? USUAL_RATING) : USUAL_RATING;
    if (overview === null) return asked;
    const models = asked.models.filter((model) => overview.models.some(({ name }) => name === model));
    const known = this.#plan.value?.criteria;
    const criteria = asked.criteria.filter((criterion) => known?.some(({ id }) => id === criterion) !== false);
    return { ...asked, models, criteria, samples: Math.min(asked.samples, overview.benchmark?.samples ?? 0) };
  }

  private get scope(): RateScope {
    return { rater: form.rater, ...this.rating };
  }

  protected override willUpdate(): void {
    const { engine, version, overview, opened } = this.#store.state;
    if (this.sitting !== null && this.#opened !== opened) this.sitting = null;
    if (engine !== 'ready' || overview?.benchmark == null || this.sitting !== null) return;
    const { scope } = this;
    this.#plan.ask(`${version} ${this.written} ${JSON.stringify(scope)}`, (signal) => store.client.ratePlan(scope, signal));
    this.#scopes.ask(String(version), () => store.client.subsetScopes());
    this.#sessions.ask(`${version} ${this.written}`, async () => {
      const benchmark = await store.client.benchmarkId();
      return benchmark === null ? [] : store.client.keptRaters(benchmark);
    });
    this.askKept(this.#sessions.settled ?? [], `${version} ${this.written}`);
  }

  /** Asks how far the latest session is. */
  private askKept(sessions: readonly RaterSession[], when: string): void {
    const session = sessions.reduce<RaterSession | undefined>((last, one) => (last === undefined || one.time > last.time ? one : last), undefined);
    if (session === undefined) return;
    this.#kept.ask(`${when} ${JSON.stringify(session)}`, async (signal) => {
      const { tasks } = await store.client.ratePlan(session.scope, signal);
      return { session, done: tasks.filter(isDone).length, total: tasks.length };
    });
  }

  protected override updated(): void {
    const isSitting = this.sitting !== null;
    if (isSitting === this.#sat) return;
    this.#sat = isSitting;
    this.renderRoot.querySelector<HTMLElement>(isSitting ? 'juror-rating-desk' : 'h1')?.focus();
  }

  override render(): TemplateResult {
    const { overview } = this.#store.state;
    if (this.sitting !== null) {
      const { benchmark, scope, plan } = this.sitting;
      return html`<juror-rating-desk .client=${store.client} .state=${this.#store.state} .benchmark=${benchmark} .scope=${scope} .plan=${plan} @leave=${() => this.leave()}></juror-rating-desk>`;
    }
    return html`<div>
        <div class="titled"><h1 tabindex="-1">Rate</h1>${manualLink(this.#store.state.route, 'judging', 'rate-by-hand')}</div>
        <p class="lead">
          Judge outputs yourself on the judge’s own criteria. You see what the judge sees, in an order shuffled for you; verdicts and models’ names stay hidden.
          Every score is written to this browser’s storage before it is shown as kept, so you can stop at any time and go on later.
        </p>
      </div>
      ${this.error === '' ? nothing : html`<p class="problem" role="alert">${icon('error', 16)} ${this.error}</p>`}
      ${overview?.benchmark == null ? nothing : this.renderKept()}
      ${overview?.benchmark == null ? html`<p class="panel note">Open a benchmark and models’ outputs first.</p>` : html`<div class="columns">${this.renderForm(overview)}<div class="side">${this.renderRaters()}</div></div>`}`;
  }

  /** What is kept of the latest session. */
  private renderKept(): TemplateResult | typeof nothing {
    const kept = this.#kept.value;
    const isThere = this.#sessions.value?.some(({ rater }) => rater === kept?.session.rater) === true;
    if (kept === null || !isThere || kept.total === 0) return nothing;
    const { session, done, total } = kept;
    return html`<p class="panel kept" data-testid="rate-kept">
      ${icon('check', 16)}<span><strong dir="auto">${session.rater}</strong>: ${count(done)} of ${count(total)} rated${done < total ? ';' : '.'}</span>
      ${done < total ? html`<button type="button" class="link" data-testid="rate-go-on" @click=${() => void this.start(session.scope)}>go on</button>` : nothing}
    </p>`;
  }

  private renderForm(overview: Overview): TemplateResult {
    const plan = this.#plan.value;
    const { rating } = this;
    const words = overview.benchmark?.words.samples ?? 'samples';
    const all = overview.benchmark?.samples ?? 0;
    return html`<form class="panel form" autocomplete="off" @submit=${(event: Event) => this.onStart(event)}>
      <label class="row"
        ><span>Your name</span>
        <input class="field" data-testid="rate-name" required maxlength="80" spellcheck="false" .value=${form.rater} @input=${(event: Event) => this.name((event.target as HTMLInputElement).value.trim())} />
        <small>Any name or number; ratings are filed under it.</small></label
      >
      ${plan?.has_atoms === true || rating.items === 'atoms' ? this.renderItems(rating) : nothing}
      ${rating.items === 'atoms' ? nothing : renderChoices('Criteria', plan?.criteria.map(({ id, label }) => [id, label]) ?? [], rating.criteria, (criteria) => this.put({ criteria }))}
      ${renderChoices(
        'Models',
        overview.models.map(({ name }) => [name, name]),
        rating.models,
        (models) => this.put({ models }),
      )}
      <div class="row">
        <span id="subset">Which ${words}</span>
        <span class="subset" role="group" aria-labelledby="subset">
          <label><input type="radio" name="subset" .checked=${rating.samples === 0} @change=${() => this.put({ samples: 0 })} /> all ${count(all)}</label>
          <label><input type="radio" name="subset" data-testid="rate-some" .checked=${rating.samples > 0} @change=${() => this.put({ samples: Math.min(20, all) })} /> a random</label>
          <input class="field narrow" type="number" min="1" max=${all} data-testid="rate-number" aria-label="How many ${words}" ?disabled=${rating.samples === 0} .value=${String(rating.samples === 0 ? Math.min(20, all) : rating.samples)} @input=${(event: Event) => this.put({ samples: whole(event, 1, all) }, 'typed')} />
          ${renderPer(this.#scopes.value ?? [], rating.per, rating.samples === 0, (per) => this.put({ per }))}
        </span>
        <small>With the outputs of every chosen model. The same seed gives every rater the same ${words}, each in another order.</small>
      </div>
      <label class="row"
        ><span>Seed</span>
        <input class="field narrow" type="number" min="0" max="4294967295" data-testid="rate-seed" .value=${String(rating.seed)} @input=${(event: Event) => this.put({ seed: whole(event, 0, 4294967295) }, 'typed')} /></label
      >
      <p class="sum" data-testid="rate-sum" aria-live="polite">${plan === null ? (this.#plan.error?.message ?? 'Counting…') : sumOf(plan, words)}</p>
      <div class="toolbar">
        <button type="submit" class="button primary" data-testid="rate-start" ?disabled=${plan === null || plan.tasks.length === 0}>Start rating</button>
        ${form.rater === '' ? html`<span class="small muted">Enter your name first.</span>` : nothing}
      </div>
    </form>`;
  }

  /** Whether a person gives a score for each criterion or answers what the judge answers. */
  private renderItems({ items }: RatingChoice): TemplateResult {
    const item = (value: RateItems, testId: string, text: string): TemplateResult =>
      html`<label><input type="radio" name="items" data-testid=${testId} .checked=${items === value} @change=${() => this.put({ items: value, criteria: [] })} /> ${text}</label>`;
    return html`<div class="row">
      <span id="items">What you answer</span>
      <span class="subset" role="group" aria-labelledby="items">
        ${item('criteria', 'rate-criteria', 'a score for each criterion')} ${item('atoms', 'rate-atoms', 'every question that the judge answers')}
      </span>
      ${items === 'atoms' ? html`<small>A sample’s score is then made of your answers just as the judge’s is, and you can be chosen as judge in the tables.</small>` : nothing}
    </div>`;
  }

  private renderRaters(): TemplateResult {
    const raters = this.#plan.value?.raters ?? [];
    const sessions = this.#sessions.value ?? [];
    // Who has begun and not rated yet is listed as well.
    const names = [...new Set([...raters.map(({ rater }) => rater), ...sessions.map(({ rater }) => rater)])].sort();
    return html`<section class="panel raters" aria-labelledby="raters">
      <h2 id="raters">Your ratings</h2>
      ${this.#sessions.error === null ? nothing : html`<p class="problem" role="alert">${icon('warn', 16)} ${this.#sessions.error.message}</p>`}
      ${
        names.length === 0
          ? html`<p class="muted">None yet for this benchmark: neither kept in this browser nor in an opened file.</p>`
          : html`<ul>
            ${names.map((name) =>
              this.renderRater(
                name,
                raters.find(({ rater }) => rater === name),
                sessions.find(({ rater }) => rater === name),
              ),
            )}
          </ul>`
      }
      <div class="toolbar">
        <button type="button" class="button tiny" data-testid="rate-export" ?disabled=${raters.every(({ ratings }) => ratings === 0)} @click=${() => void this.export(null)}>${icon('download', 16)}All as CSV</button>
        <button type="button" class="button tiny" data-testid="rate-labels" @click=${() => void this.exportLabels()}>${icon('download', 16)}Labels as CSV</button>
        <label class="button tiny import"
          >${icon('folder', 16)}Import CSV<input type="file" accept=".csv,text/csv" multiple class="visually-hidden" data-testid="rate-import" @change=${(event: Event) => void this.import(event)}
        /></label>
        <button type="button" class="button tiny" data-testid="rate-template" title="Of the samples that are chosen above" @click=${() => void this.template()}>${icon('download', 16)}Empty template</button>
      </div>
      <p class="small muted">
        Files of several raters, or of one rater’s two machines, merge: of two scores for the same thing by the same rater the later one counts.
        <a href=${store.href({ view: 'agreement' })}>How far raters and judges agree</a>
      </p>
    </section>`;
  }

  private renderRater(name: string, summary: RaterSummary | undefined, session: RaterSession | undefined): TemplateResult {
    return html`<li data-testid="rater">
      <div>
        <strong dir="auto">${name}</strong>
        <span class="muted small">
          ${plural(summary?.ratings ?? 0, 'rating')}${summary === undefined || summary.labels === 0 ? '' : `, ${plural(summary.labels, 'failure label')}`}${summary !== undefined && summary.unknown_samples > 0 ? `, ${count(summary.unknown_samples)} of them of samples or models that are not open` : ''}${summary === undefined || summary.last === '' ? '' : `, last ${new Date(summary.last).toLocaleString()}`}
        </span>
      </div>
      <div class="toolbar">
        ${session === undefined ? nothing : html`<button type="button" class="button tiny" data-testid="rate-resume" aria-label="Go on as ${name}" @click=${() => void this.start(session.scope)}>Go on</button>`}
        <button type="button" class="button tiny" aria-label="Ratings of ${name} as CSV" @click=${() => void this.export(name)}>CSV</button>
        <button type="button" class="button tiny" aria-label="Delete what ${name} rated from this browser" @click=${() => void this.forget(name)}>Delete</button>
      </div>
    </li>`;
  }

  private name(rater: string): void {
    form.rater = rater;
    here.name = rater;
    this.requestUpdate();
  }

  private put(part: Partial<RatingChoice>, step: Step = 'push'): void {
    form.rating = { ...this.rating, ...part };
    store.go({ view: 'rate', rating: form.rating }, step);
  }

  private onStart(event: Event): void {
    event.preventDefault();
    void this.start(this.scope);
  }

  private async start(scope: RateScope): Promise<void> {
    this.error = '';
    try {
      const [benchmark, plan] = await Promise.all([store.client.benchmarkId(), store.client.ratePlan(scope)]);
      if (benchmark === null || plan.tasks.length === 0) throw new Error('None of the samples and models chosen here is open.');
      await store.client.keepRater({ benchmark, rater: scope.rater, scope, time: new Date().toISOString() });
      const { rater, ...rating } = scope;
      form.rater = rater;
      here.name = rater;
      this.put(rating, 'replace');
      this.#opened = this.#store.state.opened;
      this.sitting = { benchmark, scope, plan };
    } catch (error) {
      this.error = messageOf(error);
    }
  }

  private leave(): void {
    this.sitting = null;
    this.written += 1;
    this.#plan.clear();
  }

  private async export(rater: string | null): Promise<void> {
    try {
      const csv = await store.client.ratingsCsv(rater);
      download(new Blob([csv], { type: 'text/csv' }), 'csv', 'ratings', rater ?? '');
    } catch (error) {
      this.error = messageOf(error);
    }
  }

  private async exportLabels(): Promise<void> {
    try {
      download(new Blob([await store.client.labelsCsv(null)], { type: 'text/csv' }), 'csv', 'labels');
    } catch (error) {
      this.error = messageOf(error);
    }
  }

  /** Keeps the ratings of files in this browser, as if they had been given here. */
  private async import(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    this.error = '';
    try {
      const benchmark = await store.client.benchmarkId();
      if (benchmark === null) throw new Error('Open the benchmark first.');
      for (const file of input.files ?? []) {
        const text = await file.text();
        const read = await store.client.readRatings(file.name, text);
        if (read === null) {
          await this.importLabels(benchmark, file.name, text);
          continue;
        }
        const differ = countDiffering(await store.client.keptRatings(benchmark), read.ratings);
        await store.client.keepRatings(benchmark, read.ratings);
        const later =
          differ === 0 ? '' : ` ${count(differ)} of them ${differ === 1 ? 'differs' : 'differ'} from what was kept before; of two the later counts.`;
        const bad =
          read.problems.length === 0
            ? ''
            : ` ${plural(read.problems.length, 'row')} could not be read: ${read.problems[0]?.place ?? ''}, ${read.problems[0]?.message ?? ''}`;
        store.notify(bad === '' ? 'info' : 'warn', `${plural(read.ratings.length, 'rating')} of ${file.name} are kept in this browser.${later}${bad}`);
      }
    } catch (error) {
      this.error = messageOf(error);
    }
    input.value = '';
    this.written += 1;
    void store.ratingsChanged();
  }

  /** Keeps the failure labels of a file. */
  private async importLabels(benchmark: string, name: string, text: string): Promise<void> {
    const read = await store.client.readLabels(name, text);
    if (read === null)
      throw new Error(`${name} is no file of ratings or labels: its first row must name sample, model, rater, and either criterion and score or label.`);
    await store.client.keepLabels(benchmark, read.labels);
    const first = read.problems[0];
    const bad = first === undefined ? '' : ` ${plural(read.problems.length, 'row')} could not be read: ${first.place}, ${first.message}`;
    store.notify(bad === '' ? 'info' : 'warn', `${plural(read.labels.length, 'failure label')} of ${name} are kept in this browser.${bad}`);
  }

  private async template(): Promise<void> {
    try {
      download(new Blob([await store.client.ratingsTemplate(this.scope)], { type: 'text/csv' }), 'csv', 'ratings-template');
    } catch (error) {
      this.error = messageOf(error);
    }
  }

  private async forget(rater: string): Promise<void> {
    if (!confirm(`Delete the ratings and failure labels of ${rater} from this browser? Opened files are not changed.`)) return;
    try {
      const benchmark = await store.client.benchmarkId();
      if (benchmark !== null) await store.client.forgetRater(benchmark, rater);
      this.written += 1;
      void store.ratingsChanged();
    } catch (error) {
      this.error = messageOf(error);
    }
  }
}

/** How many ratings have another score than the one that was kept for the same thing by the same rater. */
function countDiffering(kept: readonly Rating[], more: readonly Rating[]): number {
  const keyOf = ({ rater, sample, turn, model, criterion }: Rating): string => JSON.stringify([rater, sample, turn, model, criterion]);
  const known = new Map<string, Rating>();
  for (const rating of kept) {
    const other = known.get(keyOf(rating));
    if (other === undefined || rating.time >= other.time) known.set(keyOf(rating), rating);
  }
  return more.filter((rating) => known.has(keyOf(rating)) && known.get(keyOf(rating))?.score !== rating.score).length;
}

function whole(event: Event, min: number, max: number): number {
  const value = Math.floor(Number((event.target as HTMLInputElement).value));
  return Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : min;
}

function sumOf(plan: RatePlan, words: string): string {
  const scores = plan.tasks.reduce((sum, { criteria }) => sum + criteria.length, 0);
  const done = plan.tasks.reduce((sum, task) => sum + task.criteria.filter((id) => id in task.scores).length, 0);
  const missing =
    plan.without_output === 0
      ? ''
      : ` ${plural(plan.without_output, 'output')} ${plan.without_output === 1 ? 'is' : 'are'} missing or unreadable and left out.`;
  return `${plural(plan.tasks.length, 'output')} of ${count(plan.samples)} ${words}: ${plural(scores, 'score')} to give${done === 0 ? '' : `, ${count(done)} given`}.${missing}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-rate': JurorRate;
  }
}
