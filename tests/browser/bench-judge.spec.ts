/** What a judging job costs the page in Chromium: tasks while 20 requests are in flight, and memory after 10,000; prints one Markdown table. */
import { readFileSync } from 'node:fs';
import { expect, test } from '../../www/node_modules/@playwright/test';
import { TempFolder, openFolders, openPage, unfold, writeSmallBenchmark } from './helpers';
import { JudgeServer } from './judge-server';

/** Dialogues of four requests each. */
const NUM_DIALOGUES = 2500;

test('10,000 requests, 20 in flight', async ({ browser }) => {
  const [server, folder] = [new JudgeServer(), new TempFolder()];
  const address = await server.start();
  writeSmallBenchmark(folder, NUM_DIALOGUES);
  folder.write('result/m/metrics.jsonl', '');
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  const own = async (): Promise<number> => {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    const status = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => readFileSync(`/proc/${id}/status`, 'utf8'));
    return Math.max(...status.map((text) => Number(/RssAnon:\s+(\d+) kB/.exec(text)?.[1] ?? 0) / 1024));
  };
  // Many requests are confirmed first.
  page.on('dialog', (dialog) => void dialog.accept());
  await openPage(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  await page.goto('./#/judge');
  await expect(page.getByTestId('judge-requests')).toHaveText('10,000');
  await unfold(page);
  for (const [name, value] of Object.entries({ base: address, model: 'judge-1', key: 'sk-bench-0123456789', concurrency: '20' }))
    await page.getByTestId(`judge-${name}`).fill(value);
  const before = await own();
  await page.evaluate(() => {
    const found: number[] = [];
    (window as unknown as { tasks: number[] }).tasks = found;
    new PerformanceObserver((list) => found.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  });
  const start = performance.now();
  await page.getByTestId('judge-start').click();
  await expect(page.getByTestId('job').getByRole('heading', { name: 'Done' })).toBeVisible({ timeout: 500_000 });
  const took = (performance.now() - start) / 1000;
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
  const after = await own();
  expect(server.total).toBe(4 * NUM_DIALOGUES);
  const rows = [
    ['10,000 requests, 20 in flight, answered at once', `${took.toFixed(1)} s`, '–'],
    ['longest task of the page meanwhile (tasks over 50 ms)', `${Math.max(0, ...tasks).toFixed(0)} ms (${tasks.length})`, '< 100 ms'],
    [
      'memory of the page’s process, its own: before, after; what 10,000 finished requests added',
      `${before.toFixed(0)} MiB, ${after.toFixed(0)} MiB; ${(after - before).toFixed(0)} MiB`,
      '< 300 MB',
    ],
  ];
  console.log(['', '| a judging job in Chromium | measured | aim |', '|---|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`), ''].join('\n'));
  await page.context().close();
  await server.stop();
  folder.remove();
});
