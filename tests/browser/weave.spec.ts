/**
 * WEAVEBench from end to end on eleven real dialogues: open, look, judge, export; and the export is the command line's.
 *
 * Two models are made of the data set itself: `perfect` hands in the data set's own pictures and answers, `blurred` small
 * and coarse copies, with a picture, an answer, two turns' replies and half a line missing.
 */
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from '../../www/node_modules/@playwright/test';
import {
  cell,
  coverage,
  type Dialogue,
  exported,
  goTo,
  juror,
  jurorScore,
  numbers,
  openFolders,
  openPage,
  overallTotal,
  present,
  REAL_DATA,
  type Report,
  showBelow,
  shownMean,
  TempFolder,
} from './helpers';
import { expect, test } from './visits';

const IMAGES = join(REAL_DATA, 'test/imgs');
const MISSING_PICTURE = 'geography_2_4.jpeg';
const MISSING_ANSWER = 'jigsaw_4_0_4.txt';
/** Two turns of dialogue 42 that nobody judged. */
const UNJUDGED = { sample: 42, turns: [1, 2] };
const JUDGE = 'manual';
const GOOD = '{"score": 4, "reasoning": "The reagents’ colours are right, the label is not."}';

let folder: TempFolder;
let result: string;
let dialogues: Dialogue[];

test.beforeAll(async ({ browser }) => {
  if (!present(REAL_DATA)) {
    test.skip(true, `${REAL_DATA} is absent`);
    return;
  }
  folder = new TempFolder();
  result = folder.at('result');
  dialogues = JSON.parse(readFileSync(join(REAL_DATA, 'test/test.json'), 'utf8')) as Dialogue[];
  const coarse = await coarseCopies(browser);
  for (const one of dialogues) writeOutputs(one, coarse);
  folder.write('result/perfect/metrics.jsonl', dialogues.map((one) => `${JSON.stringify(judged(one, 10))}\n`).join(''));
  const lines = dialogues.map((one, index) => JSON.stringify(judged(one, index % 4, UNJUDGED)));
  const last = lines.pop() ?? '';
  folder.write('result/blurred/metrics.jsonl', `${lines.join('\n')}\n${last.slice(0, last.length / 2)}`);
});

test.afterAll(() => folder?.remove());

/** Every picture, 96 pixels wide and badly compressed, drawn by the browser. */
async function coarseCopies(browser: Browser): Promise<Map<string, Buffer>> {
  const page = await browser.newPage();
  const copies = new Map<string, Buffer>();
  for (const name of readdirSync(IMAGES)) {
    const base64 = await page.evaluate(
      async (source) => {
        const bytes = Uint8Array.from(atob(source), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes]));
        const canvas = document.createElement('canvas');
        canvas.width = 96;
        canvas.height = Math.max(1, Math.round((96 * bitmap.height) / bitmap.width));
        canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
        return canvas.toDataURL('image/jpeg', 0.2).split(',')[1] ?? '';
      },
      readFileSync(join(IMAGES, name)).toString('base64'),
    );
    copies.set(name, Buffer.from(base64, 'base64'));
  }
  await page.close();
  return copies;
}

