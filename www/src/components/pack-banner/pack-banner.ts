import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { Query, StoreController } from '../../app/controllers';
import { count, plural } from '../../app/format';
import { NO_FILTER } from '../../app/router';
import { store } from '../../app/store';
import type { PackCheck } from '../../engine/protocol';
import type { PackFinding } from '../../engine/types/PackFinding';
import type { PackVerification } from '../../engine/types/PackVerification';
import { base, controls } from '../../styles/base.styles';
import { icon } from '../icon/icon';

const KINDS: Record<string, string> = {
  manifest: 'Manifest',
  missing_entry: 'Missing file',
  extra_entry: 'Added file',
  changed_entry: 'Changed file',
  request: 'Request',
  reply_request: 'Reply to another request',
  verdict: 'Verdict',
  score: 'Score',
  unit: 'Unit',
  incident: 'Incident',
};
/** Findings that are shown at once; the command line lists more. */
const SHOWN = 100;

/**
 * @summary Says of each open evidence pack whether it reproduces, and lists what differs.
 */
@customElement('juror-pack-banner')
export class JurorPackBanner extends LitElement {
  static override styles = [
    base,
    controls,
    css`
      section {
        display: grid;
        gap: 6px;
        padding: 10px max(16px, calc((100vw - var(--juror-width, 1400px)) / 2));
        border-bottom: 1px solid var(--juror-line);
        background: var(--juror-surface-2);
      }
      .say {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 8px;
        margin: 0;
      }
      .small {
        margin: 0;
        overflow-wrap: anywhere;
      }
      .list {
        max-height: 40vh;
        overflow: auto;
      }
      table {
        width: 100%;
        border-collapse: collapse;
        font-size: var(--juror-size-s);
      }
      th,
      td {
        padding: 4px 8px;
        border-top: 1px solid var(--juror-line);
        text-align: start;
        vertical-align: top;
        overflow-wrap: anywhere;
      }
    `,
  ];

  readonly #store = new StoreController(this);
  readonly #checks = new Query<PackCheck[]>(this);

  protected override willUpdate(): void {
    const { opened, engine } = this.#store.state;
    const packs = opened.filter(({ pack }) => pack).length;
    if (engine === 'ready' && packs > 0) this.#checks.ask(String(packs), (signal) => store.client.checkPacks(signal));
  }

  override render(): TemplateResult {
    const { value, error, pending } = this.#checks;
    const { packing } = this.#store.state;
    if (error !== null) return html`<section role="alert"><p class="say">${icon('error')} The evidence pack could not be checked: ${error.message}</p></section>`;
    if (value === null || pending) {
      const far = packing === null ? '' : ` ${count(packing.done)} of ${plural(packing.total, 'file')} hashed.`;
      return html`<section aria-label="Evidence pack" data-testid="pack-banner"><p class="say">Recomputing the evidence pack from its raw replies…${far}</p></section>`;
    }
    return html`${value.map((check) => this.renderCheck(check))}`;
  }

  private renderCheck(check: PackCheck): TemplateResult {
    if ('problem' in check) {
      return html`<section role="alert" data-testid="pack-banner"><p class="say">${icon('error')} <strong>${check.name}</strong> could not be checked: ${check.problem}</p></section>`;
    }
    const { verification } = check;
    return html`<section aria-label="Evidence pack ${check.name}" role="status" data-testid="pack-banner">
      ${verification.reproduced ? renderReproduced(check.name, verification) : this.renderDiffers(check.name, verification)}
      ${verification.notes.map((note) => html`<p class="small muted">${note}</p>`)}
    </section>`;
  }

  private renderDiffers(name: string, { counts, findings }: PackVerification): TemplateResult {
    const all = Object.entries(counts);
    return html`<p class="say">
        ${icon('warn')} <strong>Differs, here.</strong> <span>${name}: what comes out of its raw replies is not what it says.</span>
        ${all.map(([kind, number]) => html`<span class="muted">${KINDS[kind] ?? kind}: ${count(number)}</span>`)}
      </p>
      <details ?open=${findings.length <= 12}>
        <summary>What differs (${findings.length > SHOWN ? `${SHOWN} of ${count(findings.length)}` : count(findings.length)})</summary>
        <div class="list" tabindex="0" role="region" aria-label="What differs">
          <table>
            <thead>
              <tr><th scope="col">What</th><th scope="col">Where</th><th scope="col">In the pack</th><th scope="col">Here</th></tr>
            </thead>
            <tbody>
              ${findings.slice(0, SHOWN).map((finding) => renderFinding(finding))}
            </tbody>
          </table>
        </div>
      </details>`;
  }
}

function renderReproduced(name: string, { files, requests, verdicts, scores, sha256 }: PackVerification): TemplateResult {
  return html`<p class="say">
      ${icon('check')} <strong>Reproduced.</strong>
      <span>${name}: ${plural(scores, 'score row')} recomputed from ${plural(verdicts, 'raw reply', 'raw replies')}, ${plural(requests, 'request')} made anew, ${plural(files, 'file')} as hashed.</span>
    </p>
    <p class="small muted">Manifest <code>${sha256}</code></p>`;
}

function renderFinding({ kind, about, sample, turn, old, new: now }: PackFinding): TemplateResult {
  const link = sample === '' ? nothing : html`<a href=${store.href({ view: 'sample', id: sample, turn, models: null, filter: NO_FILTER })}>sample ${sample}</a>: `;
  return html`<tr><th scope="row">${KINDS[kind] ?? kind}</th><td>${link}${about}</td><td>${old}</td><td>${now}</td></tr>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-pack-banner': JurorPackBanner;
  }
}
