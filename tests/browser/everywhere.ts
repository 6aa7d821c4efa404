/** What every browser must do alike, as one list of steps: the same clicks, the same files, and the command line's numbers. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '../../www/node_modules/@playwright/test';
import type { Driver } from './driver';
import { CLI, DEMO, ROOT, TempFolder, juror, jurorScore, npy, numbers, overallTotal, writeSmallBenchmark, writeUnjudged, type Report } from './helpers';
import { serveFiles, servePage, serveSite } from './pages';
import { spoiledPacks, type Answer, type Spoiled } from './spoiled';
import { zipOf } from './zip';

const DIST = join(DEMO, '../..');
/** The demo suite as folders. */
const SUITE = [join(DEMO, 'WEAVEBench'), join(DEMO, 'result')];
const SINGLE = process.env.JUROR_SINGLE ?? join(ROOT, 'www/dist-single/juror.html');
/** Of this machine, and not among its own names, on which nothing is kept; secure for browsers all the same. */
const KEEPING_HOST = '127.0.0.2';
const BANNER = '[data-testid="pack-banner"]';

/** What a step has at hand. */
interface Stage {
  browser: Driver;
  /** The served page. */
  address: string;
  folder: TempFolder;
}

interface Step {
  /** What the browser does, after its name. */
  does: string;
  run(stage: Stage): Promise<void>;
}

/** The report as the page exports it. */
const exported = async (browser: Driver): Promise<Report> => JSON.parse((await browser.download('[data-testid="export-json"]')).toString('utf8')) as Report;

/** Files as every browser is handed them: WebKit's inputs take no folders. */
function zipped(folder: TempFolder, name: string, paths: string[]): string {
  return folder.write(name, zipOf(paths.map((path) => ({ name: path, data: readFileSync(folder.at(path)) }))));
}

/** The files of a benchmark of `count` dialogues and of its model `m`. */
const filesOf = (count: number): string[] => [
  'bench/test/test.json',
  'result/m/metrics.jsonl',
  ...Array.from({ length: count }, (_, idx) => [
    `bench/test/imgs/d${idx}_1.png`,
    `bench/test/imgs/d${idx}_2.png`,
    `result/m/imgs/d${idx}_2.png`,
    `result/m/imgs/d${idx}_1_1.txt`,
  ]).flat(),
];

const folders = (folder: TempFolder): string[] => [folder.at('bench'), folder.at('result')];

/** A small benchmark as a pack; its path. */
function packed(folder: TempFolder): string {
  writeSmallBenchmark(folder, 4);
  juror(['pack', ...folders(folder), '--out', folder.at('evidence.zip')]);
  return folder.at('evidence.zip');
}

/** Measures all pairs with SSIM and MSE on two workers. */
async function measure(browser: Driver): Promise<void> {
  await browser.go('#/metrics');
  await browser.press('[data-testid="fold-how"]');
  await browser.fill('[data-testid="metrics-backend"]', 'cpu');
  await browser.fill('[data-testid="metrics-workers"]', '2');
  await browser.press('[data-testid="metrics-start"]');
  await browser.within('[data-testid="metrics-run"] h2', 'Done');
}

/** Rebalances attention of two small tensors; what the page hands out, and what the command line prints. */
async function attention({ browser, folder }: Stage): Promise<[page: string, shell: string]> {
  folder.write('q.npy', npy([70, 2, 8], 37));
  folder.write('k.npy', npy([60, 2, 8], 53));
  await browser.go('#/dar');
  await browser.some('[data-testid="file-q"]');
  await browser.choose('[data-testid="file-q"]', folder.at('q.npy'));
  await browser.choose('[data-testid="file-k"]', folder.at('k.npy'));
  await browser.fill('[data-testid="references"]', '4x6,30:5x4');
  await browser.press('[data-testid="compute"]');
  await browser.some('[data-testid="dar-table"]');
  const shell = juror(['dar', '--q', folder.at('q.npy'), '--k', folder.at('k.npy'), '--references', '4x6,30:5x4']);
  return [(await browser.download('[data-testid="download"]')).toString('utf8'), shell.toString('utf8')];
}

/** What is said of a pack: the answer, and how often each kind of finding. */
interface Said {
  answer: Answer;
  counts: Record<string, number>;
}

/** What the command line says of a pack. */
function toldByShell(folder: TempFolder, { file, pack }: Spoiled): Said {
  const { status, stdout } = spawnSync(CLI, ['verify', folder.write(`spoiled/${file}`, pack)], { encoding: 'utf8' });
  const answer = status === 0 ? 'reproduced' : status === 1 ? 'differs' : 'refused';
  return { answer, counts: answer === 'refused' ? {} : (JSON.parse(stdout) as Said).counts };
}

