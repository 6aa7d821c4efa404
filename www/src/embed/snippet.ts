/** The lines that put a viewer on a page. */
import { keyLabel, mean } from '../app/format';
import type { TableData } from '../components/score-table/score-table';
import type { ScoreRow } from '../engine/types/ScoreRow';
import type { Chosen } from '../components/score-table/around';

/** What a page is to show. */
export interface Choice extends Chosen {
  /** Address of the pack, as it is written into the page. */
  pack: string;
  /** Address of the script. */
  script: string;
  theme: 'auto' | 'light' | 'dark';
  verify: 'auto' | 'ask' | 'always';
  /** The models shown; all if none is left out. */
  models: string[];
  /** Whether a table for readers without scripts goes inside. */
  table: boolean;
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The element with its script. */
export function snippet(data: TableData, choice: Choice): string {
  const names = data.models.map(({ name }) => name);
  const all = choice.models.length === 0 || names.every((name) => choice.models.includes(name));
  const shown = all ? data : { ...data, models: data.models.filter(({ name }) => choice.models.includes(name)) };
  const attributes = {
    src: choice.pack,
    view: choice.criterion !== 'total' ? `scores/${choice.scope}/${choice.criterion}` : choice.scope === '' ? '' : `scores/${choice.scope}`,
    models: all ? '' : choice.models.join(','),
    theme: choice.theme === 'auto' ? '' : choice.theme,
    verify: choice.verify === 'auto' ? '' : choice.verify,
  };
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ` ${name}="${escape(value)}"`);
  const inside = choice.table ? `\n${plainTable(shown, choice)}\n` : '';
  return `<juror-viewer${written.join('')}>${inside}</juror-viewer>\n<script src="${escape(choice.script)}" async></script>\n`;
}

/** The table in plain HTML: overall, and the groups of one scope. */
function plainTable({ benchmark, criteria, scopes, models, scores }: TableData, { scope, criterion }: Chosen): string {
  const info = criteria.find(({ id }) => id === criterion);
  const columns =
    criterion === 'all'
      ? criteria.map(({ id, short }) => ({ scope: 'overall', key: 'all', criterion: id, label: short }))
      : [
          { scope: 'overall', key: 'all', criterion, label: 'Overall' },
          ...(scopes.find((one) => one.scope === scope)?.keys ?? []).map((key) => ({ scope, key, criterion, label: keyLabel(scope, key) })),
        ];
  const rows = new Map(scores.map((row) => [keyOf(row), row]));
  const judges = [...new Set(scores.map(({ judge }) => judge))];
  const lines = models.flatMap(({ name }) => judges.filter((judge) => scores.some((row) => row.model === name && row.judge === judge)).map((judge) => ({ model: name, judge })));
  const cell = (line: { model: string; judge: string }, column: (typeof columns)[number]): string => {
    const row = rows.get(keyOf({ ...line, ...column }));
    return `<td>${row === undefined ? '–' : `${mean(row.mean, criteria.find(({ id }) => id === column.criterion))} <small>${row.n}/${row.expected}</small>`}</td>`;
  };
  const named = judges.length > 1;
  return [
    '  <table>',
    `    <caption>${escape(benchmark?.title ?? 'Scores')}: ${escape(criterion === 'all' ? 'every criterion, overall' : (info?.label ?? criterion))}; each mean with how many of the expected ${escape(benchmark?.words.units ?? 'units')} are in it</caption>`,
    `    <thead><tr><th scope="col">Model</th>${columns.map(({ label }) => `<th scope="col">${escape(label)}</th>`).join('')}</tr></thead>`,
    '    <tbody>',
    ...lines.map((line) => `      <tr><th scope="row">${escape(named ? `${line.model} (${line.judge === '' ? 'judge not stated' : line.judge})` : line.model)}</th>${columns.map((column) => cell(line, column)).join('')}</tr>`),
    '    </tbody>',
    '  </table>',
  ].join('\n');
}

const keyOf = ({ model, judge, scope, key, criterion }: Pick<ScoreRow, 'model' | 'judge' | 'scope' | 'key' | 'criterion'>): string => [model, judge, scope, key, criterion].join('\n');

/** The host of an address as a policy names it: `'self'` for one on the page's own. */
function hostOf(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    return "'self'";
  }
}

/** What a page's policy has to allow. */
export function policy({ script, pack }: Pick<Choice, 'script' | 'pack'>): string {
  return [`script-src ${hostOf(script)} 'wasm-unsafe-eval'`, 'worker-src blob:', `connect-src ${hostOf(pack)}`, 'img-src blob:'].join(';\n') + '\n';
}
