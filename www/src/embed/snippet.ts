/** The lines that put a viewer on a page. */
import { html as escape } from '../state/escape';
import { NOT_JUDGED, mean } from '../state/format';
import type { TableData } from '../components/score-table/score-table';
import { Rows, isUnjudgedRow, type Column, type Line } from '../components/score-table/shape';
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

/** Heights of a viewer with three models on a wide and on a narrow page, and of one more. */
const [WIDE_PX, NARROW_PX, LINE_PX] = [470, 655, 69];
/** Height of the line above each judge's models, where several judged. */
const JUDGE_PX = 33;

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
  // Within a block that Markdown leaves alone: it would take the element for text, and the table out of it.
  return `<div>\n<juror-viewer${written.join('')} style="display: block; min-height: ${reserve(shown, choice)}">${inside}</juror-viewer>\n<script src="${escape(choice.script)}" async></script>\n</div>\n`;
}

/** The lines of a slider between two pictures; the second ones are for readers without scripts. */
export function slider(): string {
  const attributes = 'before="input.png" after="output.png" before-label="Input" after-label="Output"';
  return `<div>\n<juror-compare ${attributes} width="1024" height="1024">\n  <img src="input.png" alt="Input"> <img src="output.png" alt="Output">\n</juror-compare>\n<script src="juror-compare.js" async></script>\n</div>\n`;
}

/** The height that the table will take, wide and narrow, so that nothing below it moves when it comes. */
function reserve(data: TableData, { scope, criterion }: Chosen): string {
  const rows = new Rows(data);
  const lines = rows.lines(rows.columns(scope, criterion));
  const blocks = rows.byJudge(lines);
  // Of the judges after the first only the heads are open.
  const open = blocks.filter(([first], at) => at === 0 || first?.judges.length === 0).flat();
  const rest = (open.length - 3) * LINE_PX + (blocks.length === 1 ? 0 : blocks.length * JUDGE_PX);
  return `clamp(${WIDE_PX + rest}px, calc(${NARROW_PX + rest}px - (100vw - 390px) * 0.3), ${NARROW_PX + rest}px)`;
}

/** The table in plain HTML: overall, and the groups of one scope. */
function plainTable(data: TableData, { scope, criterion }: Chosen): string {
  const { benchmark, criteria } = data;
  const info = criteria.find(({ id }) => id === criterion);
  const rows = new Rows(data);
  const columns = rows.columns(scope, criterion);
  const lines = rows.lines(columns);
  const cell = (line: Line, column: Column): string => {
    const row = rows.at(line, column);
    return `<td>${
      row === undefined
        ? '–'
        : `${
            isUnjudgedRow(data, row)
              ? NOT_JUDGED
              : mean(
                  row.mean,
                  criteria.find(({ id }) => id === column.criterion),
                )
          } <small>${row.n}/${row.expected}</small>`
    }</td>`;
  };
  const named = new Set(lines.map(({ judge }) => judge)).size > 1;
  return [
    '  <table>',
    `    <caption>${escape(benchmark?.title ?? 'Scores')}: ${escape(criterion === 'all' ? 'every criterion, overall' : (info?.label ?? criterion))}; each mean with how many of the expected ${escape(benchmark?.words.units ?? 'units')} are in it</caption>`,
    `    <thead><tr><th scope="col">Model</th>${columns.map(({ label }) => `<th scope="col">${escape(label)}</th>`).join('')}</tr></thead>`,
    '    <tbody>',
    ...lines.map(
      (line) =>
        `      <tr><th scope="row">${escape(named ? `${line.model} (${line.judge === '' ? 'judge not stated' : line.judge})` : line.model)}</th>${columns.map((column) => cell(line, column)).join('')}</tr>`,
    ),
    '    </tbody>',
    '  </table>',
  ].join('\n');
}

/** The host of an address as a policy names it: `'self'` for one on the page's own. */
function hostOf(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    return "'self'";
  }
}

/** Loads the script once the element before it comes near the window. */
export function late({ script }: Pick<Choice, 'script'>): string {
  return `<script>
  {
    const viewer = document.currentScript.previousElementSibling;
    new IntersectionObserver((entries, observer) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      document.head.append(Object.assign(document.createElement('script'), { src: ${JSON.stringify(script).replaceAll('<', '\\u003c')} }));
    }, { rootMargin: '600px' }).observe(viewer);
  }
</script>
`;
}

/** What a page's policy has to allow. */
export function policy({ script, pack }: Pick<Choice, 'script' | 'pack'>): string {
  return [`script-src ${hostOf(script)} 'wasm-unsafe-eval'`, 'worker-src blob:', `connect-src ${hostOf(pack)}`, 'img-src blob:'].join(';\n') + '\n';
}