/** What the page says of a pack; the findings are counted in words that name their kinds. */
async function toldByPage({ browser, folder }: Stage, { file }: Spoiled): Promise<{ answer: string; findings: number }> {
  await browser.evaluate('deep("[role=menuitem]").find((one) => one.textContent.includes("Close all"))?.click();');
  await browser.within('h1', 'Open a benchmark and its results');
  await browser.choose('[data-testid="input-files"]', folder.at(`spoiled/${file}`));
  const said = async (): Promise<string> => {
    const banner = await browser.text(BANNER);
    if (banner.includes('Reproduced.')) return 'reproduced';
    if (banner.includes('Does not reproduce.')) return 'differs';
    const alerts = await browser.texts('[role="alert"]');
    return alerts.some((words) => words.includes(file)) ? 'refused' : '';
  };
  await expect.poll(said, { timeout: 60_000, message: file }).not.toBe('');
  const findings = (await browser.evaluate('return deep("juror-pack-banner")[0]?.shadowRoot.querySelectorAll("tbody tr").length ?? 0;')) as number;
  return { answer: await said(), findings };
}

/** What viewers on another page say of packs, by the packs' files. */
async function toldByViewers(browser: Driver, spoiled: Spoiled[]): Promise<Record<string, Said>> {
  const scripts = await serveFiles({ 'juror-viewer.js': readFileSync(join(DIST, 'embed/juror-viewer.js')) }, { ranges: false });
  const packs = await serveFiles(Object.fromEntries(spoiled.map(({ file, pack }) => [file, pack])), { ranges: true });
  const viewers = spoiled.map(({ file }) => `<juror-viewer id="${file}" verify="always" src="${packs.address}/${encodeURIComponent(file)}"></juror-viewer>`);
  const listen =
    'const told = {}; addEventListener("juror-verified", ({ target, detail }) => (told[target.id] = { answer: detail.reproduced ? "reproduced" : "differs", counts: detail.counts })); addEventListener("juror-error", ({ target }) => (told[target.id] = { answer: "refused", counts: {} }));';
  const host = await servePage(
    `<!doctype html><title>A project page</title><script>${listen}</script>${viewers.join('')}<script src="${scripts.address}/juror-viewer.js"></script>`,
  );
  await browser.goto(host.address);
  // A viewer begins once its reader comes near it.
  const told = () => browser.evaluate('deep("juror-viewer").find(({ id }) => !(id in told))?.scrollIntoView(); return told;') as Promise<Record<string, Said>>;
  await expect.poll(async () => Object.keys(await told()).length, { timeout: 180_000 }).toBe(spoiled.length);
  const all = await told();
  await Promise.all([host, packs, scripts].map((server) => server.stop()));
  return all;
}

export const SPOILED_PACKS: Step = {
  does: 'answers a forged, doubled, renamed, cut or newly sealed pack in the page and in a viewer as the command line does',
  async run(stage) {
    const spoiled = spoiledPacks(stage.folder);
    const viewers = await toldByViewers(stage.browser, spoiled);
    await stage.browser.open(stage.address);
    for (const one of spoiled) {
      const said = toldByShell(stage.folder, one);
      expect(said.answer, one.how).toBe(one.answer);
      expect(viewers[one.file], `${one.how}, in a viewer`).toEqual(said);
      const findings = Object.values(said.counts).reduce((sum, count) => sum + count, 0);
      expect(await toldByPage(stage, one), `${one.how}, in the page`).toEqual({ answer: said.answer, findings });
    }
  },
};

