/** Whoever goes by keys stays where they are while numbers are replaced by those of pictures that were looked at. */
import type { Page } from '../../www/node_modules/@playwright/test';
import { TempFolder, closeAll, fetchEach, openFolders, openPage, writeUnjudged } from './helpers';
import { holding } from './gates';
import { expect, test } from './visits';

const BEST = 'aurora-synth';

/** The demo suite in which the best model's pictures are none: it is the best until they come. Gives what lets them come. */
async function open(page: Page, hash: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/demo/weave/result/${BEST}/imgs/*.png`, async (route) => {
    await released;
    await route.fulfill({ body: 'This is no picture.', contentType: 'image/png' });
  });
  await fetchEach(page);
  await page.goto(`./${hash}`);
  await page.waitForSelector('html[data-engine="ready"]');
  return release;
}

/** Everything was read, and the page shows it. */
async function read(page: Page): Promise<void> {
  await page.waitForSelector('html[data-phase="done"]');
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/** The name of what has the focus, at whatever depth of shadow roots. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement != null) at = at.shadowRoot.activeElement;
    return at?.getAttribute('aria-label') ?? at?.textContent ?? '';
  });

const models = (page: Page) => page.getByTestId('overview-table').locator('tbody .name');

test('a mean of the overview keeps the focus while the models change places', async ({ page }) => {
  const release = await open(page, '');
  await expect(models(page).first()).toHaveText(BEST);
  await expect(page.locator('html')).not.toHaveAttribute('data-phase', 'done');
  const cell = page
    .getByTestId('overview-table')
    .getByRole('button', { name: new RegExp(`^${BEST}, `) })
    .nth(2);
  const name = async (): Promise<string> => ((await focused(page)).match(/^[^:]*/) ?? [''])[0];
  await cell.focus();
  const before = await name();
  expect(before).toContain(BEST);
  release();
  await read(page);
  await expect(models(page).first()).not.toHaveText(BEST);
  expect(await name()).toBe(before);
});

test('a mark of a plot keeps the focus while its numbers are replaced', async ({ page }) => {
  const release = await open(page, '#/plots');
  const marks = page.locator('juror-plot-figure .mark');
  await expect(marks.first()).toBeVisible();
  await expect(page.locator('html')).not.toHaveAttribute('data-phase', 'done');
  const name = async (): Promise<string> => ((await focused(page)).match(/^\D*/) ?? [''])[0];
  await marks.first().focus();
  const before = await name();
  const words = await focused(page);
  expect(words).toContain(BEST);
  release();
  await read(page);
  await expect.poll(() => focused(page)).not.toBe(words);
  expect(await name()).toBe(before);
});

for (const look of ['list', 'grid']) {
  test(`a sample in the ${look}, the lowest first, keeps the focus while samples change places`, async ({ page }) => {
    const release = await open(page, `#/samples?sort=score_asc&look=${look}`);
    const rows = page.getByTestId('sample-row');
    await expect(rows.first()).toBeVisible();
    await expect(page.locator('html')).not.toHaveAttribute('data-phase', 'done');
    const order = (): Promise<(string | null)[]> => rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-id')));
    const at = (): Promise<string | null> =>
      page.evaluate(() => {
        let one = document.activeElement;
        while (one?.shadowRoot?.activeElement != null) one = one.shadowRoot.activeElement;
        return one?.getAttribute('data-id') ?? null;
      });
    const before = await order();
    await rows.nth(1).focus();
    expect(await at()).toBe(before[1]);
    release();
    await read(page);
    await expect.poll(order).not.toEqual(before);
    expect(await at()).toBe(before[1]);
  });
}

test('the table stays, and what has the focus keeps it, while the engine with every benchmark takes over from the first one', async ({ page }) => {
  const release = await holding(page, '**/juror_web_bg-*.wasm');
  let slow = (): Promise<void> => Promise.resolve();
  await page.route('**/demo/weave/**', async (route) => {
    await slow();
    await route.continue();
  });
  await fetchEach(page);
  await page.goto('./');
  await page.waitForSelector('html[data-phase="done"]');
  const table = page.getByTestId('overview-table');
  const cell = table.getByRole('button', { name: new RegExp(`^${BEST}, `) }).nth(2);
  await cell.focus();
  const before = await focused(page);
  expect(before).toContain(BEST);
  // Ranks come from the engine with every benchmark alone.
  await expect(table.locator('.rank')).toHaveCount(3);
  await expect(table.locator('.rank').first()).toHaveText('');
  await table.evaluate((element) => {
    const seen = new Set<string>();
    const watch = (): void => {
      seen.add(element.isConnected ? [...element.querySelectorAll('tbody .mean')].map(({ textContent }) => textContent).join(' ') : 'no table');
      document.documentElement.dataset.seen = [...seen].join('; ');
      requestAnimationFrame(watch);
    };
    watch();
  });
  // The files are read anew slowly enough for the page to draw what it would be told meanwhile.
  slow = () => new Promise((resolve) => setTimeout(resolve, 60));
  release();
  await expect(table.locator('.rank').first()).not.toHaveText('');
  await read(page);
  expect(await focused(page)).toBe(before);
  // At no time another number.
  expect((await page.locator('html').getAttribute('data-seen'))?.split('; ')).toHaveLength(1);
});

for (const order of ['whichever comes first', 'also where the files are read before their folder counts as opened']) {
  test(`who stands on Cancel when the reading ends goes on with what stands next, ${order}`, async ({ page }) => {
    const folder = new TempFolder();
    await page.addInitScript((isHeld) => {
      /** What the engine answered while it read; it is heard once all is read and drawn. */
      let held: (() => void)[] | null = null;
      window.Worker = class extends Worker {
        override addEventListener(type: string, listener: EventListenerOrEventListenerObject): void {
          const hear = (event: Event): void => (typeof listener === 'function' ? listener.call(this, event) : listener.handleEvent(event));
          super.addEventListener(type, (event) => {
            const data: unknown = event instanceof MessageEvent && isHeld && document.documentElement.dataset.watched === 'yes' ? event.data : null;
            const isAnswer = typeof data === 'object' && data !== null && 'id' in data && !('event' in data);
            if (isAnswer && held !== null) held.push(() => hear(event));
            else hear(event);
            if (typeof data !== 'object' || data === null || !('reading' in data)) return;
            if (data.reading === 'reading') held ??= [];
            else
              setTimeout(() => {
                const late = held ?? [];
                held = null;
                for (const answer of late) answer();
              }, 500);
          });
        }
      };
    }, order.startsWith('also'));
    await openPage(page);
    // Nothing of the demo suite is read any more, which closes before the folders are opened.
    await closeAll(page);
    await page.evaluate(() => {
      document.documentElement.dataset.watched = 'yes';
      const once = setInterval(() => {
        const cancel = document.querySelector('juror-app')?.shadowRoot?.querySelector('juror-progress')?.shadowRoot?.querySelector('button');
        if (cancel == null) return;
        cancel.focus();
        document.documentElement.dataset.stood = 'on Cancel';
        clearInterval(once);
      }, 1);
    });
    await openFolders(page, writeUnjudged(folder, 400));
    await expect(page.locator('html')).toHaveAttribute('data-stood', 'on Cancel');
    await expect(page.locator('juror-progress button')).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName)).toBe('INPUT');
    folder.remove();
  });
}
