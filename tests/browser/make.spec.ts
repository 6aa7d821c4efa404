/** Benchmarks are made in the page: begun, answered, decided by keys, kept over a reload, and equal to the command line's to the byte. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Page } from '../../www/node_modules/@playwright/test';
import { SCHEMES, axe } from './axe';
import { still } from './gates';
import { CLI, TempFolder, pngOf } from './helpers';
import { expect, test } from './visits';
import { unzip } from './zip';

let folder: TempFolder;
test.beforeEach(() => {
  folder = new TempFolder();
});
test.afterEach(() => folder.remove());

/** A picture with a bright square, so that it has edges. */
function square(width: number, height: number, grey: number): Buffer {
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: 3 * width }, (_, at) => (at >= 12 && at < 24 && y >= 4 && y < 8 ? grey : 0)),
  ]);
  return pngOf(width, height, deflateSync(Uint8Array.from(rows.flat())));
}

const juror = (...args: string[]): string => execFileSync(CLI, args, { encoding: 'utf8', cwd: folder.path });

async function open(page: Page): Promise<void> {
  await page.goto('./#/make?bench=none');
  await page.waitForSelector('html[data-engine="ready"]');
  await expect(page.getByTestId('make-busy')).toHaveCount(0);
}

/** The page's folder, written to disk. */
async function saved(page: Page, name: string): Promise<void> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('make-zip').click()]);
  for (const { name: path, data } of unzip(readFileSync(await file.path()))) {
    const to = join(folder.at(name), path.replace(/^made\//, ''));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, data);
  }
}

const text = (path: string): string => readFileSync(folder.at(path), 'utf8');

test('RefBlend: ratings are brought, a reference is rejected by a key, nothing is lost, and the files are those of the command line', async ({ page }) => {
  for (const [at, id] of ['a', 'b'].entries()) {
    folder.write(`in/original/${id}.png`, square(20, 16, 200 + at));
    folder.write(`in/depth/${id}.png`, square(20, 16, 100 + at));
    folder.write(`in/subject/${id}.png`, square(9, 9, 150));
    folder.write(`in/caption/${id}.txt`, 'A square.');
    // What a Mac leaves is no original.
    folder.write(`in/original/._${id}.png`, Buffer.from([0, 5, 22, 7]));
    // No mask of an original's size.
    folder.write(`in/mask/${id}.png`, square(8, 8, 255));
  }
  await open(page);
  await page.getByTestId('make-rate').check();
  await page.getByTestId('make-seed').fill('9');
  await page.getByTestId('make-rewrite').check();
  folder.write('voices.txt', 'a sailor\n一位园丁\n');
  await page.getByTestId('make-voices').setInputFiles(folder.at('voices.txt'));
  await page.getByTestId('make-source').setInputFiles(folder.at('in'));
  await expect(page.getByTestId('make-progress')).toContainText('expected the original');
  // The folder of the command line begins with the same bytes.
  juror('make', 'refblend', 'in', '--rate', '--rewrite', '--personas', 'voices.txt', '--seed', '9', '--out', 'begun');
  await saved(page, 'first');
  expect(text('first/juror-make.json')).toBe(text('begun/juror-make.json'));
  expect(readFileSync(folder.at('first/images/canny/a.png')).equals(readFileSync(folder.at('begun/images/canny/a.png')))).toBe(true);

  const due = page.getByTestId('make-due');
  await expect(due).toHaveText('1 of 8');
  await page.getByTestId('make-name').fill('ann');
  await expect(page.getByTestId('make-calls').locator('img').first()).toBeVisible();
  await page.getByTestId('make-reply').fill('Rather good.');
  await page.getByTestId('make-keep').click();
  // It is said what it lacks before a try is spent.
  await expect(page.getByTestId('make-lack')).toContainText('The reply has no JSON object.');
  await expect(page.getByTestId('make-calls').locator('h3')).not.toContainText('try 2');
  await page.getByTestId('make-keep-anyway').click();
  await expect(page.getByTestId('make-calls').locator('h3')).toContainText('try 2');
  await expect(page.getByTestId('make-calls')).toContainText('The last reply could not be used: The reply has no JSON object.');
  const rating = '{"alignment": 4, "quality": 3, "reason": "fine"}';
  for (const left of [7, 6]) {
    await page.getByTestId('make-reply').fill(rating);
    await page.getByTestId('make-keep').click();
    await expect(due).toHaveText(`1 of ${left}`);
  }
  await page.reload();
  await page.waitForSelector('html[data-engine="ready"]');
  for (const left of [5, 4, 3, 2, 1]) {
    await page.getByTestId('make-reply').fill(rating);
    await page.getByTestId('make-keep').click();
    await expect(due).toHaveText(`1 of ${left}`);
  }
  await page.getByTestId('make-reply').fill(rating);
  await page.getByTestId('make-keep').click();
  // Then each instruction is rewritten in one of the voices.
  for (const left of [2, 1]) {
    await expect(due).toHaveText(`1 of ${left}`);
    const asked = (await page.getByTestId('make-calls').locator('pre').last().textContent()) ?? '';
    expect(asked).toMatch(/Write in the voice of (a sailor|一位园丁)\./);
    await page.getByTestId('make-reply').fill(asked.split('The text:\n')[1]?.split('\n\nAnswer')[0] ?? '');
    await page.getByTestId('make-keep').click();
  }
  await expect(page.getByTestId('make-calls')).toContainText('None');
  await expect(page.getByTestId('make-samples')).toHaveText('2');

  // By keys alone, once a name is there.
  const thing = page.getByTestId('make-thing');
  await page.getByTestId('make-name').fill('ann');
  await page.getByRole('heading', { level: 1 }).focus();
  const first = (await thing.textContent()) ?? '';
  await page.keyboard.press('j');
  await expect(thing).not.toHaveText(first);
  await page.keyboard.press('k');
  await page.keyboard.press('r');
  await page.keyboard.press('k');
  await expect(thing).toHaveText(first);
  await expect(page.getByTestId('make-verdict')).toHaveText('Rejected by ann');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await still(page);
  expect((await axe(page).analyze()).violations).toEqual([]);

  await saved(page, 'page');
  const made = text('page/benchmark.json');
  juror('make', 'refblend', '--out', 'page');
  expect(text('page/benchmark.json')).toBe(made);
  // What was rejected made another sample of the other original's types, whose instruction is not rewritten yet.
  expect(juror('make', 'progress', 'page')).toContain("Samples in the benchmark's files: 1.");
  // What was saved is carried on by another browser as well.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByTestId('make-forget').click();
  await page.getByTestId('make-open').setInputFiles(folder.at('page'));
  await expect(page.getByTestId('make-samples')).toHaveText('1');
  // And so is the ZIP itself, and the project file alone, which has no pictures.
  const [zip] = await Promise.all([page.waitForEvent('download'), page.getByTestId('make-zip').click()]);
  await zip.saveAs(folder.at('made.zip'));
  await page.getByTestId('make-forget').click();
  folder.write('broken.zip', readFileSync(folder.at('made.zip')).subarray(0, 400));
  await page.getByTestId('make-open-file').setInputFiles(folder.at('broken.zip'));
  await expect(page.getByTestId('make-problem')).toContainText('its end is cut off');
  await page.getByTestId('make-open-file').setInputFiles(folder.at('page/juror-make.json'));
  await expect(page.getByTestId('make-samples')).toHaveText('1');
  await expect(page.getByTestId('make-things')).toContainText('is not in the project’s folder');
  await page.getByTestId('make-forget').click();
  await page.getByTestId('make-open-file').setInputFiles(folder.at('made.zip'));
  await expect(page.getByTestId('make-samples')).toHaveText('1');
  await expect(page.getByTestId('make-things').locator('img').first()).toBeVisible();

  await page.getByTestId('make-suite').click();
  await expect(page.getByTestId('benchmark')).toHaveText('MultiRef-Bench');
});

test('MICON: references are put in, accepted by a key, and the case opens as a benchmark', async ({ page }) => {
  folder.write('one.png', square(24, 24, 120));
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await page.getByTestId('make-kind-counts').check();
  await page.getByTestId('make-counts').fill('object:9=1');
  await page.getByTestId('make-begin').click();
  await expect(page.getByTestId('make-problem')).toContainText('object has cases of 2 to 5 references');
  await page.getByTestId('make-counts').fill('object:2=1');
  await page.getByTestId('make-seed').fill('4');
  folder.write('pools/subject.txt', ['a crane', 'a kite', 'a teapot'].join('\n'));
  await page.getByTestId('make-lists').setInputFiles(folder.at('pools/subject.txt'));
  await page.getByTestId('make-begin').click();
  await expect(page.getByTestId('make-problem')).toContainText('subject.txt has 3 different lines');
  folder.write('pools/subject.txt', ['a crane', 'a kite', 'a teapot', '一只猫', 'قطة', 'a lamp'].join('\n'));
  await page.getByTestId('make-lists').setInputFiles(folder.at('pools/subject.txt'));
  await page.getByTestId('make-begin').click();
  await expect(page.getByTestId('make-due')).toHaveText('1 of 2');
  juror('make', 'micon', '--count', 'object:2=1', '--seed', '4', '--pools', 'pools', '--out', 'begun');
  await saved(page, 'first');
  expect(text('first/juror-make.json')).toBe(text('begun/juror-make.json'));

  await page.getByTestId('make-name').fill('ann');
  await page.getByTestId('make-picture').setInputFiles({
    name: 'none.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture'),
  });
  await expect(page.getByTestId('make-problem')).toContainText('cannot be read');
  await page.getByTestId('make-picture').setInputFiles(folder.at('one.png'));
  await expect(page.getByTestId('make-due')).toHaveText('1 of 1');
  await page.getByTestId('make-picture').setInputFiles(folder.at('one.png'));
  await expect(page.getByTestId('make-calls')).toContainText('None');
  await expect(page.getByTestId('make-samples')).toHaveText('0');
  await page.getByRole('heading', { level: 1 }).focus();
  // As fast as one likes: each press is about the next.
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  await expect(page.getByTestId('make-samples')).toHaveText('1');
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  await saved(page, 'page');
  const card = 'data/object_composition/cases';
  const [name = ''] = execFileSync('ls', [folder.at(`page/${card}`)], {
    encoding: 'utf8',
  }).split('\n');
  const made = text(`page/${card}/${name}`);
  juror('make', 'micon', '--out', 'page');
  expect(text(`page/${card}/${name}`)).toBe(made);
  await page.getByTestId('make-suite').click();
  await expect(page.getByTestId('benchmark')).toHaveText('MICON-Bench');
});

