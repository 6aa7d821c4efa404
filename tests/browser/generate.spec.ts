/** A generator's job from the page: what is sent, which model its pictures become, what is not paid twice, and a folder with which `juror generate` goes on. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Page } from '../../www/node_modules/@playwright/test';
import { SCHEMES, axe } from './axe';
import { AgentServer } from './agent-server';
import { openAlone } from './alone';
import { CLI, TempFolder, openFolders, png, storedTexts, unfold } from './helpers';
import { still } from './rest';
import { expect, test } from './visits';

const KEY = 'sk-generator-0123456789abcdefghijkl';

let server: AgentServer;
let address: string;
let folder: TempFolder;

test.beforeEach(async () => {
  server = new AgentServer();
  address = await server.start();
  folder = new TempFolder();
});
test.afterEach(async () => {
  await server.stop();
  folder.remove();
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const reference = (set: number, at: number): Buffer => png(16, 12, [20 * set + 5, 60 * at, 200]);

/** So many sets of two references each. */
function sets(count: number): string[] {
  for (let set = 1; set <= count; set += 1) {
    folder.write(`data/add/00${set}_prompt.txt`, `Put the things of set ${set} together.\n`);
    for (const at of [0, 1]) folder.write(`data/add/00${set}_${at}.png`, reference(set, at));
  }
  folder.write('data/add/types.json', '{}');
  return [folder.at('data')];
}

/** A dialogue whose first picture is made of words, whose second of the first, and whose third of the second; with a question at its end. */
function dialogue(question = ''): string[] {
  const chats = ['Draw a hat.', 'Turn Image #1.', 'Dye Image #2.'].flatMap((content, at) => {
    const number = at + 1;
    folder.write(`bench/imgs/d_${number}.png`, png(24, 16, [200, 10 * number, 30]));
    return [
      { role: 'user', type: 'text', content },
      { role: 'assistant', type: 'image', content: `Image #${number}`, key_point: { [`GT #${number}`]: 'It is as in <image>.' } },
    ];
  });
  if (question !== '') chats.push({ role: 'user', type: 'text', content: question }, { role: 'assistant', type: 'text', content: 'A hat.' } as never);
  folder.write('bench/test.json', JSON.stringify([{ idx: 1, domain: 'edit', images: [1, 2, 3].map((number) => `imgs/d_${number}.png`), chats }]));
  return [folder.at('bench')];
}

async function openGenerate(page: Page, folders: string[]): Promise<void> {
  await openAlone(page, folders);
  await page.getByTestId('tools').click();
  await page.getByRole('link', { name: 'Generate' }).click();
  await expect(page.getByTestId('generate-model')).toBeVisible();
}

async function fill(page: Page, values: Record<string, string> = {}): Promise<void> {
  await unfold(page);
  for (const [name, value] of Object.entries({ base: address, model: 'gen-1', key: KEY, ...values })) {
    const field = page.getByTestId(`generate-${name}`);
    if (name === 'wire') await field.selectOption(value);
    else await field.fill(value);
  }
}

const start = (page: Page) => page.getByTestId('generate-start').click();
const job = (page: Page) => page.getByTestId('generate-job');
const asked = (page: Page) => page.getByTestId('generate-requests');

async function done(page: Page): Promise<void> {
  await expect(job(page).getByRole('heading', { name: /^(Done|Stopped)( in another tab)?$/ })).toBeVisible({ timeout: 60_000 });
  await page.waitForSelector('html[data-phase="done"]');
}

/** Downloads the model's folder and unpacks it. */
async function exported(page: Page): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('generate-export').first().click()]);
  const zip = folder.write('outputs.zip', readFileSync(await download.path()));
  const script = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])';
  execFileSync('python3', ['-c', script, zip, folder.at('out')]);
  return folder.at('out');
}

