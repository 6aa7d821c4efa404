/** What became of recomputing a pack, in words and with the list of what differs. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { count, plural } from '../../state/format';
import type { PackFinding } from '../../engine/types/PackFinding';
import type { PackSignature } from '../../engine/types/PackSignature';
import type { PackVerification } from '../../engine/types/PackVerification';
import { icon } from '../icon/icon';
import '../signed-key/signed-key';

/** Leads to a sample, and a turn of it. */
export type LinkTo = (sample: string, turn: number | null) => TemplateResult;

const KINDS: Record<string, string> = {
  setting: 'Setting',
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
  report: 'Report',
  renamed_entry: 'Names',
  row: 'Row as it is written',
  measure: 'Measured value',
  signature: 'Signature',
  outside: 'Outside its files',
};
/** Findings that are shown at once; the command line lists more. */
const SHOWN = 100;

export const verificationStyles = css`
  .say {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 8px;
    margin: 0;
  }
  /* Told by its icon and words first, and then by its colour. */
  .verdict {
    flex-wrap: nowrap;
    align-items: flex-start;
    padding: 8px 12px;
    border-inline-start: 4px solid;
    border-radius: var(--juror-radius);
    overflow-wrap: anywhere;
  }
  .verdict > .icon {
    flex: none;
    margin-top: 2px;
  }
  .verdict.good {
    border-color: var(--juror-good);
    background: var(--juror-good-soft);
  }
  .verdict.bad {
    border-color: var(--juror-bad);
    background: var(--juror-bad-soft);
  }
  .verdict.good > .icon,
  .verdict.good strong {
    color: var(--juror-good);
  }
  .verdict.bad > .icon,
  .verdict.bad strong {
    color: var(--juror-bad);
  }
  .verdict .muted {
    color: var(--juror-text-2);
  }
  .list {
    max-height: 40vh;
    overflow: auto;
  }
  .list table {
    width: 100%;
    min-width: 34rem;
    border-collapse: collapse;
    font-size: var(--juror-size-s);
  }
  .list th,
  .list td {
    padding: 4px 8px;
    border-top: 1px solid var(--juror-line);
    text-align: start;
    vertical-align: top;
    overflow-wrap: anywhere;
  }
`;

/** What became of recomputing a pack, in words, and how far that reaches. */
export function renderVerdict(name: string, verification: PackVerification, linkTo: LinkTo): TemplateResult {
  const { reproduced, counts, covered, signed } = verification;
  const verdict = reproduced
    ? renderReproduced(name, verification)
    : Object.keys(counts).length === 0
      ? renderUndecoded(name, verification)
      : renderDiffers(name, verification, linkTo);
  return html`${verdict}<p class="small muted" data-testid="coverage">${covered}</p>${signed === null ? nothing : renderSignature(signed, 'signature' in counts)}`;
}

/** Who let it pass: that says nothing of whether it reproduces, so it stands by itself. */
const renderSignature = ({ key, problem }: PackSignature, isWrong: boolean): TemplateResult =>
  html`<p class="say small signed" data-testid="signature">
    ${icon(isWrong ? 'warn' : 'note', 16)}
    ${problem === '' ? html`<span>Signed by <juror-signed-key .key=${key}></juror-signed-key></span>` : html`<span>${isWrong ? html`<strong>Wrong signature.</strong> ` : nothing}${problem}</span>`}
  </p>`;

/** Nothing differs, but pictures could not be decoded: that is less than reproduced. */
function renderUndecoded(name: string, { reason }: PackVerification): TemplateResult {
  return html`<p class="say verdict bad">${icon('warn')} <span><strong>Not reproduced.</strong> <bdi>${name}</bdi>: ${reason}</span></p>`;
}

/** The findings, by kind and one by one. */
function renderDiffers(name: string, { counts, findings, reason }: PackVerification, linkTo: LinkTo): TemplateResult {
  const all = Object.entries(counts).map(([kind, number]) => `${KINDS[kind] ?? kind}: ${count(number)}`);
  return html`<p class="say verdict bad">
      ${icon('error')} <span><strong>Does not reproduce.</strong> <bdi>${name}</bdi>: ${reason} <span class="muted">${all.join(' · ')}</span></span>
    </p>
    <details ?open=${findings.length <= 12}>
      <summary>What differs (${findings.length > SHOWN ? `${SHOWN} of ${count(findings.length)}` : count(findings.length)})</summary>
      ${renderFindings('What differs', ['In the pack', 'Here'], findings.slice(0, SHOWN), linkTo)}
    </details>`;
}

/** Findings with links to their samples; `sides` head the columns of both values. */
export function renderFindings(label: string, sides: [string, string], findings: readonly PackFinding[], linkTo: LinkTo): TemplateResult {
  return renderChanges(
    label,
    ['What', 'Where', ...sides],
    findings.map((finding) => renderFinding(finding, linkTo)),
  );
}

/** A table that scrolls by itself. */
export function renderChanges(label: string, titles: string[], rows: TemplateResult[]): TemplateResult {
  return html`<div class="list" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** What was recomputed. */
function renderReproduced(name: string, verification: PackVerification): TemplateResult {
  return html`<p class="say verdict good">${icon('check')} <span><strong>Reproduced.</strong> ${reproducedWords(name, verification)}</span></p>
    <p class="small muted">Manifest <code>${verification.sha256}</code></p>`;
}

/** What was recomputed, in a sentence. */
export function reproducedWords(
  name: string,
  { files, requests, verdicts, scores }: Pick<PackVerification, 'files' | 'requests' | 'verdicts' | 'scores'>,
): string {
  return `${name}: ${plural(scores, 'score row')} recomputed from ${plural(verdicts, 'raw reply', 'raw replies')}, ${plural(requests, 'request')} rebuilt, ${plural(files, 'file')} as hashed.`;
}

function renderFinding({ kind, about, sample, turn, old, new: now }: PackFinding, linkTo: LinkTo): TemplateResult {
  const link = sample === '' ? nothing : html`${linkTo(sample, turn)}: `;
  return html`<tr><th scope="row">${KINDS[kind] ?? kind}</th><td dir="auto">${link}${about}</td><td dir="auto">${old}</td><td dir="auto">${now}</td></tr>`;
}