const STEPS: Step[] = [
  {
    does: 'opens the app with the numbers of the command line',
    async run({ browser, address }) {
      await browser.open(address);
      const report = jurorScore(SUITE);
      const totals = report.scores.filter(({ scope, criterion }) => scope === 'overall' && criterion === 'total');
      // The table follows a moment after what it is made of was read.
      const lacking = async (): Promise<string[]> => {
        const rows = await browser.texts('[data-testid="overview-table"] tbody tr');
        return totals.filter(({ model, mean }) => !rows.some((row) => row.includes(model) && row.includes(mean?.toFixed(3) ?? '–'))).map(({ model }) => model);
      };
      await expect.poll(lacking, { timeout: 30_000 }).toEqual([]);
      expect(numbers(await exported(browser))).toEqual(numbers(report));
    },
  },
  {
    does: 'lists every sample, and those that a filter finds',
    async run({ browser, address }) {
      await browser.open(address);
      const samples = new Set(jurorScore(SUITE).samples.map(({ sample }) => sample));
      await browser.go('#/samples');
      await browser.within('.count', `${samples.size} of ${samples.size} dialogues`);
      const shown = (await browser.evaluate('return deep("[data-testid=sample-row]").map((row) => row.dataset.id);')) as string[];
      expect(shown.length).toBeGreaterThan(2);
      expect(shown.filter((id) => !samples.has(id))).toEqual([]);
      await browser.fill('[data-testid="filter"]', 'id:0');
      await browser.within('.count', `1 of ${samples.size} dialogues`);
    },
  },
  {
    does: 'shows a sample with its pictures',
    async run({ browser, address }) {
      await browser.open(`${address}#/sample/0`);
      await expect
        .poll(() => browser.evaluate('return deep("img", deep("juror-sample")[0].shadowRoot).filter((image) => image.naturalWidth > 0).length;'), {
          timeout: 60_000,
        })
        .toBeGreaterThan(1);
    },
  },
  {
    does: 'compares models as the command line does, to the byte',
    async run({ browser, address }) {
      await browser.open(`${address}#/compare`);
      await browser.some('[data-testid="compare-models"]');
      const csv = (await browser.download('[data-testid="compare-csv"]')).toString('utf8');
      expect(csv).toBe(juror(['compare', ...SUITE, '--format', 'csv']).toString('utf8'));
    },
  },
  {
    does: 'counts a pasted reply, and has it with the same numbers after a reload',
    async run({ browser, address, folder }) {
      writeUnjudged(folder, 1);
      const zip = zipped(folder, 'unjudged.zip', filesOf(1));
      await browser.open(address);
      await browser.add(zip, 'unjudged.zip');
      expect(numbers(await exported(browser))).toEqual(numbers(jurorScore(folders(folder))));
      await browser.go('#/sample/0');
      await browser.press('[data-testid="open-request"]');
      await browser.fill('[data-testid="paste-text"]', '{"score": 7, "reasoning": "Nearly."}');
      await browser.press('[data-testid="paste-save"]');
      await browser.within('[data-testid="paste-status"]', 'It is in this browser’s storage');
      const before = await exported(browser);
      expect(before.samples.filter(({ score }) => score === 7)).toHaveLength(1);
      await browser.open(address);
      expect(await browser.count('[data-testid="export-journal"]')).toBe(0);
      await browser.reload();
      await browser.within('.sources', 'Demo suite');
      await browser.ready();
      await browser.add(zip, 'unjudged.zip');
      await expect.poll(async () => numbers(await exported(browser)), { timeout: 60_000 }).toEqual(numbers(before));
      const journal = (await browser.download('[data-testid="export-journal"]')).toString('utf8');
      expect(journal.trim().split('\n')).toHaveLength(1);
    },
  },
  {
    does: 'measures pictures in workers as the command line does',
    async run({ browser, address }) {
      await browser.open(address);
      await measure(browser);
      expect(numbers(await exported(browser))).toEqual(numbers(jurorScore(SUITE, '--metrics', 'ssim,mse')));
    },
  },
  {
    does: 'runs a network of a pack, near to what the command line computes',
    async run({ browser, address }) {
      const pack = join(ROOT, 'tests/golden/packs/dino.zip');
      await browser.open(address);
      await browser.go('#/metrics');
      await browser.some('[data-testid="networks-zip"]');
      await browser.choose('[data-testid="networks-zip"]', pack);
      await browser.within('[data-testid="pack-state"]', 'on rten');
      for (const metric of ['ssim', 'mse', 'dino']) await browser.press(`[data-testid="metric-${metric}"]`);
      await browser.press('[data-testid="metrics-start"]');
      await browser.within('[data-testid="metrics-run"] h2', 'Done');
      const means = ({ scores }: Report): (number | null)[] =>
        scores.filter(({ scope, criterion }) => scope === 'overall' && criterion === 'dino@golden').map(({ mean }) => mean);
      const wanted = means(jurorScore(SUITE, '--metrics', 'dino', '--pack', pack));
      expect(wanted).not.toEqual([]);
      const found = means(await exported(browser));
      expect(found).toHaveLength(wanted.length);
      for (const [at, mean] of wanted.entries()) expect(found[at]).toBeCloseTo(mean ?? NaN, 5);
    },
  },
  {
    does: 'rebalances attention as the command line does, to the byte',
    async run(stage) {
      await stage.browser.open(stage.address);
      const [page, shell] = await attention(stage);
      expect(page).toBe(shell);
    },
  },
  {
    does: 'writes an evidence pack that the command line reproduces, and reproduces it',
    async run({ browser, address, folder }) {
      await browser.open(address);
      await browser.press('[data-testid="export-pack"]');
      await browser.press('[data-testid="pack-full"]');
      const path = folder.write('written.zip', await browser.download('[data-testid="pack-write"]'));
      expect((JSON.parse(juror(['verify', path]).toString('utf8')) as { reproduced: boolean }).reproduced).toBe(true);
      await browser.open(address);
      await browser.choose('[data-testid="input-files"]', path);
      await browser.within(BANNER, 'Reproduced.');
      expect(numbers(await exported(browser))).toEqual(numbers(jurorScore(SUITE)));
    },
  },
  {
    does: 'shows a pack in a viewer on another page, from servers of their own',
    async run({ browser, folder }) {
      const pack = packed(folder);
      const scripts = await serveFiles({ 'juror-viewer.js': readFileSync(join(DIST, 'embed/juror-viewer.js')) }, { ranges: false });
      const packs = await serveFiles({ 'pack.zip': readFileSync(pack) }, { ranges: true });
      const host = await servePage(
        `<!doctype html><title>A project page</title><juror-viewer src="${packs.address}/pack.zip"></juror-viewer><script src="${scripts.address}/juror-viewer.js"></script>`,
      );
      await browser.goto(host.address);
      await browser.within('.status', 'Reproduced.');
      const report = jurorScore(folders(folder));
      await browser.within('[data-testid="overview-table"]', overallTotal(report, 'm'));
      await Promise.all([host, packs, scripts].map((server) => server.stop()));
    },
  },
  SPOILED_PACKS,
  {
    does: 'opens without a network after one visit, and reads files with the right numbers',
    async run({ browser, folder }) {
      writeSmallBenchmark(folder, 4);
      const zip = zipped(folder, 'small.zip', filesOf(4));
      const host = await serveSite(DIST, KEEPING_HOST);
      await browser.open(`${host.address}/`);
      await browser.some('html[data-kept="all-kept"]');
      await host.stop();
      await browser.open(`${host.address}/`);
      await browser.reload();
      await browser.within('.sources', 'Demo suite');
      await browser.ready();
      await browser.add(zip, 'small.zip');
      expect(numbers(await exported(browser))).toEqual(numbers(jurorScore(folders(folder))));
      await browser.go('#/compare');
      await browser.within('h1', 'Compare');
    },
  },
  {
    does: 'opens the single file from disk, where packs, metrics and attention work as everywhere',
    async run(stage) {
      const { browser, folder } = stage;
      const pack = packed(folder);
      const inside = join(DEMO, '../micon/Evaluation');
      await browser.open(pathToFileURL(SINGLE).href);
      expect(numbers(await exported(browser))).toEqual(numbers(jurorScore([inside])));
      await browser.choose('[data-testid="input-files"]', pack);
      await browser.within(BANNER, 'Reproduced.');
      await browser.ready();
      await measure(browser);
      expect(numbers(await exported(browser))).toEqual(numbers(jurorScore(folders(folder), '--metrics', 'ssim,mse')));
      const [page, shell] = await attention(stage);
      expect(page).toBe(shell);
    },
  },
  {
    does: 'opens a report in one file from disk and reproduces it, and measures its pictures',
    async run({ browser, folder }) {
      writeSmallBenchmark(folder, 4);
      juror(['score', ...folders(folder), '--format', 'html', '--app', SINGLE, '--pictures', 'full', '--out', folder.at('report.html')]);
      await browser.open(pathToFileURL(folder.at('report.html')).href, 'The report in this file');
      await browser.within(BANNER, 'Reproduced.');
      expect(numbers(await exported(browser))).toEqual(numbers(jurorScore(folders(folder))));
      await measure(browser);
      expect(numbers(await exported(browser))).toEqual(numbers(jurorScore(folders(folder), '--metrics', 'ssim,mse')));
    },
  },
];

/** Registers the steps as tests of one browser; `launch` gives `null` where it is not installed, and has said so. */
export function everywhere(name: string, launch: () => Promise<Driver | null>, steps = STEPS): void {
  let browser: Driver | null = null;
  test.describe.configure({ timeout: 180_000 });
  test.beforeAll(async () => {
    expect(existsSync(SINGLE), SINGLE).toBe(true);
    browser = await launch();
  });
  test.afterAll(async () => browser?.close());

  for (const { does, run } of steps) {
    test(`${name} ${does}`, async ({ baseURL }) => {
      test.skip(browser === null, `${name} is not installed`);
      const folder = new TempFolder();
      try {
        await run({ browser: browser as Driver, address: `${baseURL}`, folder });
      } finally {
        folder.remove();
      }
    });
  }
}
