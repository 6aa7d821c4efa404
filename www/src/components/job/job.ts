/** The panel of a job that calls a service: how far it is, what it cost, what was given up, and how it is stopped. */
import { html, nothing, type TemplateResult } from 'lit';
import { count, plural } from '../../state/format';
import type { RunState } from '../../engine/types/RunState';
import type { JobProgress } from '../../engine/types/JobProgress';
import { icon } from '../icon/icon';
import { renderMeter } from '../meter/meter';

/** What is told of an incident besides its kind and message. */
interface IncidentText {
  kind: string;
  message: string;
}

/** A job in the words of its view. */
export interface JobWords<Incident extends IncidentText> {
  /** Of the panel. */
  testId: string;
  /** What the test ids inside begin with. */
  prefix: string;
  /** What it does, while it does it: `Judging`. */
  doing: string;
  /** What is told of the calls that have an answer: `Answered`. */
  answered: string;
  /** What is told of those that were given up: `Given up`. */
  failed?: string;
  /** What is told of those under way, where none is tried again. */
  underWay?: string;
  /** The meter's name: `Requests ended`. */
  ended: string;
  /** How many were given up: `3 requests`. */
  calls: (number: number) => string;
  /** What was given up. */
  place: (incident: Incident) => TemplateResult | string;
  control: (what: 'pause' | 'resume' | 'cancel') => void;
  /** A rate in words, where that is none of answers a minute. */
  rate?: (perMinute: number) => string;
  /** Further figures. */
  facts?: TemplateResult;
  /** Further buttons. */
  buttons?: TemplateResult;
}

/** What is said where a browser cannot keep two tabs from doing the same. */
export const UNSURE = 'This browser cannot tell Juror whether another tab runs the same job. Start it in one tab only, or you pay twice.';

/** The panel; its style is that of the Judge view. */
export function renderJob<Incident extends IncidentText>(
  { progress, incidents, isElsewhere = false }: RunState<Incident>,
  words: JobWords<Incident>,
): TemplateResult {
  const { paused, finished, stopped } = progress;
  return html`<section class="panel plan" aria-label="Job" data-testid=${words.testId}>
    <h2 tabindex="-1">${finished ? (stopped === null ? 'Done' : 'Stopped') : paused ? 'Paused' : words.doing}${isElsewhere ? ' in another tab' : ''}</h2>
    ${renderMeter(words.ended, progress.answered + progress.failed, progress.total)}
    ${stopped === null ? nothing : html`<p class="problem" role="alert">${icon('warn', 16)} ${stopped}</p>`}
    ${finished || progress.wait_note === null ? nothing : html`<p class="problem" role="status" data-testid="${words.prefix}-wait">${icon('warn', 16)} ${progress.wait_note}</p>`}
    ${renderFacts(progress, words)}
    ${
      finished || isElsewhere
        ? nothing
        : html`<div class="toolbar">
          ${
            paused
              ? html`<button type="button" class="button" @click=${() => words.control('resume')}>Resume</button>`
              : html`<button type="button" class="button" @click=${() => words.control('pause')}>Pause</button>`
          }
          <button type="button" class="button" @click=${() => words.control('cancel')}>Stop</button>
        </div>`
    }
    ${words.buttons ?? nothing}
    ${incidents.length === 0 ? nothing : renderIncidents(incidents, words)}
  </section>`;
}

function renderFacts<Incident extends IncidentText>(progress: JobProgress, words: JobWords<Incident>): TemplateResult {
  const left = progress.secs_left;
  return html`<dl class="facts" aria-live="polite">
    <div><dt>${words.answered}</dt><dd class="num" data-testid="${words.prefix}-answered">${count(progress.answered)} of ${count(progress.total)}</dd></div>
    <div><dt>${words.failed ?? 'Given up'}</dt><dd class="num" data-testid="${words.prefix}-failed">${count(progress.failed)}</dd></div>
    ${
      words.underWay === undefined
        ? html`<div><dt>In flight, to be retried</dt><dd class="num">${count(progress.sent)}, ${count(progress.waiting)}</dd></div>`
        : html`<div><dt>${words.underWay}</dt><dd class="num">${count(progress.sent)}</dd></div>`
    }
    ${
      progress.retries === 0
        ? nothing
        : html`<div><dt>Repeated attempts</dt><dd class="num">${count(progress.retries)} (${Object.entries(progress.failures)
            .map(([kind, times]) => `${kind.replaceAll('_', ' ')} ${times}`)
            .join(', ')})</dd></div>`
    }
    ${words.facts ?? nothing}
    ${
      progress.spent === 0 && progress.reserved === 0
        ? nothing
        : html`<div><dt>Spent${progress.finished ? '' : ', set aside for calls under way'}</dt><dd class="num" data-testid="${words.prefix}-spent">${progress.spent.toFixed(4)}${progress.finished ? '' : `, ${progress.reserved.toFixed(4)}`}</dd></div>`
    }
    ${progress.uncounted === 0 ? nothing : html`<div><dt>Estimated</dt><dd data-testid="${words.prefix}-uncounted">${plural(progress.uncounted, 'answer')} whose tokens the service did not count</dd></div>`}
    ${progress.implausible === 0 ? nothing : html`<div><dt>Counts ignored</dt><dd data-testid="${words.prefix}-implausible">${plural(progress.implausible, 'answer')} with implausible token counts; the estimate is used instead</dd></div>`}
    ${progress.finished || left === null ? nothing : html`<div><dt>Rate, time left</dt><dd class="num" data-testid="${words.prefix}-rate">${words.rate?.(progress.per_minute) ?? `${progress.per_minute.toFixed(0)} a minute`}, ${left < 90 ? `${Math.ceil(left)} s` : `${Math.ceil(left / 60)} min`}</dd></div>`}
  </dl>`;
}

function renderIncidents<Incident extends IncidentText>(incidents: readonly Incident[], words: JobWords<Incident>): TemplateResult {
  return html`<details open>
    <summary>${words.calls(incidents.length)} ${words.failed?.toLowerCase() ?? 'given up'}</summary>
    <ul class="incidents">
      ${[...incidents].reverse().map((one) => html`<li><b>${one.kind.replaceAll('_', ' ')}</b> ${words.place(one)}<br /><span class="muted">${one.message}</span></li>`)}
    </ul>
  </details>`;
}
