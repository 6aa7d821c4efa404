/** Agent loops from the page: all three frameworks, both generator formats, faults, a closed page, a folder that says the same again, and keys that appear nowhere. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '../../www/node_modules/@playwright/test';
import { SCHEMES, axe } from './axe';
import { AgentServer, type AgentCall } from './agent-server';
import { openAlone } from './alone';
import { TempFolder, exportedReport, jurorScore, numbers, openFolders, openPage, png, storedTexts, unfold } from './helpers';
import { still } from './rest';
import { expect, test } from './visits';

const PLANNER_KEY = 'sk-planner-0123456789abcdefghijklmnop';
const GENERATOR_KEY = 'sk-generator-0123456789abcdefghijkl';

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
const promptOf = (set: number): string => `Put the things of set ${set} together.`;

/** So many sets of two references each. */
function benchmark(count: number): string[] {
  for (let set = 1; set <= count; set += 1) {
    folder.write(`data/add/00${set}_prompt.txt`, `${promptOf(set)}\n`);
    for (const at of [0, 1]) folder.write(`data/add/00${set}_${at}.png`, reference(set, at));
  }
  folder.write('data/add/types.json', '{}');
  return [folder.at('data')];
}

async function openAgents(page: Page, folders: string[]): Promise<void> {
  await openAlone(page, folders);
  await page.getByRole('link', { name: 'Agents' }).click();
  await expect(page.getByRole('region', { name: 'Trajectories' })).toBeVisible();
}

async function fill(page: Page, values: Record<string, string> = {}): Promise<void> {
  // Where trajectories are there already, they come first and the form is folded.
  await expect(page.locator('juror-agents .make[data-known]')).toHaveCount(1);
  if (!(await page.getByTestId('agents-plannerModel').isVisible())) await page.getByTestId('agents-make').click();
  await unfold(page);
  const usual = {
    plannerBase: address,
    plannerModel: 'plan-1',
    plannerKey: PLANNER_KEY,
    generatorBase: address,
    generatorModel: 'gen-1',
    generatorKey: GENERATOR_KEY,
  };
  for (const [name, value] of Object.entries({ ...usual, ...values })) {
    const field = page.getByTestId(`agents-${name}`);
    if (name.endsWith('Wire')) await field.selectOption(value);
    else await field.fill(value);
  }
}

const start = (page: Page) => page.getByTestId('agents-start').click();
const job = (page: Page) => page.getByTestId('agents-job');
const strip = (page: Page, sample: string) => page.getByTestId('strip').filter({ has: page.getByRole('link', { name: sample }) });

async function done(page: Page, timeout = 60_000): Promise<void> {
  await expect(job(page).getByRole('heading', { name: /^(Done|Stopped)( in another tab)?$/ })).toBeVisible({ timeout });
  await page.waitForSelector('html[data-phase="done"]');
}

/** The record of what went over the wire for one set, in order. */
const callsOf = (set: number): AgentCall[] => {
  const first = sha256(reference(set, 0));
  return server.answered.filter(({ pictures }) => pictures.includes(first) || pictures.includes(sha256(reference(set, 1))));
};

/** A judge's replies to the pictures of each step: better with each. */
function judged(name: string, samples: string[]): string {
  const labels = ['Instruction Alignment', 'Reference Consistency', 'Background-Subject Match', 'Physical Realism', 'Visual Quality'];
  const lines = [1, 2, 3].flatMap((step) =>
    samples.map((sample) =>
      JSON.stringify({
        format: 'juror-journal/1',
        protocol: 'multibanana',
        model: `${name} step ${step}`,
        sample,
        turn: 0,
        criterion: 'judge',
        judge: 'gemini',
        run: 1,
        reply: labels.map((label) => `${label}: ${step + 4}.`).join('\n'),
      }),
    ),
  );
  folder.write('judged/journal.jsonl', lines.join('\n'));
  return folder.at('judged');
}

/** Downloads the folder as a ZIP and unpacks it. */
async function exportedFolder(page: Page): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('agents-export').click()]);
  const zip = folder.write('agents.zip', readFileSync(await download.path()));
  const script = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])';
  execFileSync('python3', ['-c', script, zip, folder.at('unpacked')]);
  return folder.at('unpacked/agents');
}

