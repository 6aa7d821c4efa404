import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { State } from '../../state/state';
import type { FromKeeper, ToKeeper } from '../../offline/files';
import { base, controls } from '../../styles/base.styles';
import { notify } from '../events';

/** Tabs that stay open look for a new version this often, when they are looked at again. */
const LOOK_EVERY_MS = 60 * 60 * 1000;
/** What was just built and is served from this very machine is not to be taken from a store. */
const OWN_MACHINE = ['localhost', '127.0.0.1', '[::1]'];
/** Held by every tab in which a job runs. */
const JOB = `juror job ${new URL('.', document.baseURI).href}`;

type Running = { progress: { finished: boolean; stopped: string | null } } | null;

const isRunning = (job: Running): boolean => job !== null && !job.progress.finished && job.progress.stopped === null;

/**
 * @summary Keeps the page for visits without a network, and tells when a new version is ready: it starts when the reader says so, and under no job.
 */
@customElement('juror-update')
export class JurorUpdate extends LitElement {
  static override styles = [
    base,
    controls,
    css`
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: center;
        gap: 6px 12px;
        min-height: 40px;
        padding: 8px var(--juror-gutter);
        background: var(--juror-surface);
        border-bottom: 1px solid var(--juror-line);
        color: var(--juror-text);
      }
    `,
  ];

  @property({ attribute: false }) state!: Pick<State, 'job' | 'agents' | 'generate'>;
  /** The new version, kept and waiting. */
  @state() private waiting: ServiceWorker | null = null;
  @state() private isElsewhere = false;
  #looked = performance.now();
  #registration: ServiceWorkerRegistration | null = null;
  /** Ends the hold on {@link JOB}. */
  #release: (() => void) | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#onVisible);
    // Frames belong to other pages, which did not ask for anything to be kept.
    if (import.meta.env.PROD && 'serviceWorker' in navigator && window.top === window && !OWN_MACHINE.includes(location.hostname)) void this.#keep();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#onVisible);
    this.#release?.();
    this.#release = null;
  }

  override render(): TemplateResult | typeof nothing {
    if (this.waiting === null) return nothing;
    const isBusy = this.#isBusy();
    const words =
      isBusy || this.isElsewhere
        ? `It waits until the job ${isBusy ? '' : 'in another tab '}has ended.`
        : 'This page keeps its own version until you reload; then your files have to be opened again.';
    return html`<div class="row" role="status" data-testid="update">
      <span><strong>A new version of Juror is ready.</strong> ${words}</span>
      <button type="button" class="button tiny" ?disabled=${isBusy} @click=${this.takeOver}>Reload with the new version</button>
      <button type="button" class="button tiny quiet" @click=${() => (this.waiting = null)}>Later</button>
    </div>`;
  }

  protected override updated(): void {
    const isBusy = this.#isBusy();
    if (isBusy && this.#release === null) {
      void navigator.locks.request(JOB, { mode: 'shared' }, () => new Promise<void>((resolve) => (this.#release = resolve)));
      this.#release = () => undefined;
    } else if (!isBusy) {
      this.#release?.();
      this.#release = null;
    }
  }

  #isBusy(): boolean {
    const { job, agents, generate } = this.state;
    return [job, agents, generate].some(isRunning);
  }

  /** Registers the service worker; a host that forbids it, or has none, forbids nothing else. */
  async #keep(): Promise<void> {
    const workers = navigator.serviceWorker;
    let registration: ServiceWorkerRegistration;
    try {
      registration = await workers.register('./sw.js', { scope: './', updateViaCache: 'none' });
    } catch {
      return;
    }
    this.#registration = registration;
    const look = (): void => {
      // Without a controller this is the first visit, and nothing runs that could be replaced.
      if (registration.waiting !== null && workers.controller !== null) this.waiting = registration.waiting;
    };
    look();
    registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
    workers.addEventListener('message', (event: MessageEvent<FromKeeper>) => this.#onKept(event.data));
    const { active } = await workers.ready;
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (connection?.saveData !== true) active?.postMessage('keep-the-rest' satisfies ToKeeper);
  }

  #onKept(message: FromKeeper): void {
    const wasKept = document.documentElement.dataset.kept;
    document.documentElement.dataset.kept = message;
    if (wasKept === undefined && this.#isFirst) notify(this, 'info', 'Juror is kept in this browser now and opens without a network as well.');
  }

  /** Whether this visit was the first one. */
  readonly #isFirst = 'serviceWorker' in navigator && navigator.serviceWorker.controller === null;

  private async takeOver(): Promise<void> {
    const { waiting } = this;
    if (waiting === null || this.#isBusy()) return;
    const { held } = await navigator.locks.query();
    this.isElsewhere = held?.some(({ name }) => name === JOB) === true;
    if (this.isElsewhere) return;
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('take-over' satisfies ToKeeper);
  }

  readonly #onVisible = (): void => {
    if (document.visibilityState !== 'visible' || performance.now() - this.#looked < LOOK_EVERY_MS) return;
    this.#looked = performance.now();
    // Without a network there is nothing to be found.
    this.#registration?.update().catch(() => undefined);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-update': JurorUpdate;
  }
}
