/** Folders as all that is open. */
import type { Page } from '../../www/node_modules/@playwright/test';
import { openFolders } from './helpers';

/** Opens folders, one after another, in a new document of the page that reads no demo suite before them. */
export async function openAlone(page: Page, folders: string[]): Promise<void> {
  await page.goto('about:blank');
  await page.goto('./#/?bench=none');
  await page.waitForSelector('html[data-engine="ready"]');
  await openFolders(page, folders);
}