function writeOutputs({ images, chats }: Dialogue, coarse: Map<string, Buffer>): void {
  const stem = (images[0] ?? '').replace(/^imgs\//, '').replace(/\.(jpe?g|png)$/i, '');
  chats.forEach(({ role, type, content }, at) => {
    if (role !== 'assistant') return;
    if (type === 'text') {
      const name = `${stem}_${(at - 1) / 2}.txt`;
      folder.write(`result/perfect/imgs/${name}`, content);
      if (name !== MISSING_ANSWER) folder.write(`result/blurred/imgs/${name}`, 'I cannot tell.');
      return;
    }
    const number = Number(/#(\d+)/.exec(content)?.[1]);
    const name = (images[number - 1] ?? '').replace(/^imgs\//, '');
    folder.write(`result/perfect/imgs/${name}`, readFileSync(join(IMAGES, name)));
    if (name !== MISSING_PICTURE) folder.write(`result/blurred/imgs/${name}`, coarse.get(name) ?? '');
  });
}

/** A line of `metrics.jsonl`: the same score everywhere, except for turns that are left out. */
function judged({ idx, domain, chats }: Dialogue, score: number, without?: { sample: number; turns: number[] }): object {
  const verdict = (what: string) => ({ score, reasoning: `${what}: ${score} of 10, “as seen”, nothing else.` });
  const turns = chats.flatMap(({ role, type }, at) => {
    const turn = (at - 1) / 2;
    if (role !== 'assistant' || (without?.sample === idx && without.turns.includes(turn))) return [];
    const replies =
      type === 'text'
        ? { accuracy: verdict('Answer') }
        : { key_point: verdict('Key points'), visual_consistency: verdict('Consistency'), image_quality: verdict('Quality') };
    return [[`turn ${turn}`, replies]];
  });
  return { idx, domain, ...Object.fromEntries(turns) };
}

async function openAll(page: Page): Promise<void> {
  await openPage(page);
  await openFolders(page, [REAL_DATA, result]);
}

/** The words of an incident begin with where its reply stands, which is the one thing that pasting and a journal tell apart. */
function withoutSource(report: Report): Report {
  return { ...report, incidents: report.incidents.map((one) => ({ ...one, detail: one.detail.replace(/^(pasted|journal\.jsonl:\d+): /, '') })) };
}

const verdictOf = (output: Locator, criterion: string) => output.locator(`li.verdict[data-criterion="${criterion}"]`);

/** One model's answer in one turn of the sample that is shown. */
function outputOf(page: Page, turn: number, model: string): Locator {
  return page.locator(`juror-turn[data-turn="${turn}"] juror-output`).filter({ has: page.getByRole('heading', { name: model, exact: true }) });
}

async function openRequest(page: Page, turn: number, model: string, criterion: string): Promise<Locator> {
  await verdictOf(outputOf(page, turn, model), criterion)
    .first()
    .getByTestId('open-request')
    .click();
  const dialog = page.getByTestId('request-dialog');
  await expect(dialog.getByTestId('copy-prompt')).toBeVisible();
  return dialog;
}

test('the two models get the scores that were written for them, with everything missing in view', async ({ page }) => {
  await openAll(page);
  const report = jurorScore([REAL_DATA, result]);
  expect(overallTotal(report, 'perfect')).toBe('1.000');
  for (const model of ['perfect', 'blurred']) await expect(shownMean(page, model)).toHaveText(overallTotal(report, model));
  const turns = dialogues.reduce((sum, { chats }) => sum + chats.length / 2, 0);
  await expect(coverage(page, 'perfect')).toHaveText(`${turns}/${turns}`);

  await showBelow(page, 'incidents');
  const incidents = (kind: string) => page.locator(`[data-testid="incident"][data-kind="${kind}"] td`);
  const of = (model: string, kind: string) => String(report.incidents.filter((one) => one.model === model && one.kind === kind).length);
  await expect(incidents('missing_output')).toHaveText(['2 outputs4 scores', '0']);
  await expect(incidents('missing_reply')).toHaveText(
    ['blurred', 'perfect'].map((model) => (of(model, 'missing_reply') === '0' ? '0' : `${of(model, 'missing_reply')} scores`)),
  );
  expect(of('perfect', 'missing_output')).toBe('0');
  // One picture with three criteria and one answer with one.
  expect(of('blurred', 'missing_output')).toBe('4');
  // Two turns with three criteria, and the ten of the last dialogue, whose line was cut in half.
  expect(of('blurred', 'missing_reply')).toBe('16');
  await showBelow(page, 'files');
  const half = page.locator('[data-testid="problem"][data-code="bad_line"]');
  await expect(half).toContainText('result/blurred/metrics.jsonl');
  await expect(half).toContainText(`line ${dialogues.length}`);
});

test('a dialogue can be walked from turn to turn and on to the next one', async ({ page }) => {
  await openAll(page);
  await page.getByRole('link', { name: 'Samples', exact: true }).click();
  // Rows far out of sight are not drawn.
  await expect(page.locator('juror-samples .count')).toContainText(`${dialogues.length} of ${dialogues.length} dialogues`);
  const [first, second] = dialogues;
  if (first === undefined || second === undefined) throw new Error('The data set has fewer than two dialogues.');
  await page.getByTestId('sample-row').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Sample ${first.idx}`);

  const turns = page.getByTestId('turn');
  await expect(turns).toHaveCount(first.chats.length / 2);
  for (let turn = 0; turn < first.chats.length / 2; turn += 1) {
    await expect(turns.nth(turn).locator('.said')).toHaveText(first.chats[2 * turn]?.content ?? '');
  }
  const answer = first.chats.at(-1)?.content ?? '';
  await expect(outputOf(page, first.chats.length / 2 - 1, 'perfect').locator('.answer')).toHaveText(answer);
  await expect(outputOf(page, 0, 'perfect').locator('juror-picture img')).toBeVisible();
  await expect(verdictOf(outputOf(page, 0, 'perfect'), 'key_point')).toContainText('10/10');

  await page.keyboard.press('j');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Sample ${second.idx}`);
  await expect(outputOf(page, 4, 'blurred')).toContainText(MISSING_ANSWER);
  await page.keyboard.press('j');
  await expect(outputOf(page, 2, 'blurred')).toContainText(MISSING_PICTURE);
});

test('the prompt that is copied is the one that is shown, with a place for every picture', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openAll(page);
  await goTo(page, '#/sample/3');
  const dialog = await openRequest(page, 1, 'perfect', 'key_point');
  await dialog.getByTestId('copy-prompt').click();
  // The answer is in the button: a message of the page would lie behind the dialog.
  await expect(page.getByTestId('copy-prompt')).toContainText('Prompt copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const shown = await dialog
    .locator('juror-parts')
    .evaluate((parts) =>
      [...(parts.shadowRoot?.querySelectorAll('pre, .image .path') ?? [])].map((one) => ({ picture: one.tagName !== 'PRE', text: one.textContent ?? '' })),
    );
  const pieces = copied.split(/(\[picture \d+: [^\]]+\])/).map((piece) => piece.replace(/^\n+|\n+$/g, ''));
  const pictures = shown.filter(({ picture }) => picture);
  expect(pictures.length).toBeGreaterThan(0);
  let place = 0;
  const expected = shown.map(({ picture, text }) => {
    if (!picture) return text;
    place += 1;
    return `[picture ${place}: ${text.slice(text.lastIndexOf('/') + 1)}]`;
  });
  expect(pieces.filter((piece) => piece.trim() !== '')).toEqual(expected);
  expect(pictures.map(({ text }) => text)).toContain('result/perfect/imgs/chess_2199_2.jpg');

  // The command line writes the same text for the same request.
  const out = folder.at('requests.txt');
  juror(['requests', REAL_DATA, result, '--engine', 'text', '--model', 'perfect', '--out', out]);
  const hash = (await dialog.locator('.hash').textContent())?.trim() ?? '';
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(readFileSync(out, 'utf8')).toContain(hash);
});

test('a malformed reply is refused in words and stays; a good one counts', async ({ page }) => {
  await openAll(page);
  await goTo(page, `#/sample/${UNJUDGED.sample}`);
  const [turn = 0] = UNJUDGED.turns;
  const verdict = verdictOf(outputOf(page, turn, 'blurred'), 'key_point');
  await expect(verdict).toHaveAttribute('data-status', 'missing_reply');
  const dialog = await openRequest(page, turn, 'blurred', 'key_point');
  const [area, status] = [dialog.getByTestId('paste-text'), dialog.getByTestId('paste-status')];

  const malformed = 'I would give it a 4 because the label is wrong.';
  await area.fill(malformed);
  await expect(status).toHaveAttribute('data-status', 'incident');
  await expect(status).toContainText(/Strict reading: .*JSON/);
  await dialog.getByTestId('paste-save').click();
  await expect(dialog.getByRole('alert')).toContainText('Not saved');
  await expect(area).toHaveValue(malformed);

  await area.fill('{"score": 14, "reasoning": "More than all."}');
  await expect(status).toContainText(/14/);
  await expect(status).toHaveAttribute('data-status', 'incident');

  await area.fill(GOOD);
  await expect(status).toHaveAttribute('data-status', 'ok');
  await dialog.getByTestId('paste-save').click();
  await expect(status).toContainText('Saved');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  const saved = verdict.filter({ hasText: '4/10' });
  await expect(saved).toHaveAttribute('data-status', 'ok');
  await expect(saved).toContainText('The reagents’ colours are right');

  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page
    .locator('juror-overview label')
    .filter({ hasText: /^\s*KP\s*$/ })
    .click();
  // One reply beside another judge's many: in the table, and told as a part.
  await page
    .getByTestId('judge-block')
    .getByRole('button', { name: `Judge ${JUDGE}` })
    .click();
  const mine = cell(page, 'blurred', 0, JUDGE);
  const scored = coverage(page, 'blurred', JUDGE);
  const partial = page.getByTestId('partial-judge');
  await expect(partial).toContainText(/manual replied in part only: its means are over this part \(1 of \d+ requests for blurred\)/);
  await expect(mine).toHaveCount(1);
  await partial.getByRole('button').click();
  const pictureTurns = dialogues.flatMap(({ chats }) => chats).filter(({ role, type }) => role === 'assistant' && type === 'image').length;
  // The missing picture counts 0 beside the one reply, until missing outputs are left out.
  await expect(scored).toHaveText(`2/${pictureTurns}`);
  await expect(mine.locator('.mean')).toHaveText('0.200');
  await page.getByLabel(/^Policy/).selectOption('exclude');
  await expect(scored).toHaveText(`1/${pictureTurns}`);
  await expect(mine.locator('.mean')).toHaveText('0.400');
});

for (const [profile, arguments_] of [
  ['paper', []],
  ['released', ['--profile', 'released']],
] as const) {
  test(`the downloaded report is juror score’s to the byte (${profile})`, async ({ page }) => {
    await openAll(page);
    await page.getByTestId(`profile-${profile}`).check();
    for (const [format, what] of [
      ['json', 'export-json'],
      ['csv', 'export-csv'],
    ] as const) {
      const expected = juror(['score', REAL_DATA, result, ...arguments_, '--format', format]);
      const downloaded = await exported(page, what);
      expect(downloaded.length).toBeGreaterThan(1000);
      expect(downloaded.toString('utf8')).toBe(expected.toString('utf8'));
      expect(downloaded.equals(expected)).toBe(true);
    }
  });
}

test('one reply changed in metrics.jsonl makes another report', async ({ page }) => {
  await openAll(page);
  const downloaded = await exported(page, 'export-json');
  const other = new TempFolder();
  try {
    for (const model of ['perfect', 'blurred']) {
      const text = readFileSync(join(result, model, 'metrics.jsonl'), 'utf8');
      const changed = model === 'perfect' ? text.replace('"score":10', '"score":9') : text;
      other.write(`result/${model}/metrics.jsonl`, changed);
      cpSync(join(result, model, 'imgs'), other.at(`result/${model}/imgs`), { recursive: true });
    }
    const reports = [downloaded, juror(['score', REAL_DATA, other.at('result')])].map((bytes) => JSON.parse(bytes.toString('utf8')) as Report);
    const [same, changed] = reports;
    if (same === undefined || changed === undefined) throw new Error('There is no report.');
    expect(overallTotal(same, 'blurred')).toBe(overallTotal(changed, 'blurred'));
    expect(changed.samples).not.toEqual(same.samples);
    expect(changed.scores).not.toEqual(same.scores);
    const differing = same.samples.filter((row, at) => row.score !== changed.samples[at]?.score);
    expect(differing).toHaveLength(1);
    expect(differing[0]).toMatchObject({ model: 'perfect', score: 10 });
  } finally {
    other.remove();
  }
});

test('with pasted replies the report is that of juror score with the exported journal', async ({ page }) => {
  await openAll(page);
  await goTo(page, `#/sample/${UNJUDGED.sample}`);
  const replies = [
    [1, 'key_point', GOOD],
    [1, 'image_quality', '```json\n{"score": 0, "reasoning": "Blocks everywhere."}\n```'],
    [2, 'visual_consistency', 'No verdict at all.'],
  ] as const;
  for (const [turn, criterion, text] of replies) {
    const dialog = await openRequest(page, turn, 'blurred', criterion);
    await dialog.getByTestId('paste-text').fill(text);
    await expect(dialog.getByTestId('paste-status')).not.toHaveAttribute('data-status', 'none');
    await dialog.getByTestId(text === replies[2][2] ? 'paste-keep' : 'paste-save').click();
    await expect(dialog.getByTestId('paste-status')).toContainText(/Saved|Kept/);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  const journal = folder.write('journal.jsonl', await exported(page, 'export-journal'));
  expect(readFileSync(journal, 'utf8').trim().split('\n')).toHaveLength(replies.length);
  const alone = ['--judge', JUDGE];
  await page.getByTestId('partial-judge').getByRole('button').click();
  const before = jurorScore([REAL_DATA, result]);
  for (const profile of ['paper', 'released'] as const) {
    await page.getByTestId(`profile-${profile}`).check();
    const downloaded = JSON.parse((await exported(page, 'export-json')).toString('utf8')) as Report;
    const expected = jurorScore([REAL_DATA, result], '--replies', journal, '--profile', profile, ...alone);
    expect(numbers(withoutSource(downloaded))).toEqual(numbers(withoutSource(expected)));
    expect(downloaded.samples).not.toEqual(before.samples);
    const csv = (await exported(page, 'export-csv')).toString('utf8');
    expect(csv).toBe(juror(['score', REAL_DATA, result, '--replies', journal, '--profile', profile, ...alone, '--format', 'csv']).toString('utf8'));
  }
});