test('requests from the real world: a folder with its list begins a project as the command line does, and one without says what it lacks', async ({ page }) => {
  for (const [at, name] of ['one', 'two', 'made'].entries()) folder.write(`in/pictures/${name}.png`, square(24, 24, 90 + at));
  await open(page);
  await page.getByTestId('make-kind-posts').check();
  await page.getByTestId('make-source').setInputFiles(folder.at('in'));
  await expect(page.getByTestId('make-problem')).toContainText('Expected one list of requests in the folder');
  const inputs = ['pictures/one.png', 'pictures/two.png'];
  const asked = {
    id: 7,
    text: 'Put the first into the second.',
    inputs,
    outputs: ['pictures/made.png'],
  };
  folder.write('in/requests.json', JSON.stringify([{ ...asked, outputs: ['pictures/none.png'] }]));
  await page.getByTestId('make-source').setInputFiles(folder.at('in'));
  await expect(page.getByTestId('make-problem')).toContainText('item 7: pictures/none.png is not there');
  folder.write('in/requests.json', JSON.stringify([asked]));
  await page.getByTestId('make-source').setInputFiles(folder.at('in'));
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Requests from the real world, for MultiRef-Bench');
  juror('make', 'realworld', 'in/requests.json', '--out', 'begun');
  await saved(page, 'first');
  expect(text('first/juror-make.json')).toBe(text('begun/juror-make.json'));
  expect(readFileSync(folder.at('first/images/7_output1.png')).equals(readFileSync(folder.at('in/pictures/made.png')))).toBe(true);
  await expect(page.getByTestId('make-thing')).toBeVisible();
  await expect(page.getByTestId('make-things').locator('img').first()).toBeVisible();
});

