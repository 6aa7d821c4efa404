import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { count, plural } from '../../app/format';
import { NO_FILTER, terms } from '../../app/router';
import { store } from '../../app/store';
import { vars } from '../../app/vars';
import type { ModelSummary } from '../../engine/types/ModelSummary';
import { base, controls, meter } from '../../styles/base.styles';

/** Reply files named; some benchmarks have one per sample. */
const MAX_FILES = 3;
const MODES: Record<string, string> = { img: 'pictures', txt: 'texts', umm: 'pictures and texts' };

/**
 * @summary What was found of each model: outputs, answers, scores, judges, reply files.
 */
@customElement('juror-models')
export class JurorModels extends LitElement {
  static override styles = [
    base,
    controls,
    meter,
    css`
      ul.models {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 280px), 1fr));
        gap: 12px;
      }
      li.model {
        display: grid;
        align-content: start;
        gap: 10px;
        padding: 14px 16px;
      }
      .head {
        display: flex;
        align-items: baseline;
        gap: 8px;
        flex-wrap: wrap;
      }
      h3 {
        overflow-wrap: anywhere;
      }
      .meters {
        display: grid;
        gap: 6px;
      }
      .meters div {
        display: grid;
        grid-template-columns: 1fr auto;
        gap: 2px 8px;
      }
      dt {
        color: var(--juror-text-2);
      }
      .part {
        color: var(--juror-warn);
        font-weight: 600;
      }
      .meter {
        --meter-height: 4px;
        grid-column: 1 / -1;
      }
      .source {
        color: var(--juror-text-3);
        font-size: var(--juror-size-s);
      }
    `,
  ];

  @property({ attribute: false }) models: ModelSummary[] = [];
  /** Whether models may be judged on pictures, on texts or on both. */
  @property({ type: Boolean }) modes = false;

  override render(): TemplateResult {
    return html`<ul class="models">
      ${this.models.map((model) => this.renderModel(model))}
    </ul>`;
  }

  private renderModel(model: ModelSummary): TemplateResult {
    const incidents = store.href({ view: 'samples', filter: { ...NO_FILTER, q: terms({ incident: 'any', model: model.name }) } });
    const judges = model.judges.filter((judge) => judge !== '');
    return html`<li class="model panel">
      <div class="head">
        <h3 dir="auto">${model.name}</h3>
        ${!this.modes || model.mode === '' ? nothing : html`<span class="chip" title="Judged on ${MODES[model.mode] ?? model.mode}">${model.mode}</span>`}
        <span class="spacer"></span>
        ${model.incidents === 0 ? nothing : html`<a class="small" href=${incidents}>${count(model.incidents)} incident${model.incidents === 1 ? '' : 's'}</a>`}
      </div>
      <dl class="meters">
        ${renderMeter('Pictures', model.pictures, model.pictures_expected)} ${renderMeter('Text answers', model.answers, model.answers_expected)}
        ${renderMeter('Replies read', model.scored, model.expected)}
      </dl>
      ${model.is_unjudged ? html`<p data-testid="not-judged">${model.has_unread_replies ? html`<strong>Replies could not be opened</strong>: see the message at the top.` : html`<strong>Not judged</strong>: there is no reply yet, so there is no score.`}</p>` : nothing}
      ${!model.is_unjudged && model.has_unread_replies ? html`<p data-testid="unread-replies">Some reply files could not be opened; what is in them is left out.</p>` : nothing}
      ${(model.unread_outputs ?? 0) > 0 ? html`<p data-testid="unread-outputs">${plural(model.unread_outputs ?? 0, 'output', 'outputs')} could not be opened and ${model.unread_outputs === 1 ? 'is' : 'are'} left out.</p>` : nothing}
      <p class="source">
        ${judges.length === 0 ? 'Judge not stated' : html`Judged by ${judges.join(', ')}`}${model.reply_files.length === 0
          ? '; no reply file'
          : html`; replies from <span class="path">${model.reply_files.slice(0, MAX_FILES).join(', ')}</span>${model.reply_files.length > MAX_FILES ? ` and ${count(model.reply_files.length - MAX_FILES)} more files` : ''}`}
      </p>
    </li>`;
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