/** What `juror generate` says of a job, of which it sends nothing. */
function planned(dirs: string[], ...more: string[]): string {
  const words = ['generate', ...dirs, '--wire', 'openai', '--base', address, '--model', 'gen-1', '--out', folder.at('out'), '--dry-run', ...more];
  const { stdout, stderr, status } = spawnSync(CLI, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout + stderr;
}

test('the pictures of a job are a model, and its folder is one that juror generate goes on with', async ({ page }) => {
  const folders = sets(2);
  await openGenerate(page, folders);
  await fill(page, { picturePrice: '0.04', extra: '{"quality": "high"}' });
  await expect(asked(page)).toHaveText('2');
  await start(page);
  await done(page);
  await expect(page.getByTestId('generate-answered')).toHaveText('2 of 2');
  await expect(page.getByTestId('generate-spent')).toHaveText('0.0800');
  expect(server.paid).toEqual([1, 1]);
  const first = server.answered.find(({ text }) => text.includes('set 1'));
  expect(first?.path).toBe('/v1/images/edits');
  expect(first?.pictures).toEqual([0, 1].map((at) => sha256(reference(1, at))));
  expect(first?.fields).toEqual({ model: 'gen-1', quality: 'high', 'image[]': '1.png 2.png ' });
  // Nothing is asked for twice.
  await expect(asked(page)).toHaveText('0');
  await expect(page.getByTestId('generate-made')).toHaveText('2');
  const out = await exported(page);
  expect(existsSync(`${out}/gen-1/add/001_generated.jpg`)).toBe(true);
  const records = readFileSync(`${out}/gen-1.generate.jsonl`, 'utf8').trim().split('\n');
  expect(records).toHaveLength(2);
  expect(records.join('')).not.toContain(KEY);
  // The page and the program know a request by the same hash, and other parameters make another one.
  expect(planned(folders, '--extra', '{"quality": "high"}')).toContain('2 made already');
  expect(() => planned(folders, '--extra', '{"quality": "low"}')).toThrow('cannot be kept');
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await expect(page.locator('juror-overview')).toContainText('gen-1');
});

test('later turns are shown the model’s own pictures, and a picture that fails ends its dialogue unless it is to go on', async ({ page }) => {
  const folders = dialogue();
  server.script = ({ text }) => (text.includes('Turn Image') && !text.includes('Dye') ? 'filter' : null);
  await openGenerate(page, folders);
  await fill(page);
  // As the data set has it each turn is shown the golden pictures.
  await expect(asked(page)).toHaveText('3');
  const own = (await page.getByTestId('generate-level').locator('option').allTextContents()).find((text) => text.startsWith('history=own'));
  await page.getByTestId('generate-level').selectOption({ label: own ?? '' });
  await expect(page.getByTestId('generate-as')).toHaveText('gen-1@history=own');
  await expect(asked(page)).toHaveText('3, in 1 dialogue, turn by turn');
  await start(page);
  await done(page);
  await expect(page.getByTestId('generate-answered')).toHaveText('1 of 2');
  await expect(job(page)).toContainText('content filter');
  // What was declined is not asked for of itself, nor what rests on it.
  await expect(page.getByTestId('generate-lacking')).toContainText('asks once more');
  await expect(asked(page)).toHaveText('0');
  await page.getByTestId('generate-goesOn').check();
  await expect(asked(page)).toHaveText('1, in 1 dialogue, turn by turn');
  await start(page);
  await expect(page.getByTestId('generate-answered')).toHaveText('1 of 1');
  await done(page);
  const golden = sha256(readFileSync(folder.at('bench/imgs/d_2.png')));
  expect(server.answered.at(-1)?.pictures).toContain(golden);
  await expect(page.getByTestId('generate-models').getByRole('row').nth(1).getByRole('cell').nth(1)).toHaveText('1');
  // Asked again the whole dialogue is made, each picture of the one before.
  server.script = () => null;
  await fill(page, { name: 'whole' });
  await page.getByTestId('generate-goesOn').uncheck();
  await start(page);
  await expect(page.getByTestId('generate-answered')).toHaveText('3 of 3');
  await done(page);
  const calls = server.answered.slice(-3);
  expect(calls.map(({ pictures }) => pictures.length > 0)).toEqual([false, true, true]);
  for (const { pictures } of calls.slice(1))
    for (const at of [1, 2, 3]) expect(pictures).not.toContain(sha256(readFileSync(folder.at(`bench/imgs/d_${at}.png`))));
});

test('turns that ask for a text are asked as chat calls, and their answers are the model’s', async ({ page }) => {
  const folders = dialogue('What is it?');
  server.plan = () => 'It is a hat.';
  await openGenerate(page, folders);
  await fill(page);
  await expect(page.getByTestId('generate-job')).toHaveCount(0);
  await expect(page.locator('juror-generate')).toContainText('1 turn for a text');
  await start(page);
  await expect(page.getByTestId('generate-answered')).toHaveText('3 of 3');
  await done(page);
  await page.getByTestId('generate-texts').check();
  await expect(asked(page)).toHaveText('1');
  await start(page);
  await expect(page.getByTestId('generate-answered')).toHaveText('1 of 1');
  await done(page);
  const call = server.of('plan').at(-1);
  expect(call?.path).toBe('/v1/chat/completions');
  expect(call?.text).toContain('What is it?');
  expect(call?.fields).toMatchObject({ model: 'gen-1', max_tokens: '1024' });
  const out = await exported(page);
  const texts = execFileSync('find', [`${out}/gen-1`, '-name', '*.txt'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  expect(texts).toHaveLength(1);
  expect(readFileSync(texts[0] ?? '', 'utf8')).toBe('It is a hat.');
  expect(planned(folders, '--turns', 'all')).toContain('4 made already');
});

test('a page that is closed in the middle loses nothing that came, and the next one pays only for the rest', async ({ context, page }) => {
  const folders = sets(6);
  await openGenerate(page, folders);
  await fill(page, { concurrency: '2' });
  server.gate.hold(3);
  await start(page);
  await expect.poll(() => server.gate.waiting).toBe(2);
  const left = 6 - server.answered.length;
  await page.close();
  // Those that wait are answered to nobody.
  await expect.poll(() => server.underWay).toBe(0);
  server.gate.release();
  const before = server.answered.length;
  const next = await context.newPage();
  await openGenerate(next, folders);
  await fill(next);
  await expect(asked(next)).toHaveText(String(left));
  await start(next);
  await done(next);
  expect(server.answered.length - before).toBe(left);
});

test('a second tab does not make what another one makes, and looks on instead', async ({ page, context }) => {
  const folders = sets(4);
  server.gate.hold();
  const second = await context.newPage();
  for (const one of [second, page]) {
    await one.bringToFront();
    await openGenerate(one, folders);
    await fill(one);
  }
  await start(page);
  await expect(job(page)).toBeVisible();
  await second.bringToFront();
  await start(second);
  await expect(second.getByTestId('generate-problem')).toContainText('Another tab');
  await second.getByTestId('generate-look-on').click();
  server.gate.hold(1);
  await expect(job(second).getByRole('heading')).toContainText('in another tab');
  server.gate.release();
  for (const one of [page, second]) {
    await one.bringToFront();
    await done(one);
    await expect(one.getByTestId('generate-made')).toHaveText('4');
  }
  expect(server.paid).toEqual([1, 1, 1, 1]);
});

test('what cannot be a model’s name, or is one of another, is refused before anything is sent', async ({ page }) => {
  folder.write('gen-1/add/001_generated.jpg', reference(1, 0));
  await openGenerate(page, [...sets(1), folder.at('gen-1')]);
  await fill(page);
  await expect(page.getByTestId('generate-problem')).toContainText('have a model gen-1 already');
  await expect(page.getByTestId('generate-start')).toBeDisabled();
  await fill(page, { name: 'a/b' });
  await expect(page.getByTestId('generate-problem')).toContainText('cannot be the name of a folder');
  await fill(page, { name: '模型 1', extra: '{"size": ' });
  await start(page);
  await expect(page.getByTestId('generate-problem')).toContainText('this is not JSON');
  expect(server.attempts).toBe(0);
  await fill(page, { extra: '' });
  await start(page);
  await done(page);
  const out = await exported(page);
  expect(existsSync(`${out}/模型 1/add/001_generated.jpg`)).toBe(true);
  // The folder is the same model when it is opened next to the one that is kept.
  await openFolders(page, [`${out}/模型 1`]);
  await page.waitForSelector('html[data-phase="done"]');
  await expect(page.getByTestId('generate-made')).toHaveText('1');
});

test('the key goes to its own service and appears nowhere else', async ({ page, context }) => {
  const seen: string[] = [];
  page.on('console', (message) => seen.push(message.text()));
  await openGenerate(page, sets(1));
  server.script = () => 'echo-key';
  await fill(page);
  await start(page);
  await done(page);
  await expect(job(page)).toContainText('Check that the key is complete');
  expect([...server.keys]).toEqual([`Bearer ${KEY}`]);
  server.script = () => null;
  await start(page);
  await expect(page.getByTestId('generate-answered')).toHaveText('1 of 1');
  const journal = readFileSync(`${await exported(page)}/gen-1.generate.jsonl`, 'utf8');
  const stored = await storedTexts(page);
  expect(stored.join('\n')).toContain('juror-generate/1');
  for (const [at, haystack] of [journal, ...stored, ...seen, JSON.stringify(await context.storageState())].entries())
    expect(haystack.includes(KEY), `the key is in text ${at}`).toBe(false);
});

test('the view is used by keyboard, fits a phone, and has no fault for axe, light and dark', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openGenerate(page, sets(2));
  server.script = ({ text }) => (text.includes('set 2') ? 'filter' : null);
  await fill(page);
  await expect(page.getByTestId('generate-start')).toBeEnabled();
  await page.getByTestId('generate-start').focus();
  await page.keyboard.press('Enter');
  await done(page);
  await expect(page.getByTestId('generate-lacking')).toBeVisible();
  for (const [scheme, rules] of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    await still(page);
    const { violations } = await axe(page, rules).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