test('IPR makes each picture anew from all references, by form, and its steps are judged like models', async ({ page }) => {
  const folders = benchmark(2);
  await openAgents(page, folders);
  await expect(page.getByTestId('agents-pictures')).toHaveText('6');
  await expect(page.getByTestId('agents-plans')).toHaveText('4');
  await fill(page, { picturePrice: '0.04', generatorExtra: '{"quality": "high"}' });
  await start(page);
  await done(page);
  await expect(page.getByTestId('agents-answered')).toHaveText('10 of 10');
  expect(server.paid.every((times) => times === 1)).toBe(true);
  const references = [0, 1].map((at) => sha256(reference(1, at)));
  const calls = callsOf(1);
  expect(calls.map(({ what }) => what)).toEqual(['picture', 'plan', 'picture', 'plan', 'picture']);
  for (const { pictures, path, fields } of calls.filter(({ what }) => what === 'picture')) {
    expect(path).toBe('/v1/images/edits');
    expect(pictures).toEqual(references);
    expect(fields).toEqual({ model: 'gen-1', quality: 'high', 'image[]': '1.png 2.png ' });
  }
  expect(calls[0]?.text).toBe(promptOf(1));
  expect(calls[1]?.text).toContain(`<prompt>\n${promptOf(1)}\n</prompt>`);
  expect(calls[1]?.pictures.slice(0, 2)).toEqual(references);
  expect(calls[1]?.pictures).toHaveLength(3);
  // The planner's words, which name the picture that it saw, are the next prompt.
  expect(calls[2]?.text).toBe(`Prompt after ${calls[1]?.pictures[2]?.slice(0, 6) ?? ''}.`);
  expect(calls[3]?.text).toContain(`<prompt>\n${calls[2]?.text ?? ''}\n</prompt>`);
  const one = strip(page, 'add/001');
  await expect(one.getByText('complete')).toBeVisible();
  await expect(one.getByTestId('step')).toHaveCount(3);
  await expect(one.getByTestId('step').nth(1).locator('ins')).toContainText('Prompt after');
  await expect(one.getByTestId('step').nth(1).locator('del')).toContainText('Put the things');
  // The models of the steps are scored as soon as they are judged.
  await openFolders(page, [judged('gen-1 +IPR', ['add/001', 'add/002'])]);
  await expect(page.getByTestId('agents-table')).toContainText('5.000');
  await expect(page.getByTestId('agents-table')).toContainText('7.000');
  await expect(one.getByTestId('step').nth(1).getByTestId('step-score')).toHaveText('gemini: 6.000');
  // Their means are drawn by step, the five criteria as lines.
  const plot = page.getByTestId('steps-plot');
  await expect(plot.getByTestId('sentence')).toContainText('goes from 5.000 at step 1 to 7.000 at step 3');
  await expect(plot.locator('.mark')).toHaveCount(15);
});

test('CAFG shows the generator its previous picture last, over Gemini', async ({ page }) => {
  await openAgents(page, benchmark(1));
  await page.getByTestId('agents-cafg').check({ force: true });
  await fill(page, { plannerWire: 'gemini', generatorWire: 'gemini' });
  await start(page);
  await done(page);
  const calls = callsOf(1);
  expect(calls.map(({ what }) => what)).toEqual(['picture', 'plan', 'picture', 'plan', 'picture']);
  expect(calls.every(({ path }) => path.endsWith(':generateContent'))).toBe(true);
  const references = [0, 1].map((at) => sha256(reference(1, at)));
  expect(calls[0]?.pictures).toEqual(references);
  const first = calls[1]?.pictures[2];
  expect(first).toBeDefined();
  expect(calls[2]?.pictures).toEqual([...references, first]);
  expect(calls[2]?.text).toContain('The last picture is the result of your previous attempt');
  expect(calls[0]?.text).toBe(promptOf(1));
  expect(calls[4]?.pictures[2]).toBe(calls[3]?.pictures[2]);
  await expect(strip(page, 'add/001').getByText('The generator’s remark').first()).toBeVisible();
});

