/** The first seconds on a slow machine: nothing that was drawn moves, and no model that has scores is said to have none. */
import { test, type Page } from '../../www/node_modules/@playwright/test';
import { openPage } from './helpers';
import { expect } from './visits';

const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

interface Seen {
  shift: number;
  moved: string[];
  tables: string[];
}

/** Notes every layout shift and every text of the score table from the page's beginning on. */
async function watch(page: Page): Promise<() => Promise<Seen>> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] };
    const seen: Seen = { shift: 0, moved: [], tables: [] };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        seen.shift += value;
        for (const { previousRect: from, currentRect: to } of sources) seen.moved.push(`${from.x},${from.y} to ${to.x},${to.y}: ${value}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
    const look = (): void => {
      const overview = document.querySelector('juror-app')?.shadowRoot?.querySelector('juror-overview')?.shadowRoot;
      const text = overview?.querySelector('juror-score-table')?.shadowRoot?.textContent ?? '';
      if (text !== '' && seen.tables.at(-1) !== text) seen.tables.push(text);
      requestAnimationFrame(look);
    };
    look();
  });
  return () => page.evaluate(() => (window as unknown as { seen: Seen }).seen);
}

for (const [device, viewport] of Object.entries(SIZES)) {
  test(`the demo suite comes without moving what was drawn, and no model is called unjudged on the way (${device})`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const seen = await watch(page);
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: 6 });
    await openPage(page);
    // What the whole engine adds is the last thing that comes.
    await expect(page.getByTestId('reading')).toBeVisible();
    await expect(page.getByTestId('notices')).toBeVisible();
    const { shift, moved, tables } = await seen();
    expect(shift, moved.join('\n')).toBeLessThanOrEqual(0.02);
    expect(tables.length).toBeGreaterThan(0);
    for (const text of tables) expect(text).not.toMatch(/not judged/i);
    // What moves is seen: a line above everything else.
    await page.evaluate(async () => {
      const line = Object.assign(document.createElement('p'), { textContent: 'moved' });
      line.style.height = '120px';
      document.querySelector('juror-app')?.shadowRoot?.querySelector('main')?.before(line);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
    await expect.poll(async () => (await seen()).shift).toBeGreaterThan(0.02);
  });
}
