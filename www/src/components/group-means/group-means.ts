import { LitElement, css, html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { Query } from '../../state/query';
import { MIN_FOR_INTERVAL, count, interval, keyLabel, mean, plural, share, titleOf } from '../../state/format';
import type { State } from '../../state/state';
import type { EngineClient } from '../../engine/client';
import { messageOf } from '../../engine/errors';
import type { GroupMean } from '../../engine/types/GroupMean';
import type { GroupMeans } from '../../engine/types/GroupMeans';
import type { GroupMeansQuery } from '../../engine/types/GroupMeansQuery';
import type { GroupedModel } from '../../engine/types/GroupedModel';
import type { Level } from '../../engine/types/Level';
import type { Overview } from '../../engine/types/Overview';
import { base, controls } from '../../styles/base.styles';
import { figures, tables } from '../../styles/page.styles';
import { download, notify } from '../events';
import { icon } from '../icon/icon';
import { nameStyles, renderName, renderSentence } from '../name/name';
import { renderChoice, sidesStyles } from '../sides/sides';
import { isSplit } from './split';

/** Levels to choose from; none is the one that the paper gives the groups' intervals at. */
const LEVELS: readonly [string, string][] = [
  ['', 'as the paper has it, else 95 %'],
  ['90', '90 %'],
  ['95', '95 %'],
  ['99', '99 %'],
];

/**
 * @summary Each model's mean in every group of a scope, with intervals at a level, and whether the groups tell themselves apart.
 */
@customElement('juror-group-means')
export class JurorGroupMeans extends LitElement {
  static override styles = [
    base,
    controls,
    nameStyles,
    tables,
    figures,
    sidesStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 12px;
        padding: 14px 16px 16px;
      }
      ul {
        margin: 0;
        padding-left: 20px;
      }
      .outside {
        font-weight: 650;
      }
    `,
  ];

  @property({ attribute: false }) overview!: Overview;
  /** Criterion and judge in force. */
  @property() criterion = '';
  @property({ attribute: false }) judge: string | null = null;
  @property({ attribute: false }) client!: EngineClient;
  @property({ attribute: false }) state!: Pick<State, 'engine' | 'version' | 'route'>;
  readonly #means = new Query<GroupMeans>(this);
  @state() private scope = '';
  @state() private level = '';

  private get scopes(): [string, string][] {
    return this.overview.scopes.filter(isSplit).map(({ scope, label }): [string, string] => [scope, label]);
  }

  private get query(): GroupMeansQuery {
    const scope = this.scopes.find(([scope]) => scope === this.scope)?.[0] ?? this.scopes[0]?.[0] ?? '';
    const level = this.level === '' ? null : (this.level as Level);
    return { options: this.state.route.options, scope, criterion: this.criterion, judge: this.judge, level };
  }

  protected override willUpdate(): void {
    const { version, engine } = this.state;
    if (engine !== 'ready' || this.scopes.length === 0) return;
    const { query } = this;
    this.#means.ask(`${version} ${JSON.stringify(query)}`, (signal) => this.client.groupMeans(query, signal));
  }

  override render(): TemplateResult | typeof nothing {
    if (this.scopes.length === 0) return nothing;
    const words = this.overview.benchmark?.words;
    const found = this.#means.value;
    return html`<h2>One model in several groups</h2>
      <p class="small muted">
        Whether a model’s mean differs between groups of ${words?.samples ?? 'samples'} by more than chance: each mean is compared with the intervals of the other groups. ${words === undefined ? '' : `A ${words.sample} in several groups counts in each of them.`}
      </p>
      <div class="sides">
        ${renderChoice('Groups by', this.scopes, this.query.scope, (scope) => (this.scope = scope), 'by-scope')} ${renderChoice('Intervals', LEVELS, this.level, (level) => (this.level = level), 'by-level')}
        <button type="button" class="button tiny" data-testid="by-csv" ?disabled=${found === null} @click=${() => this.csv()}>${icon('download', 16)}CSV</button>
      </div>
      ${this.#means.error === null ? (found === null ? html`<p class="muted small" role="status">Computing…</p>` : this.renderFound(found)) : html`<p class="problem" role="alert">${icon('error')} ${this.#means.error.message}</p>`}`;
  }

  private renderFound(found: GroupMeans): TemplateResult {
    const words = this.overview.benchmark?.words;
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Means by group">
        <table data-testid="by-table">
          <caption>${titleOf(found.criterion)} by ${found.label.toLowerCase()}, intervals at ${found.level} %</caption>
          <thead>
            <tr><th scope="col" class="text">Model</th>${found.keys.map((key) => html`<th scope="col">${keyLabel(found.scope, key)}</th>`)}</tr>
          </thead>
          <tbody>
            ${found.models.map(
              (model) =>
                html`<tr>
                  <th scope="row">${renderName(model.model)}</th>
                  ${model.groups.map((group) => renderMean(group, found, words?.samples ?? 'samples'))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${found.keys_left_out === 0 ? nothing : html`<p class="small muted">${count(found.keys_left_out)} more groups are left out.</p>`}
      <ul class="small" data-testid="by-sentences">
        ${sentences(found.models).map(([sentence, names]) => html`<li>${renderSentence(sentence, names)}</li>`)}
      </ul>`;
  }

  private csv(): void {
    const { query } = this;
    this.client.groupMeansCsv(query).then(
      (bytes) => download(this, new Blob([bytes], { type: 'text/csv' }), 'csv', 'groups', query.scope, query.criterion),
      (error: unknown) => notify(this, 'error', `The means could not be written: ${messageOf(error)}`),
    );
  }
}

/** What is said of each model; once for all of whom the same is said, where they are many. */
function sentences(models: readonly GroupedModel[]): [sentence: string, names: string[]][] {
  const rest = ({ model, sentence }: GroupedModel): string => (sentence.startsWith(model) ? sentence.slice(model.length) : sentence);
  const same = new Map<string, GroupedModel[]>();
  for (const one of models) same.set(rest(one), [...(same.get(rest(one)) ?? []), one]);
  return [...same].flatMap(([said, all]): [string, string[]][] =>
    all.length > MOST_NAMED && said.startsWith(':') ? [[`${plural(all.length, 'model')}${said}`, []]] : all.map(({ model, sentence }) => [sentence, [model]]),
  );
}

/** So many models of whom the same is said are named. */
const MOST_NAMED = 3;

function renderMean({ mean: value, low, high, n, expected, outside }: GroupMean, { scope, criterion }: GroupMeans, samples: string): TemplateResult {
  const ends = low !== null && high !== null ? interval(low, high, criterion) : value !== null && n < MIN_FOR_INTERVAL ? 'n too small' : '–';
  const others = outside.map((key) => keyLabel(scope, key)).join(', ');
  return html`<td class=${outside.length === 0 ? nothing : 'outside'} title=${outside.length === 0 ? nothing : `Outside of the interval of ${others}`}>
    ${mean(value, criterion)}<span class="interval">${ends}</span><span class="interval">${share(n, expected, samples)}</span>
  </td>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'juror-group-means': JurorGroupMeans;
  }
}