test('SRA shows the references that the planner chose, marks what it cannot read, and ends when nothing is left to mend', async ({ page }) => {
  server.plan = ({ text }) => {
    if (text.includes('of set 1 ')) return '{"indices": [1, 1, 7], "prompt": "Only the second."}';
    if (text.includes('Only the second.')) return 'I would rather not say.';
    return '```json\n{"indices": [], "prompt": "All is well."}\n```';
  };
  await openAgents(page, benchmark(2));
  await page.getByTestId('agents-sra').check({ force: true });
  await fill(page);
  await start(page);
  await done(page);
  // Five calls of the first set; a picture and the planner's word of the second.
  await expect(page.getByTestId('agents-answered')).toHaveText('7 of 7');
  const calls = callsOf(1);
  expect(calls[1]?.text).toContain('the indices 0 to 1');
  expect(calls[2]?.pictures).toEqual([sha256(reference(1, 1)), calls[1]?.pictures[2]]);
  expect(calls[4]?.pictures.slice(0, 2)).toEqual([0, 1].map((at) => sha256(reference(1, at))));
  const one = strip(page, 'add/001').getByTestId('step');
  await expect(one.nth(1).getByTestId('mark')).toContainText('No index of a reference: 7.');
  await expect(one.nth(2).getByTestId('mark')).toContainText('The previous prompt stays, with all references.');
  await expect(one.nth(2)).toContainText('The prompt stays.');
  const two = strip(page, 'add/002');
  await expect(two).toContainText('ended by the planner after step 1');
  await expect(two.getByTestId('step')).toHaveCount(3);
  await expect(two.getByTestId('step').nth(2)).toContainText('is shown for this one');
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  const report = await exportedReport(page);
  expect(report.provenance.models.map(({ name }) => name)).toEqual([1, 2, 3].map((step) => `gen-1 +SRA step ${step}`));
  expect(report.incidents.filter(({ kind }) => kind === 'missing_output')).toEqual([]);
});

test('faults in the middle are tried again, a refusal ends its set alone, and the rest is made once', async ({ page }) => {
  const folders = benchmark(5);
  const faults = ['429', '500', 'reset', 'half-picture', 'no-picture'] as const;
  server.script = ({ text, what }, attempt) => {
    if (text.includes('of set 5 ')) return what === 'picture' ? null : 'filter';
    if (attempt > 1) return null;
    const fault = faults[Number(/of set (\d)/.exec(text)?.[1] ?? '0')] ?? null;
    return what === 'plan' && (fault === 'half-picture' || fault === 'no-picture') ? '500' : fault;
  };
  await openAgents(page, folders);
  await fill(page, { concurrency: '3' });
  await start(page);
  await done(page);
  // Four whole trajectories; of the fifth the first picture and the refusal.
  await expect(page.getByTestId('agents-answered')).toHaveText('21 of 22');
  await expect(page.getByTestId('agents-failed')).toHaveText('1');
  await expect(job(page)).toContainText('content filter');
  expect(server.paid.every((times) => times === 1)).toBe(true);
  expect(server.attempts).toBeGreaterThan(27);
  const five = strip(page, 'add/005');
  await expect(five.getByTestId('step-failed')).toContainText('rejected by the safety system');
  await expect(page.getByTestId('agents-begun')).toContainText('1 with a failed call');
  // Asked again, only what is missing is called.
  server.script = () => null;
  await expect(page.getByTestId('agents-pictures')).toHaveText('2');
  await start(page);
  await expect(page.getByTestId('agents-answered')).toHaveText('4 of 4');
  await done(page);
  await expect(five.getByText('complete')).toBeVisible();
  expect(server.answered).toHaveLength(25);
});

test('a page that is closed in the middle loses nothing that came, and the next one pays for the rest alone', async ({ context, page }) => {
  const folders = benchmark(4);
  await openAgents(page, folders);
  await fill(page, { concurrency: '2' });
  server.gate.hold(8);
  await start(page);
  // What came is kept before another call takes its place.
  await expect.poll(() => server.gate.waiting).toBe(2);
  const left = 4 * 3 - server.of('picture').length;
  // One is answered at the very moment of closing, and cannot be known to have come.
  server.gate.hold(1);
  await page.close();
  await expect.poll(() => server.underWay).toBe(0);
  server.gate.release();
  const next = await context.newPage();
  await openAgents(next, folders);
  await fill(next, { concurrency: '2' });
  await expect(next.getByTestId('agents-pictures')).toHaveText(new RegExp(`^(${left}|${left - 1})$`));
  await start(next);
  await done(next);
  await expect(next.getByTestId('agents-begun')).toContainText('4 complete');
  expect(server.answered.length - 4 * 5).toBeLessThanOrEqual(1);
  await openFolders(next, [judged('gen-1 +IPR', ['add/001'])]);
  await expect(strip(next, 'add/001').getByTestId('step-score').first()).toHaveText('gemini: 5.000');
});

/** A tab with the agents' view; one in the background draws nothing. */
async function tab(page: Page, folders: string[]): Promise<void> {
  await page.bringToFront();
  await openAgents(page, folders);
}

