/** Packs that somebody forged in each way that the command line's tests know: the page and a viewer find what `juror verify` finds. */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator, Page } from '../../www/node_modules/@playwright/test';
import type { PackFinding } from '../../www/src/engine/types/PackFinding';
import type { PackVerification } from '../../www/src/engine/types/PackVerification';
import { CLI, DEMO, TempFolder, openPage } from './helpers';
import { serveFiles, servePage } from './pages';
import { expect, test } from './visits';

/** Writes the packs: built by `cargo xtask test` beside the command line, as they are made in Rust. */
const FORGE = process.env.JUROR_FORGE ?? join(dirname(CLI), 'forge');
const SCRIPTS = join(DEMO, '../../embed');

// Every pack is made, verified, and opened twice.
test.describe.configure({ timeout: 600_000 });

const folder = new TempFolder();
let packs: { name: string; pack: Buffer; told: Told }[] = [];

/** What is said of a pack, without what only tells who checked it. */
interface Told {
  reproduced: boolean;
  covered: string;
  signed: PackVerification['signed'];
  counts: PackVerification['counts'];
  findings: PackFinding[];
}

const told = ({ reproduced, covered, signed, counts, findings }: PackVerification): Told => ({ reproduced, covered, signed, counts, findings });

test.beforeAll(() => {
  const made = spawnSync(FORGE, [folder.at('packs')], { encoding: 'utf8', env: { ...process.env, JUROR_CLI: CLI, JUROR_DEMO: dirname(DEMO) } });
  expect(made.status, made.stderr).toBe(0);
  packs = readdirSync(folder.at('packs'))
    .sort()
    .map((name) => {
      const path = folder.at(`packs/${name}`);
      const { stdout } = spawnSync(CLI, ['verify', path], { encoding: 'utf8', maxBuffer: 2 ** 28 });
      return { name, pack: readFileSync(path), told: told(JSON.parse(stdout) as PackVerification) };
    });
  // Both the sound and the forged ones are among them.
  expect(packs.filter(({ told }) => told.reproduced).length).toBeGreaterThan(5);
  expect(packs.filter(({ told }) => !told.reproduced).length).toBeGreaterThan(40);
});

test.afterAll(() => folder.remove());

/** The words of a table of findings, and all else that the banner says. */
async function toldByPage(page: Page, name: string): Promise<{ reproduced: boolean; covered: string; signed: string; rows: string[] }> {
  await page.getByTestId('input-files').setInputFiles(folder.at(`packs/${name}`));
  const banner = page.getByTestId('pack-banner').filter({ hasText: name });
  await expect(banner.getByTestId('coverage')).toBeVisible();
  const words = await banner.innerText();
  const signature = banner.getByTestId('signature');
  return {
    reproduced: words.includes('Reproduced.'),
    covered: await banner.getByTestId('coverage').innerText(),
    signed:
      (await signature.count()) === 0
        ? ''
        : ((await signature
            .locator('code')
            .getAttribute('title', { timeout: 1000 })
            .catch(() => null)) ?? 'wrong'),
    // The list is folded where it is long.
    rows: await banner.locator('tbody tr').evaluateAll((rows) =>
      rows.map((row) =>
        [...row.children]
          .map(({ textContent }) => textContent)
          .join(' ')
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    ),
  };
}

/** A finding as a row of the page's table. */
const rowOf = (names: Map<string, string>, { kind, about, sample, old, new: now }: PackFinding): string =>
  [names.get(kind) ?? kind, sample === '' ? about : `sample ${sample}: ${about}`, old, now].join(' ').replace(/\s+/g, ' ').trim();

test('every way of forging a pack gives the page the findings of the command line', async ({ page }) => {
  const names = new Map(
    [...readFileSync(join(__dirname, '../../www/src/components/pack-banner/verification.ts'), 'utf8').matchAll(/^ {2}(\w+): '([A-Z][^']*)',$/gm)].map(
      ([, kind = '', name = '']) => [kind, name],
    ),
  );
  await openPage(page);
  for (const { name, told } of packs) {
    await page.locator('[role=menuitem]', { hasText: 'Close all' }).first().dispatchEvent('click');
    await expect(page.getByRole('heading', { name: 'Open a benchmark and its results' })).toBeVisible();
    const said = await toldByPage(page, name);
    const key = told.signed === null ? '' : told.signed.key === '' ? 'wrong' : told.signed.key;
    const rows = told.findings.slice(0, 100).map((finding) => rowOf(names, finding));
    expect(said, name).toEqual({ reproduced: told.reproduced, covered: told.covered, signed: key, rows });
  }
});