/** A line of a batch's results as OpenAI writes it. */
const result = (id: string, body: object, status = 200): string =>
  JSON.stringify({ id: 'batch_req_1', custom_id: id, response: { status_code: status, request_id: 'r', body }, error: null });

test('many calls at once: the batch file is the command line’s, its results and pictures are taken in, and failed calls stay due', async ({ page }) => {
  folder.write('one.png', square(24, 24, 120));
  await open(page);
  await page.getByTestId('make-kind-counts').check();
  await page.getByTestId('make-counts').fill('object:2=2\nstory:2=1');
  await page.getByTestId('make-begin').click();
  await expect(page.getByTestId('make-due')).toHaveText('1 of 5');
  await page.getByTestId('make-batch').locator('summary').click();
  await expect(page.getByTestId('make-batch-write')).toBeDisabled();
  await page.getByTestId('make-batch-kind').selectOption('reference');
  await page.getByTestId('make-batch-model').fill('gpt-image-1');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('make-batch-write').click()]);
  const lines = readFileSync(await file.path(), 'utf8');
  juror('make', 'micon', '--count', 'object:2=2', '--count', 'story:2=1', '--seed', '1', '--out', 'begun');
  juror('make', 'micon', '--out', 'begun', '--requests', 'calls.jsonl', '--engine', 'openai', '--model', 'gpt-image-1', '--calls', 'reference');
  expect(lines).toBe(text('calls.jsonl'));
  const ids = lines
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { custom_id: string }).custom_id);
  expect(ids).toHaveLength(4);
  const [sheet] = await Promise.all([page.waitForEvent('download'), page.getByTestId('make-sheet').click()]);
  expect(readFileSync(await sheet.path(), 'utf8')).toContain(ids[0]?.replace('juror-make/', '') ?? 'no hash');

  const picture = readFileSync(folder.at('one.png')).toString('base64');
  const results = ids.map((id, at) => (at === 3 ? result(id, { error: { message: 'Too much.' } }, 429) : result(id, { data: [{ b64_json: picture }] })));
  folder.write('results.jsonl', `${results.join('\n')}\n${result('juror-make/0000', {})}\n`);
  folder.write('broken.jsonl', `${results[0]}\nno line\n`);
  // Nothing of a file that is broken is taken in.
  await page.getByTestId('make-results').setInputFiles(folder.at('broken.jsonl'));
  await expect(page.getByTestId('make-problem')).toContainText('broken.jsonl: line 2 is not JSON');
  await expect(page.getByTestId('make-due')).toHaveText('1 of 5');
  await page.getByTestId('make-results').setInputFiles(folder.at('results.jsonl'));
  await expect(page.getByText('3 replies; 1 call failed and stays due; 1 line is of a call that is not due and was left.').first()).toBeVisible();
  await expect(page.getByTestId('make-due')).toHaveText('1 of 2');
  await expect(page.getByTestId('make-things').locator('img').first()).toBeVisible();
  await saved(page, 'page');
  juror('make', 'micon', '--out', 'begun', '--replies', 'results.jsonl');
  const replies = (path: string): unknown[] => (JSON.parse(text(path)) as { replies: { time: string }[] }).replies.map((reply) => ({ ...reply, time: '' }));
  expect(replies('page/juror-make.json')).toEqual(replies('begun/juror-make.json'));
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await still(page);
  expect((await axe(page).analyze()).violations).toEqual([]);
});