test('a second tab does not make what another one makes, looks on instead, and has its trajectories', async ({ page, context }) => {
  const folders = benchmark(4);
  server.gate.hold();
  const second = await context.newPage();
  for (const one of [second, page]) {
    await tab(one, folders);
    await fill(one, { concurrency: '2' });
  }
  await start(page);
  await expect(job(page)).toBeVisible();
  await second.bringToFront();
  await start(second);
  await expect(second.locator('juror-agents').getByRole('alert')).toContainText('Another tab');
  await second.getByTestId('agents-look-on').click();
  // A job tells how it stands with each answer.
  server.gate.hold(1);
  await expect(job(second).getByRole('heading')).toContainText('in another tab');
  await expect(job(second).getByRole('button', { name: 'Stop' })).toHaveCount(0);
  server.gate.release();
  for (const one of [page, second]) {
    await one.bringToFront();
    await done(one);
    await expect(one.getByTestId('agents-begun')).toContainText('4 complete');
  }
  // Three pictures and two plans of each set, each once.
  expect(server.answered).toHaveLength(4 * 5);
  expect(server.paid.every((times) => times === 1)).toBe(true);
  await expect(second.getByTestId('agents-pictures')).toHaveText('0');
});

test('trajectories that another tab made after this one was opened are not made again; those of other services are', async ({ page, context }) => {
  const folders = benchmark(2);
  const second = await context.newPage();
  for (const one of [second, page]) {
    await tab(one, folders);
    await fill(one);
  }
  await expect(second.getByTestId('agents-pictures')).toHaveText('6');
  await start(page);
  await done(page);
  expect(server.answered).toHaveLength(2 * 5);
  await second.bringToFront();
  await start(second);
  await done(second);
  expect(server.answered).toHaveLength(2 * 5);
  await expect(second.getByTestId('agents-begun')).toContainText('2 complete');
  await fill(second, { generatorModel: 'gen-2' });
  await start(second);
  await expect.poll(() => server.answered.length, { timeout: 30_000 }).toBe(4 * 5);
});

test('the exported folder is MultiBanana’s own layout and says the same again, in the page and to juror', async ({ page, browser, baseURL }) => {
  const folders = benchmark(2);
  server.plan = ({ text }) => (text.includes('of set 2 ') ? '{"indices": []}' : '{"indices": [0], "prompt": "Again."}');
  await openAgents(page, folders);
  await page.getByTestId('agents-sra').check({ force: true });
  await fill(page, { name: 'Loop' });
  await start(page);
  await done(page);
  const replies = judged('Loop +SRA', ['add/001', 'add/002']);
  await openFolders(page, [replies]);
  const agents = await exportedFolder(page);
  expect(readFileSync(`${agents}/Loop +SRA step 3/add/002_generated.png`)).toEqual(readFileSync(`${agents}/Loop +SRA step 1/add/002_generated.png`));
  expect(readFileSync(`${agents}/Loop +SRA step 3/add/001_generated.png`)).not.toEqual(readFileSync(`${agents}/Loop +SRA step 1/add/001_generated.png`));
  const text = readFileSync(`${agents}/trajectories.jsonl`, 'utf8');
  expect(text.trim().split('\n')).toHaveLength(7);
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  const report = await exportedReport(page);
  const again = jurorScore([...folders, agents, replies]);
  expect(numbers(again)).toEqual(numbers(report));
  expect(again.scores.length).toBeGreaterThan(0);
  // Somebody else, whose browser keeps nothing.
  const other = await browser.newContext({ baseURL });
  const visitor = await other.newPage();
  await openAgents(visitor, [...folders, agents, replies]);
  await expect(visitor.getByTestId('agents-begun')).toContainText('2 complete, 1 of them ended by the planner');
  await expect(strip(visitor, 'add/001').getByTestId('step-score')).toHaveText(['gemini: 5.000', 'gemini: 6.000', 'gemini: 7.000']);
  const words = (of: Page) => strip(of, 'add/001').getByTestId('step').nth(1).getByRole('region').textContent();
  await page.getByRole('link', { name: 'Agents' }).click();
  const own = await words(page);
  expect(own).toContain('Again.');
  await expect.poll(() => words(visitor)).toBe(own);
  await visitor.getByRole('link', { name: 'Overview', exact: true }).click();
  expect(numbers(await exportedReport(visitor))).toEqual(numbers(report));
  await other.close();
});

