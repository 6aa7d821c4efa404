/** Every mean says how it was computed, with its values filled in: done again from what is printed, it comes out. */
import type { Locator, Page } from '../../www/node_modules/@playwright/test';
import { openPage, shown } from './helpers';
import { expect, test } from './visits';

/** The value of printed arithmetic: `(3·6.12 + 5.8) / 4`, `0.213 / √20`, `√(0.1² + 0.2²) / 2`. */
function valueOf(expression: string): number {
  const plain = expression
    .replaceAll('−', '-')
    .replaceAll('·', '*')
    .replaceAll('²', '**2')
    .replaceAll('⁴', '**4')
    .replace(/√(\d+)/g, 'Math.sqrt($1)')
    .replaceAll('√(', 'Math.sqrt(')
    .replace(/\b(min|max)\(/g, 'Math.$1(');
  if (!/^(?:[\d\s.(),+*/e-]|Math\.(?:sqrt|min|max))+$/.test(plain)) throw new Error(`This is no arithmetic: ${expression}`);
  return Number(new Function(`return ${plain}`)());
}

const number = (text: string): number => Number(text.replaceAll('−', '-'));

/** A printed number stands for everything that rounds to it. */
function expectPrinted(value: number, text: string, what: string): void {
  const digits = /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
  expect(Math.abs(value - number(text)), `${what}: ${value} is printed as ${text}`).toBeLessThanOrEqual(0.5000001 * 10 ** -digits);
}

const part = async (at: Locator, name: string): Promise<string> => (await at.locator(name).textContent())?.trim() ?? '';

/** Does all arithmetic of the open dialog again; gives how many parts the mean has. */
async function recompute(page: Page, what: string): Promise<{ parts: number; kind: string }> {
  const dialog = page.locator('juror-cell-dialog dialog');
  await expect(dialog.getByRole('heading', { name: '95 % interval' })).toBeVisible();
  await expect(dialog.getByTestId('row-units')).toBeAttached();
  const shown = (await dialog.locator('.big').textContent()) ?? '';
  const filled = dialog.getByTestId('mean-filled');
  const isThere = shown !== '–' && shown !== 'Not judged';
  await expect(filled).toHaveCount(isThere ? 1 : 0);
  const parts = dialog.getByTestId('mean-parts').locator('tbody tr');
  let kind = '';
  if (isThere) {
    const value = valueOf(await part(filled, '.expression'));
    const result = number(await part(filled, '.result'));
    // Each value of the sum is printed with some more digits than the mean.
    const decimals = /\.(\d+)$/.exec(shown)?.[1]?.length ?? 0;
    expect(Math.abs(value - result), `${what}: ${value} and not ${result}`).toBeLessThan(10 ** -(decimals + 3));
    const isRounded = ((await filled.textContent()) ?? '').includes('rounded to');
    if (!isRounded) expectPrinted(result, shown, what);
    expect(await part(filled, 'strong')).toBe(shown);
    const steps = dialog.getByTestId('interval-filled').locator('p');
    const ends: string[] = [];
    for (const step of await steps.all()) {
      const [name, wanted] = [await part(step, '.name'), await part(step, '.result')];
      if ((await step.locator('.expression').count()) === 0) continue;
      const found = valueOf(await part(step, '.expression'));
      expect(Math.abs(found - number(wanted)), `${what}, ${name}: ${found} and not ${wanted}`).toBeLessThan(
        Math.max(2e-3 * Math.abs(number(wanted)) * Number(name === 'degrees of freedom'), 10 ** -(decimals + 3)),
      );
      if (name.endsWith(' end')) ends.push(wanted);
      // What lies beyond the scale is cut, and the end of the scale takes its place.
      if (name.endsWith(' end, cut at the scale')) ends[ends.length - 1] = wanted;
    }
    const interval = await dialog.getByRole('heading', { name: '95 % interval' }).locator('.num').textContent();
    const printed = /^\[(\S+), (\S+)\]$/.exec(interval ?? '');
    expect(ends.length, what).toBe(printed === null ? 0 : 2);
    ends.forEach((end, at) => expectPrinted(number(end), printed?.[at + 1] ?? '', `${what}, ends`));
    kind =
      (await steps.first().locator('.name').count()) === 0
        ? 'none'
        : ((await steps.allTextContents()).join(' ').match(/SE of text turns|SE =|half-width|lower end/)?.[0] ?? '');
  }
  return { parts: await parts.count(), kind };
}

/** So many cells of a table are opened: that every row comes out again is asked of the engine, here it is asked of what is printed. */
const CELLS = 4;

const SUITES: Record<string, { addresses: string[]; parts: number }> = {
  weave: { addresses: ['', '?scope=domain', '?scope=turn&criterion=key_point'], parts: 4 },
  multibanana: { addresses: ['', '?scope=references', '?criterion=instruction_alignment'], parts: 3 },
  micon: { addresses: ['', '?scope=domain'], parts: 0 },
  vibe: { addresses: ['?scope=level', '?scope=task', '?scope=combined'], parts: 2 },
  multiref: { addresses: ['?scope=category', '?criterion=all'], parts: 3 },
};

for (const [demo, { addresses, parts: least }] of Object.entries(SUITES)) {
  for (const profile of ['paper', 'released']) {
    test(`${demo}, ${profile}: what fills the formulas in comes to the numbers that are shown`, async ({ page }) => {
      test.slow();
      let most = 0;
      for (const address of addresses) {
        const join = address === '' ? '?' : '&';
        await openPage(page, `#/${address}${join}demo=${demo}&profile=${profile}`);
        await expect(page.locator(`juror-app [aria-current="true"]`)).toBeVisible();
        const cells = page.getByTestId('overview-table').locator('tbody').first().locator('button.cell');
        await expect(cells.first()).toBeVisible();
        const number = await cells.count();
        // A row's cells are computed alike: some stand for all, spread over rows and columns by the golden ratio.
        const some = Array.from({ length: CELLS }, (_, at) => Math.floor(((at * 0.618) % 1) * number));
        for (const at of new Set(some)) {
          const cell = cells.nth(at);
          const what = `${demo}${address}, ${(await cell.getAttribute('aria-label')) ?? ''}`;
          await cell.click();
          most = Math.max(most, (await recompute(page, what)).parts);
          await page.keyboard.press('Escape');
          await expect(page.locator('juror-cell-dialog dialog')).toBeHidden();
        }
      }
      expect(most).toBeGreaterThanOrEqual(least);
    });
  }
}

test('a part of a mean leads to its own formula, and back', async ({ page }) => {
  await openPage(page, '#/?demo=multibanana');
  const cell = page.getByTestId('overview-table').locator('tbody').first().locator('button.cell').first();
  await cell.click();
  const dialog = page.locator('juror-cell-dialog dialog');
  const parts = dialog.getByTestId('mean-parts');
  const first = parts.getByRole('link').first();
  const name = (await first.textContent()) ?? '';
  const overall = await dialog.locator('.big').textContent();
  const value = await parts.locator('tbody tr').first().locator('td').nth(1).textContent();
  await first.click();
  await expect(dialog.locator('.what')).toContainText(name);
  expectPrinted(number(value ?? ''), (await dialog.locator('.big').textContent()) ?? '', name);
  await expect(dialog.locator('h2')).toBeFocused();
  await page.goBack();
  await expect(dialog.locator('.what')).toContainText('Overall');
  await expect(dialog.locator('.big')).toHaveText(overall ?? '');
  await page.goForward();
  await expect(dialog.locator('.what')).toContainText(name);
  // Whoever closes it is out of all parts that were looked at.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(cell).toBeFocused();
  // The browser has stepped back out of all of them once the address says so.
  await expect(page).not.toHaveURL(/cell=/);
  await shown(page);
  await expect(dialog).toBeHidden();
  expect(new URL(page.url()).hash).not.toContain('cell=');
});

/** The normal distribution's Φ, by the trapezoid rule over its density. */
function normal(z: number): number {
  const steps = 20_000;
  const width = z / steps;
  let sum = (1 + Math.exp((-z * z) / 2)) / 2;
  for (let at = 1; at < steps; at += 1) sum += Math.exp(-((at * width) ** 2) / 2);
  return 0.5 + (sum * width) / Math.sqrt(2 * Math.PI);
}

test('both intervals of a difference say how they were computed: ends and shares come out again', async ({ page }) => {
  await openPage(page, '#/compare?a=aurora-synth&b=cinder-synth');
  const pair = page.getByTestId('compare-pair');
  const steps = pair.getByTestId('compare-steps');
  await steps.locator('summary').click();
  const figure = (name: string): Locator => pair.locator('.figures div').filter({ hasText: name }).locator('dd');
  const ends = /^\[(\S+), (\S+)\]$/.exec((await figure('Student’s t').textContent()) ?? '');
  for (const [at, name] of ['step-low', 'step-high'].entries()) {
    const line = steps.getByTestId(name);
    const value = valueOf(await part(line, '.expression'));
    expect(Math.abs(value - number(await part(line, '.result'))), name).toBeLessThan(1e-6);
    expectPrinted(value, ends?.[at + 1] ?? '', name);
  }
  const lines = await steps.getByTestId('step-shares').locator('p').all();
  expect(lines).toHaveLength(2);
  const shares: number[] = [];
  for (const line of lines) {
    const share = 100 * normal(valueOf(await part(line, '.expression')));
    shares.push(share);
    expect(Math.abs(share - number(await part(line, '.result')))).toBeLessThan(0.001);
  }
  expect(shares[0]).toBeLessThan(50);
  expect(shares[1]).toBeGreaterThan(50);
  await expect(steps).toContainText('2,000 times');
  await expect(steps).toContainText('from seed 1;');
  const printed = (await figure('bootstrap').textContent()) ?? '';
  const exact = /the means there: \[(\S+), (\S+)\]/.exec(await steps.innerText());
  const [low, high] = /^\[(\S+), (\S+)\]$/.exec(printed)?.slice(1) ?? [];
  expectPrinted(number(exact?.[1] ?? ''), low ?? '', 'lower end');
  expectPrinted(number(exact?.[2] ?? ''), high ?? '', 'upper end');
});