test('every way of forging a pack gives a viewer the findings of the command line', async ({ page }) => {
  const scripts = await serveFiles({ 'juror-viewer.js': readFileSync(join(SCRIPTS, 'juror-viewer.js')) }, { ranges: false });
  const served = await serveFiles(Object.fromEntries(packs.map(({ name, pack }) => [name, pack])), { ranges: true });
  const host = await servePage(
    `<!doctype html><title>A project page</title><juror-viewer verify="ask"></juror-viewer><script src="${scripts.address}/juror-viewer.js"></script>`,
  );
  await page.goto(host.address);
  const viewer = page.locator('juror-viewer');
  for (const { name, told: expected } of packs) {
    const src = `${served.address}/${encodeURIComponent(name)}`;
    const found = await viewer.evaluate(async (element, src) => {
      const ready = new Promise((resolve) => element.addEventListener('juror-ready', resolve, { once: true }));
      element.setAttribute('src', src);
      await ready;
      return (element as unknown as { recompute(): Promise<PackVerification | null> }).recompute();
    }, src);
    expect(found === null ? null : told(found), name).toEqual(expected);
  }
  await Promise.all([host, served, scripts].map((server) => server.stop()));
});

/** The signature of a pack stands apart from the verdict, and its key is shown in short. */
async function expectSigner(scope: Page | Locator, key: string): Promise<void> {
  const signature = scope.getByTestId('signature');
  await expect(signature).toContainText('Signed by');
  await expect(signature).not.toContainText('Reproduced');
  const code = signature.locator('code');
  await expect(code).toHaveAttribute('title', key);
  expect((await code.innerText()).length).toBeLessThan(key.length / 2);
  await signature.getByTestId('copy-key').click();
  await expect(signature.getByRole('status')).toHaveText('Copied.');
}

test('the page and a viewer say by whom a pack is signed, and copy the whole key; a wrong signature is told as one', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const signed = packs.find(({ name }) => name === 'signed.zip');
  const key = signed?.told.signed?.key ?? '';
  expect(key).toMatch(/^RW/);
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await openPage(page);
  await page.getByTestId('input-files').setInputFiles(folder.at('packs/signed.zip'));
  const banner = page.getByTestId('pack-banner');
  await expect(banner).toContainText('Reproduced.');
  await expectSigner(banner, key);
  expect(await copied()).toBe(key);
  const scripts = await serveFiles({ 'juror-viewer.js': readFileSync(join(SCRIPTS, 'juror-viewer.js')) }, { ranges: false });
  const served = await serveFiles(Object.fromEntries(packs.map(({ name, pack }) => [name, pack])), { ranges: true });
  const viewer = (id: string, name: string): string =>
    `<juror-viewer id="${id}" verify="always" src="${served.address}/${encodeURIComponent(name)}"></juror-viewer>`;
  const host = await servePage(
    `<!doctype html><title>A project page</title>${viewer('signed', 'signed.zip')}${viewer('wrong', 'a signature that is none.zip')}<script src="${scripts.address}/juror-viewer.js"></script>`,
  );
  await page.goto(host.address);
  await expect(page.locator('#signed .status').first()).toContainText('Reproduced.');
  await expectSigner(page.locator('#signed'), key);
  await expect(page.locator('#signed').getByTestId('coverage')).toHaveText(signed?.told.covered ?? 'nothing');
  await page.locator('#wrong').scrollIntoViewIfNeeded();
  const wrong = page.locator('#wrong .status').first();
  await expect(wrong).toContainText('Does not reproduce.');
  await expect(wrong.getByTestId('signature')).toContainText('Wrong signature. The signature is not as minisign writes one.');
  await expect(wrong.getByTestId('copy-key')).toHaveCount(0);
  await Promise.all([host, served, scripts].map((server) => server.stop()));
});

test('where what decodes pictures cannot be fetched, a sound pack is not called reproduced and its measures are on trust', async ({ page, context }) => {
  await context.route(/juror_pictures/, (route) => route.abort());
  await openPage(page);
  await page.getByTestId('input-files').setInputFiles(folder.at('packs/measured.zip'));
  const banner = page.getByTestId('pack-banner');
  await expect(banner).toContainText('Not reproduced.');
  await expect(banner).toContainText('Pictures not decoded');
  const sound = packs.find(({ name }) => name === 'measured.zip')?.told.covered ?? '';
  const measured = /(\d+) measures measured again, 0 measures/.exec(sound)?.[1] ?? 'none';
  await expect(banner.getByTestId('coverage')).toContainText(`, ${measured} measures and`);
  await expect(banner.getByTestId('coverage')).not.toContainText('measured again');
});