test('a trajectory is made by hand: text copied, reply pasted, picture chosen', async ({ page }) => {
  await openAgents(page, benchmark(1));
  await fill(page, { plannerModel: 'me', generatorModel: 'brush', plannerBase: '', generatorBase: '', steps: '2' });
  await page.getByTestId('agents-which').selectOption('all');
  const one = strip(page, 'add/001');
  await one.getByTestId('by-hand').click();
  const picture = (at: number): string => folder.write(`made/${at}.png`, png(20, 20, [at * 90, 10, 10]));
  await one.getByTestId('hand-picture').setInputFiles(folder.write('made/not.png', 'no picture'));
  await expect(one.getByRole('alert')).toContainText('cannot decode');
  await one.getByTestId('hand-picture').setInputFiles(picture(1));
  await expect(one).toContainText('waits for the planner’s word on G¹');
  await one.getByTestId('hand-reply').fill(' The second prompt. ');
  await one.getByTestId('hand-keep').click();
  await expect(one).toContainText('waits for picture G²');
  await one.getByTestId('hand-picture').setInputFiles(picture(2));
  await expect(one.getByText('complete')).toBeVisible();
  await expect(one.getByTestId('step').nth(1).locator('ins')).toHaveText('The second prompt.');
  expect(server.attempts).toBe(0);
  const records = readFileSync(`${await exportedFolder(page)}/trajectories.jsonl`, 'utf8');
  expect(records.match(/"by":"hand"/g)).toHaveLength(3);
});

test('a picture’s address is fetched from a named host only, and without the key', async ({ page }) => {
  const files = new AgentServer();
  server.pictures = { at: files, address: await files.start() };
  try {
    await openAgents(page, benchmark(1));
    await fill(page, { concurrency: '1' });
    await start(page);
    await done(page);
    await expect(job(page)).toContainText('a host that was not named');
    // It is no use to go on and pay for what cannot be fetched.
    expect(server.answered).toHaveLength(1);
    await fill(page, { hosts: new URL(server.pictures.address).host });
    await start(page);
    await expect(page.getByTestId('agents-answered')).toHaveText('5 of 5');
    expect([...files.keys]).toEqual([]);
  } finally {
    await files.stop();
  }
});

test('keys go to their own service and appear nowhere else', async ({ page, context }) => {
  const seen: string[] = [];
  page.on('console', (message) => seen.push(message.text()));
  await openAgents(page, benchmark(1));
  server.script = () => 'echo-key';
  await fill(page);
  await start(page);
  await done(page);
  await expect(job(page)).toContainText('Check that the key is complete');
  expect([...server.keys]).toEqual([`Bearer ${GENERATOR_KEY}`]);
  server.script = () => null;
  server.plan = () => `Your keys are ${PLANNER_KEY} and ${GENERATOR_KEY}.`;
  await start(page);
  await expect(page.getByTestId('agents-answered')).toHaveText('5 of 5');
  expect([...server.keys].sort()).toEqual([`Bearer ${GENERATOR_KEY}`, `Bearer ${PLANNER_KEY}`]);
  expect(server.of('picture')[1]?.text).toBe('Your keys are [key] and [key].');
  const exported = readFileSync(`${await exportedFolder(page)}/trajectories.jsonl`, 'utf8');
  const stored = await storedTexts(page);
  expect(stored.join('\n')).toContain('juror-trajectory/1');
  for (const [at, haystack] of [exported, ...stored, ...seen, JSON.stringify(await context.storageState())].entries())
    for (const key of [PLANNER_KEY, GENERATOR_KEY]) expect(haystack.includes(key), `a key is in text ${at}`).toBe(false);
});

test('the view is there for MultiBanana alone, by keyboard and for axe, light and dark', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openPage(page);
  await expect(page.getByRole('link', { name: 'Agents' })).toHaveCount(0);
  await page.goto('./#/agents');
  await expect(page.getByText('These loops are MultiBanana’s')).toBeVisible();
  await openAgents(page, benchmark(2));
  await fill(page);
  // What is disabled takes no focus.
  await expect(page.getByTestId('agents-start')).toBeEnabled();
  await page.getByTestId('agents-start').focus();
  await page.keyboard.press('Enter');
  await done(page);
  await strip(page, 'add/001').getByText('The planner’s reply').first().click();
  await page.getByTestId('agents-steps').fill('4');
  await strip(page, 'add/002').getByTestId('by-hand').click();
  await expect(page.getByTestId('hand-reply')).toBeVisible();
  for (const [scheme, rules] of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    await still(page);
    const { violations } = await axe(page, rules).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
