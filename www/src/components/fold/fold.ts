/** Parts of a form that few people change: folded, with what is chosen in them in words. */
import { css, html, type TemplateResult } from 'lit';

/** A field that cannot be read. */
export class FieldError extends Error {}

/** Which parts of a form are open; kept as long as the form is. */
export class Folds {
  readonly #open = new Set<string>();

  /** Opens these parts, such as those with a field that cannot be read. */
  open(...ids: string[]): void {
    for (const id of ids) this.#open.add(id);
  }

  /** A part of a form: its title, what is chosen in it, and its fields. */
  render(id: string, title: string, chosen: string, fields: TemplateResult): TemplateResult {
    const onToggle = (event: Event): void => {
      if ((event.target as HTMLDetailsElement).open) this.#open.add(id);
      else this.#open.delete(id);
    };
    return html`<details class="fold" .open=${this.#open.has(id)} @toggle=${onToggle}>
      <summary data-testid="fold-${id}"><b>${title}</b> <span class="chosen" dir="auto">${chosen}</span></summary>
      <fieldset><legend class="visually-hidden">${title}</legend>${fields}</fieldset>
    </details>`;
  }
}

/** Words for what is chosen, without those that are empty. */
export const inWords = (...parts: readonly (string | false)[]): string => parts.filter(Boolean).join(' · ');

export const folds = css`
  .fold {
    padding-top: 12px;
    border-top: 1px solid var(--juror-line);
  }
  .fold > summary {
    overflow-wrap: anywhere;
  }
  .fold > summary .chosen {
    color: var(--juror-text-2);
    font-size: var(--juror-size-s);
  }
  .fold[open] > summary {
    margin-bottom: 12px;
  }
`;

/** The buttons that a form leads to: a phone keeps them in sight. */
export const sending = css`
  @media (max-width: 760px) {
    :host {
      padding-bottom: 56px;
    }
    .send {
      position: fixed;
      z-index: 15;
      inset: auto 0 0;
      padding: 8px var(--juror-gutter);
      border-top: 1px solid var(--juror-line);
      background: var(--juror-surface);
    }
    .send .button {
      padding-inline: 8px;
    }
    .send > .muted {
      order: -1;
      width: 100%;
    }
  }
`;