test('two tabs lose nothing, a held key decides once, a typed reply stays with its call, and a project that cannot be read is not overwritten', async ({
  page,
  context,
}) => {
  folder.write('one.png', square(24, 24, 120));
  await open(page);
  await page.getByTestId('make-kind-counts').check();
  await page.getByTestId('make-counts').fill('story:2=2');
  await page.getByTestId('make-begin').click();
  const due = page.getByTestId('make-due');
  await expect(due).toHaveText('1 of 2');
  await page.getByTestId('make-reply').fill('Of the first.');
  await page.getByRole('button', { name: 'Next call' }).click();
  await expect(page.getByTestId('make-reply')).toHaveValue('');
  await page.getByRole('button', { name: 'Previous call' }).click();
  await expect(page.getByTestId('make-reply')).toHaveValue('Of the first.');

  const script = JSON.stringify({
    setting: 'a yard',
    characters: 'a dog',
    beats: ['It sits.', 'It runs.', 'It jumps.', 'It sleeps.'],
  });
  const other = await context.newPage();
  await open(other);
  await page.getByTestId('make-reply').fill(script);
  await page.getByTestId('make-keep').click();
  await other.getByRole('button', { name: 'Next call' }).click();
  await other.getByTestId('make-reply').fill(script);
  await other.getByTestId('make-keep').click();
  await expect(other.getByTestId('make-calls')).toContainText('waits for a decision');
  await page.reload();
  await page.waitForSelector('html[data-engine="ready"]');
  await saved(page, 'both');
  expect(JSON.parse(text('both/juror-make.json'))).toMatchObject({
    replies: [{ text: script }, { text: script }],
  });

  await page.getByTestId('make-name').fill('ann');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.down('a');
  await page.keyboard.down('a');
  await page.keyboard.down('a');
  await page.keyboard.up('a');
  await expect(page.getByTestId('make-things')).toContainText('1 undecided');

  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('juror');
        request.onerror = () => reject(new Error('no database'));
        request.onsuccess = () => {
          const transaction = request.result.transaction('making', 'readwrite');
          transaction.objectStore('making').put({
            path: 'juror-make.json',
            bytes: new TextEncoder().encode('{"format": "juror-make/9", "kind": "micon"}').buffer,
          });
          transaction.oncomplete = () => (request.result.close(), resolve());
        };
      }),
  );
  await page.reload();
  await page.waitForSelector('html[data-engine="ready"]');
  await expect(page.getByTestId('make-problem')).toContainText('juror-make/9');
  await expect(page.getByTestId('make-begin')).toHaveCount(0);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('make-save-broken').click()]);
  expect(readFileSync(await file.path(), 'utf8')).toContain('juror-make/9');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByTestId('make-forget').click();
  await expect(page.getByTestId('make-seed')).toBeVisible();
});

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Hashes of the files of a folder, by path. */
function hashesOf(name: string): Record<string, string> {
  const paths = readdirSync(folder.at(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.sort().map((path) => [path.slice(folder.at(name).length + 1), sha256(readFileSync(path))]));
}

/** Draws Billiards in the page, and gives the hashes of the ZIP's files. */
async function drawn(page: Page, count: string, seed: string, cushions = ''): Promise<Record<string, string>> {
  await page.getByTestId('billiards-count').fill(count);
  await page.getByTestId('billiards-seed').fill(seed);
  await page.getByTestId('billiards-cushions').selectOption(cushions);
  await page.getByTestId('billiards-draw').click();
  await expect(page.getByTestId('billiards')).toContainText(`Seed ${seed}, ${cushions === '' ? 'numbers of cushions in turn' : `${cushions} cushions`}`);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('billiards-zip').click()]);
  const files = unzip(readFileSync(await file.path())).map(({ name, data }) => [name.replace(/^made\//, ''), sha256(data)] as const);
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function openBilliards(page: Page): Promise<void> {
  await open(page);
  await page.getByTestId('make-kind-billiards').check();
}

/** The workers that draw or check. */
const billiardsWorkers = (page: Page): number => page.workers().filter((worker) => worker.url().includes('billiards.worker')).length;

test('Billiards: the ZIP has the command line’s files to the byte, and another seed or number of cushions gives others', async ({ page }) => {
  await openBilliards(page);
  const largest = '18446744073709551615';
  const inShell = (out: string, ...options: string[]): Record<string, string> => {
    juror('make', 'billiards', ...options, '--out', out);
    return hashesOf(out);
  };
  const first = await drawn(page, '7', '3');
  expect(Object.keys(first)).toHaveLength(15);
  expect(first).toEqual(inShell('a', '--count', '7', '--seed', '3'));
  // A seed that is no number of JavaScript's, and one number of cushions.
  expect(await drawn(page, '2', largest, '5')).toEqual(inShell('b', '--count', '2', '--seed', largest, '--cushions', '5'));

  const other = await drawn(page, '7', '4');
  expect(Object.keys(other)).toEqual(Object.keys(first));
  const same = Object.keys(first).filter((path) => first[path] === other[path]);
  expect(same).toEqual([]);
  expect(other).not.toEqual(inShell('c', '--count', '7', '--seed', '3'));
  expect(await drawn(page, '7', '4', '2')).not.toEqual(other);
});

test('Billiards: a wrong value says what is right and leaves what is drawn, pictures say what they show, and the cases open as VIBE', async ({ page }) => {
  await openBilliards(page);
  await drawn(page, '3', '9');
  const problem = page.getByTestId('billiards-problem');
  for (const [field, value, words] of [
    ['count', '0', 'Expected a number of cases from 1 to 9999, found 0.'],
    ['count', '', 'Expected a number of cases from 1 to 9999, found nothing.'],
    ['seed', '-1', 'Expected a seed from 0 to 18446744073709551615, found “-1”.'],
  ] as const) {
    const before = await page.getByTestId(`billiards-${field}`).inputValue();
    await page.getByTestId(`billiards-${field}`).fill(value);
    await page.getByTestId('billiards-draw').click();
    await expect(problem).toContainText(words);
    await page.getByTestId(`billiards-${field}`).fill(before);
  }
  await expect(page.getByTestId('billiards-zip')).toBeVisible();

  // What is said of the pictures is the list's truth.
  juror('make', 'billiards', '--count', '3', '--seed', '9', '--out', 'V');
  const list = JSON.parse(text('V/Tasks/Level-3-Causal/Billiards/Billiards.json')) as {
    billiards: { id: string; k: number; target: number; balls: { n: number }[] };
  }[];
  const cases = page.getByTestId('billiards-case');
  await expect(cases).toHaveCount(3);
  for (const [at, { billiards }] of list.entries()) {
    const [input, answer] = [cases.nth(at).locator('img').first(), cases.nth(at).locator('img').last()];
    const numbers = billiards.balls.map(({ n }) => n).sort((a, b) => a - b);
    await expect(input).toHaveAttribute(
      'alt',
      new RegExp(`^${billiards.id}, input: .* ${numbers.slice(0, 4).join(', ')} and ${numbers[4]}, and a black arrow`),
    );
    await expect(answer).toHaveAttribute(
      'alt',
      new RegExp(`^${billiards.id}, golden answer: .* over ${billiards.k} cushions .* around ball ${billiards.target}\\.$`),
    );
    for (const picture of [input, answer])
      expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(1024);
  }

  await page.getByTestId('billiards-suite').click();
  await expect(page.getByTestId('benchmark')).toHaveText('VIBE');
});

test('Billiards: the page goes on while cases are drawn, a reload begins them again, Cancel ends the worker, and a link draws them', async ({ page }) => {
  await openBilliards(page);
  await page.getByTestId('billiards-count').fill('9999');
  await page.getByTestId('billiards-seed').fill('21');
  await page.getByTestId('billiards-draw').click();
  const first = page.getByTestId('billiards-case').first().locator('img').first();
  const words = (await first.getAttribute('alt')) ?? '';
  expect(words).toContain('Billiards_0001');
  // Another view in between, and fields that are typed in meanwhile.
  await page.evaluate(() => (location.hash = '#/about'));
  await expect(page.getByTestId('billiards')).toHaveCount(0);
  await page.evaluate(() => (location.hash = '#/make'));
  await page.getByTestId('billiards-count').fill('8');
  await expect(page.getByRole('progressbar', { name: 'Cases drawn' })).toBeVisible();
  await expect(page.getByTestId('billiards-done')).toContainText(/^[\d,]+ of 9,999, \d+ (s|min) left$/);
  expect(billiardsWorkers(page)).toBe(1);
  await page.goBack();
  await page.goBack();
  expect(page.url()).toContain('of=billiards,9999,21');
  await page.reload();
  await page.waitForSelector('html[data-engine="ready"]');
  await expect(page.getByTestId('billiards-count')).toHaveValue('9999');
  await expect(page.getByTestId('billiards-seed')).toHaveValue('21');
  await expect(first).toHaveAttribute('alt', words);
  await page.getByTestId('billiards-cancel').click();
  await expect(page.getByTestId('billiards')).toHaveCount(0);
  await expect(page.getByTestId('billiards-draw')).toBeFocused();
  await expect.poll(() => billiardsWorkers(page)).toBe(0);
  expect(page.url()).not.toContain('billiards');

  await page.evaluate(() => (location.hash = '#/make?of=billiards,2,22,4'));
  await expect(page.getByTestId('billiards-zip')).toBeVisible();
  await expect(page.getByTestId('billiards-cushions')).toHaveValue('4');
  await expect(first).not.toHaveAttribute('alt', words);
  // One that names no cases draws none, and says why.
  await page.evaluate(() => (location.hash = '#/make?of=billiards,2,22,9'));
  await expect(page.getByTestId('billiards-problem')).toContainText('Expected a number of cushions from 2 to 7, found 9.');
});

test('Billiards: by keys only, on a small screen, light and dark, and next to a project', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page);
  await page.getByTestId('make-kind-originals').focus();
  for (const kind of ['counts', 'posts', 'billiards']) {
    await page.keyboard.press('ArrowDown');
    await expect(page.getByTestId(`make-kind-${kind}`)).toBeFocused();
  }
  await expect(page.getByTestId('make-kind-billiards')).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(page.getByTestId('billiards-count')).toBeFocused();
  await page.keyboard.type('0');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('billiards-problem')).toContainText('from 1 to 9999');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('billiards-zip')).toBeVisible();
  for (const [colorScheme, rules] of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await still(page);
    expect((await axe(page, rules).analyze()).violations).toEqual([]);
  }
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.getByTestId('billiards-discard').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('billiards-draw')).toBeFocused();

  await page.getByTestId('make-kind-counts').check();
  await page.getByTestId('make-counts').fill('object:2=1');
  await page.getByTestId('make-begin').click();
  await expect(page.getByTestId('make-due')).toHaveText('1 of 2');
  expect(Object.keys(await drawn(page, '1', '5'))).toHaveLength(3);
  await expect(page.getByTestId('make-due')).toHaveText('1 of 2');
});

