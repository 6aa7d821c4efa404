import { join } from 'node:path';
import { test, type Page } from '../../www/node_modules/@playwright/test';
import { closeAll } from './helpers';

const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const only = process.env.JUROR_SHOTS_ONLY?.split(',');

async function shot(page: Page, name: string, fullPage = true): Promise<void> {
  if (fullPage) await showLazyPictures(page);
  await page.waitForTimeout(250);
  await page.screenshot({ path: join(test.info().config.rootDir, 'shots', `${name}.png`), fullPage });
}

/** Pictures below the fold load when they come near the window. */
async function showLazyPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo(0, top);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    scrollTo(0, 0);
  });
}

async function go(page: Page, hash: string): Promise<void> {
  await page.goto(`./${hash}`);
  await page.reload();
  await page.waitForSelector('html[data-engine="ready"]');
  await page.waitForSelector('html[data-phase="done"]');
  await page.waitForTimeout(300);
}

for (const [device, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const tag = `${device}-${colorScheme}`;
    if (only !== undefined && !only.includes(tag)) continue;
    test(tag, async ({ browser }) => {
      const page = await browser.newPage({ viewport, colorScheme, deviceScaleFactor: 1 });
      page.on('console', (message) => {
        if (message.type() === 'error') console.log(`${tag}: console: ${message.text()}`);
      });
      page.on('pageerror', (error) => console.log(`${tag}: page error: ${error.message}`));

      await go(page, '#/');
      await shot(page, `${tag}-overview`);
      // The README shows this one.
      if (tag === 'desk-light') await page.screenshot({ path: join(test.info().config.rootDir, '../../www/screenshot.jpg'), type: 'jpeg', quality: 80 });
      await page.getByTestId('overview-table').locator('td button').first().click();
      await shot(page, `${tag}-cell`, false);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'More ways to open' }).click();
      await shot(page, `${tag}-menu`, false);
      await page.keyboard.press('Escape');
      await go(page, '#/?scope=domain&profile=released');
      await shot(page, `${tag}-overview-domains`, false);

      await go(page, '#/compare?a=aurora-synth&b=basalt-synth');
      await page.getByTestId('compare-samples').waitFor();
      await shot(page, `${tag}-compare`);
      for (const view of ['rate', 'agreement', 'lint', 'statistics', 'judge', 'metrics', 'make']) {
        await go(page, `#/${view}`);
        await shot(page, `${tag}-${view}`);
      }
      await go(page, '#/rate');
      await page.getByTestId('rate-name').fill('ann');
      await page.getByTestId('rate-start').click();
      await page.getByTestId('rate-criterion').first().waitFor();
      await shot(page, `${tag}-rate-desk`);
      for (const kind of ['', '/references', '/distribution', '/heat', '/difference', '/scatter']) {
        await go(page, `#/plots${kind}?demo=multibanana`);
        await page.getByTestId('sentence').waitFor();
        await shot(page, `${tag}-plots-${kind === '' ? 'scores' : kind.slice(1)}`);
      }

      await go(page, '#/samples');
      await shot(page, `${tag}-samples`, false);
      await go(page, '#/samples?look=grid');
      await page.locator('juror-samples .card').first().waitFor();
      await shot(page, `${tag}-samples-grid`, false);
      await go(page, '#/samples?text=nothing+has+this');
      await shot(page, `${tag}-samples-empty`, false);
      await go(page, '#/samples?q=taks:add');
      await page.getByTestId('filter-fault').waitFor();
      await shot(page, `${tag}-samples-fault`, false);

      await go(page, '#/samples');
      await page.getByTestId('sample-row').first().click();
      await page.getByTestId('turn').first().waitFor();
      await shot(page, `${tag}-sample`);
      await page.getByTestId('turn').first().locator('juror-output').last().locator('.toggle').last().click();
      await page.getByTestId('turn').first().scrollIntoViewIfNeeded();
      await shot(page, `${tag}-sample-top`, false);
      await page.getByTestId('open-request').first().dispatchEvent('click');
      await page.getByTestId('copy-prompt').waitFor();
      await shot(page, `${tag}-request`, false);
      await page.getByTestId('paste-text').fill('{"score": 8, "reasoning": "Both requirements are met."}');
      await page.waitForTimeout(500);
      await page.getByTestId('paste-status').scrollIntoViewIfNeeded();
      await shot(page, `${tag}-paste-good`, false);
      await page.getByTestId('paste-text').fill('I would give it an 8.');
      await page.waitForTimeout(500);
      await page.getByTestId('paste-save').click();
      await shot(page, `${tag}-paste-bad`, false);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Generator input' }).first().click();
      await page.waitForTimeout(300);
      await shot(page, `${tag}-input`, false);
      await page.keyboard.press('Escape');
      await page.locator('juror-output .picture').first().dispatchEvent('click');
      await shot(page, `${tag}-lightbox`, false);
      for (const [key, mode] of [
        ['s', 'side'],
        ['w', 'swipe'],
        ['d', 'difference'],
        ['m', 'map'],
      ] as const) {
        await page.keyboard.press(key);
        await page.waitForTimeout(300);
        await shot(page, `${tag}-pictures-${mode}`, false);
      }
      await page.keyboard.press('Escape');
      await page.locator('juror-sample juror-lightbox dialog').waitFor({ state: 'hidden' });
      await page.keyboard.press('?');
      await shot(page, `${tag}-help`, false);
      await page.keyboard.press('Escape');

      await go(page, '#/incidents');
      await shot(page, `${tag}-incidents`);
      await go(page, '#/about');
      await shot(page, `${tag}-about`);
      await go(page, '#/manual/samples');
      await shot(page, `${tag}-manual`, false);
      await page.goto('./#/sample/3?bench=multibanana&models=alpha,beta&see=swipe&pictures=p1,o0.alpha');
      await page.getByTestId('missing-data').waitFor();
      await shot(page, `${tag}-missing-data`, false);
      await go(page, '#/');
      await closeAll(page);
      await shot(page, `${tag}-nothing-open`, false);
      await page.close();
    });
  }
}
