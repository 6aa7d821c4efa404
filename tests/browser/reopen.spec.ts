/** What was opened before is opened again from its handles; folders of the page's own file system stand in for picked ones. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import { TempFolder, exportedReport, jurorScore, numbers, openPage, settled, writeSmallBenchmark } from './helpers';
import { expect, test } from './visits';

/** Puts a folder into the page's own file system, and lets the picker give it. */
async function pick(page: Page, folder: TempFolder, name: string): Promise<void> {
  const paths = readdirSync(folder.at(name), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = paths.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return { parts: path.slice(folder.path.length + 1).split('/'), data: readFileSync(path).toString('base64') };
  });
  await page.evaluate(
    async ({ files, name }) => {
      const root = await navigator.storage.getDirectory();
      for (const { parts, data } of files) {
        let at = root;
        for (const part of parts.slice(0, -1)) at = await at.getDirectoryHandle(part, { create: true });
        const writable = await (await at.getFileHandle(parts.at(-1) ?? '', { create: true })).createWritable();
        await writable.write(Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)));
        await writable.close();
      }
      window.showDirectoryPicker = () => root.getDirectoryHandle(name);
    },
    { files, name },
  );
  await page.getByRole('button', { name: 'Open folder…' }).click();
  await settled(page, name);
}

/** What this browser keeps of what was open: the number and the name of each. */
const kept = (page: Page): Promise<{ id: string; name: string }[]> =>
  page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'juror')) return [];
    const request = indexedDB.open('juror');
    await new Promise((resolve) => (request.onsuccess = resolve));
    const db = request.result;
    try {
      const all = db.transaction('opened').objectStore('opened').getAll() as IDBRequest<{ id: string; name: string }[]>;
      await new Promise((resolve) => (all.onsuccess = resolve));
      return all.result.map(({ id, name }) => ({ id, name }));
    } finally {
      db.close();
    }
  });

/** Waits until that is one entry of this name, and another one than before; it is written after all else is done. */
async function expectKept(page: Page, wanted: string, before = ''): Promise<string> {
  await expect.poll(async () => (await kept(page)).filter(({ id }) => id !== before).map(({ name }) => name)).toEqual([wanted]);
  return (await kept(page))[0]?.id ?? '';
}

const again = (page: Page) => page.getByRole('menuitem', { name: /^Open again/ });

async function waysIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More ways to open' }).click();
}

test('folders that were open together are opened again after a reload, with the same numbers', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 4);
  await openPage(page);
  await waysIn(page);
  await expect(again(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  for (const name of ['bench', 'result']) await pick(page, folder, name);
  const report = jurorScore([folder.at('bench'), folder.at('result')]);
  expect(numbers(await exportedReport(page))).toEqual(numbers(report));
  let id = await expectKept(page, 'bench, result');
  for (let round = 0; round < 2; round += 1) {
    await page.goto('about:blank');
    await openPage(page);
    await waysIn(page);
    // Opened twice and still listed once.
    await expect(again(page)).toHaveText(['Open again: bench, result']);
    await again(page).click();
    await settled(page, 'bench, result');
    expect(numbers(await exportedReport(page))).toEqual(numbers(report));
    id = await expectKept(page, 'bench, result', id);
    expect(await kept(page)).toHaveLength(1);
  }
  folder.remove();
});

test('a folder is opened only with leave, which a click asks for; and what is kept can be forgotten', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 2);
  await openPage(page);
  await pick(page, folder, 'bench');
  await expectKept(page, 'bench');
  await page.goto('about:blank');
  await openPage(page);
  await page.evaluate(() => {
    const prototype = FileSystemHandle.prototype as FileSystemHandle & { asked?: number };
    prototype.queryPermission = () => Promise.resolve('prompt');
    prototype.requestPermission = () => Promise.resolve('denied');
  });
  await waysIn(page);
  await again(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'was not allowed to read it' })).toBeVisible();
  await expect(page.locator('juror-app .sources')).toHaveText('Demo suite');
  await page.evaluate(() => (FileSystemHandle.prototype.requestPermission = () => Promise.resolve('granted')));
  await waysIn(page);
  await again(page).click();
  await settled(page, 'bench');
  await waysIn(page);
  await page.getByRole('menuitem', { name: 'Forget what was open before' }).click();
  await expect.poll(() => kept(page)).toEqual([]);
  await waysIn(page);
  await expect(again(page)).toHaveCount(0);
  folder.remove();
});
