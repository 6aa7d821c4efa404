/** An engine whose thread stands still is reported, and can be started again. */
import { expect, test } from '../../www/node_modules/@playwright/test';
import { openPage, shownMean } from './helpers';

/** More than the page waits for an answer. */
const LONG_MS = 40_000;
const SILENT = '[data-testid="silent"]';

/** The engine's worker. */
async function engineOf(page: import('../../www/node_modules/@playwright/test').Page) {
  const find = () => page.workers().find((worker) => worker.url().includes('engine.worker'));
  await expect.poll(() => find() !== undefined).toBe(true);
  return find()!;
}

test('an engine that stops answering is reported, and a reload reads everything again', async ({ page }) => {
  await page.clock.install();
  await openPage(page);
  const before = await shownMean(page, 'aurora-synth').innerText();
  const engine = await engineOf(page);
  // Never answers again; the call itself never ends either.
  void engine
    .evaluate(
      () =>
        void setTimeout(() => {
          for (;;);
        }),
    )
    .catch(() => undefined);
  await expect
    .poll(async () => {
      await page.clock.runFor(LONG_MS);
      return page.locator(SILENT).count();
    })
    .toBe(1);
  await expect(page.locator(SILENT)).toContainText('The engine stopped answering. It has not answered for 30 s');
  await page.locator(SILENT).getByRole('button', { name: 'Reload engine' }).click();
  await expect(page.locator(SILENT)).toHaveCount(0);
  await page.clock.resume();
  await expect(shownMean(page, 'aurora-synth')).toHaveText(before);
});

test('an engine that answers again is no longer reported', async ({ page }) => {
  await page.clock.install();
  await openPage(page);
  const engine = await engineOf(page);
  const held = engine.evaluate(
    () =>
      new Promise<void>((resolve) =>
        setTimeout(() => {
          for (const end = Date.now() + 8_000; Date.now() < end;);
          resolve();
        }),
      ),
  );
  await expect
    .poll(async () => {
      await page.clock.runFor(LONG_MS);
      return page.locator(SILENT).count();
    })
    .toBe(1);
  await held;
  await expect(page.locator(SILENT)).toHaveCount(0);
});

test('an engine that answers is never reported, however much time passes', async ({ page }) => {
  await page.clock.install();
  await openPage(page);
  const engine = await engineOf(page);
  for (let step = 0; step < 20; step += 1) {
    await page.clock.runFor(5_000);
    // Its answer to what was sent before is on its way to the page by then.
    await engine.evaluate(() => 0);
    await page.evaluate(() => 0);
    expect(await page.locator(SILENT).count()).toBe(0);
  }
});
