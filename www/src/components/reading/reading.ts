import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { Query } from '../../state/query';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import type { Overview } from '../../engine/types/Overview';
import type { Tolerance } from '../../engine/types/Tolerance';
import { banner, base, controls } from '../../styles/base.styles';
import { say } from '../events';
import { icon } from '../icon/icon';
import { offerWords, readWords } from './words';

/**
 * @summary Offers the tolerant reading where the strict one refuses replies, and says what it reads where it is chosen.
 */
@customElement('juror-reading')
export class JurorReading extends LitElement {
  static override styles = [
    base,
    controls,
    banner,
    css`
      @media (max-width: 760px) {
        section {
          flex-wrap: nowrap;
          padding-block: 6px;
        }
        p {
          flex: 1;
          min-width: 0;
          overflow: hidden;
          text-overflow: ellipsis;
          white-space: nowrap;
        }
      }
    `,
  ];

  @property({ attribute: false }) overview!: Overview;

  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'engine' | 'route' | 'version'>;
  readonly #tolerance = new Query<Tolerance[]>(this);

  protected override willUpdate(): void {
    const { engine, route, version } = this.state;
    if (engine !== 'ready') return;
    const { options } = route;
    this.#tolerance.ask(`${version} ${JSON.stringify(options)}`, (signal) => this.client.tolerance(options, signal));
  }

  override render(): TemplateResult | typeof nothing {
    const tolerance = this.#tolerance.value ?? this.overview.tolerance;
    this.toggleAttribute('empty', this.#tolerance.value?.length === 0);
    this.toggleAttribute('waiting', this.#tolerance.value === null);
    if (tolerance.length === 0) return nothing;
    const isTolerant = this.overview.reading === 'tolerant';
    return html`<section role="status" data-testid="reading">
      <p title=${tolerance.map((one) => (isTolerant ? readWords(one) : offerWords(one))).join(' ')}>${icon('note', 16)} ${tolerance.map((one) => html`<span dir="auto">${isTolerant ? readWords(one) : offerWords(one)}</span> `)}</p>
      <button type="button" class="button" data-testid="choose-reading" @click=${() => say(this, 'choose', { reading: isTolerant ? 'strict' : 'tolerant' })}>
        ${isTolerant ? 'Read strictly' : 'Read tolerantly'}
      </button>
    </section>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-reading': JurorReading;
  }
}