test('Billiards: drawn answers get the rows of the command line, a broken and a missing one are named, and they count nowhere', async ({ page }) => {
  juror('make', 'billiards', '--count', '5', '--seed', '6', '--out', 'V');
  const task = 'V/Tasks/Level-3-Causal/Billiards';
  const picture = (from: string): Buffer => readFileSync(folder.at(`${task}/${from}.png`));
  folder.write('out/Billiards_0001.png', picture('target/Billiards_0001'));
  folder.write('out/Billiards_0002.png', picture('source/Billiards_0002'));
  folder.write('out/Billiards_0003.png', Buffer.from('no picture'));
  // Another case's answer.
  folder.write('out/Billiards_0005.png', picture('target/Billiards_0001'));
  folder.write('out/notes.txt', Buffer.from('Not looked at.'));
  await openBilliards(page);
  const problem = page.getByTestId('billiards-answers-problem');
  await page.getByTestId('billiards-outputs').setInputFiles(folder.at('out'));
  await expect(page.getByTestId('billiards-check')).toBeDisabled();
  folder.write('list.json', '[{"id": "Billiards_0001"}]');
  await page.getByTestId('billiards-list').setInputFiles(folder.at('list.json'));
  await page.getByTestId('billiards-check').click();
  await expect(problem).toContainText('list.json is no list that juror make billiards wrote: it has no truth');

  await page.getByTestId('billiards-list').setInputFiles(folder.at(`${task}/Billiards.json`));
  await page.getByTestId('billiards-check').click();
  await expect(page.getByTestId('billiards-sum')).toHaveText(/^2 pictures with a score, 1 unsure, 2 not checked\. .* count nowhere\.$/);
  await expect(problem).toHaveCount(0);
  const rows = page.getByTestId('billiards-rows').locator('tbody tr');
  await expect(rows).toHaveText([
    /^\s*Billiards_0001\s*Right\s*Right\s*Right\s*1\s*$/,
    /^\s*Billiards_0002\s*Right\s*WrongNo way is drawn\.\s*WrongExpected a box around ball \d+, found none\.\s*0\s*$/,
    /Billiards_0003\s*Not checked: Billiards_0003\.png: no picture that can be read/,
    /Billiards_0004\s*Not checked: out: there is no picture of Billiards_0004; expected Billiards_0004\.png/,
    /^\s*Billiards_0005\s*Wrong.*UnsureNo green segment begins at the white ball\.[^]*–\s*$/,
  ]);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('billiards-rows-save').click()]);
  const lines = readFileSync(await file.path(), 'utf8');
  const inShell = spawnSync(CLI, ['check', 'billiards', `${task}/Billiards.json`, '--outputs', 'out'], { encoding: 'utf8', cwd: folder.path });
  expect(inShell.status).toBe(1);
  expect(lines).toBe(inShell.stdout);
  expect(lines).not.toBe('');

  // Another picture in one place, another row.
  folder.write('out/Billiards_0002.png', picture('target/Billiards_0002'));
  await page.getByTestId('billiards-outputs').setInputFiles(folder.at('out'));
  await page.getByTestId('billiards-check').click();
  await expect(rows.nth(1)).toHaveText(/^\s*Billiards_0002\s*Right\s*Right\s*Right\s*1\s*$/);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await still(page);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
