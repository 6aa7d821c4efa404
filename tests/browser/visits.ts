/**
 * Tests that only visit the page: one context of the browser for all of a worker, emptied between them, so that the page and
 * its Wasm are fetched and compiled once.
 *
 * Storage, routes, permissions and what listens to requests are taken back. A clock, a script that runs first in each page, or
 * a lost network would reach the next test; such tests take the `test` of Playwright, with a context of their own.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test as base, type BrowserContext, type CDPSession, type Page } from '../../www/node_modules/@playwright/test';
import { DIST, launch } from './server';

export { expect };

/** Modules that few visits fetch, and whose compiling takes as long as that of all others. */
const SELDOM_FETCHED = /^juror_(gpu|make|networks)_/;

/** A context that stays. */
interface Kept {
  context: BrowserContext;
  /** A page of the same server that holds the modules compiled: as long as it is open its process is kept, and pages share both. */
  keeper: Page;
  session: CDPSession;
}

export const test = base.extend<object, { kept: Kept }>({
  launchOptions: [launch('--process-per-site'), { scope: 'worker' }],
  kept: [
    async ({ browser }, use, { project }) => {
      const context = await browser.newContext({
        baseURL: project.use.baseURL,
        ...project.use.contextOptions,
      });
      const keeper = await context.newPage();
      await keeper.goto('./icon.svg');
      await keeper.evaluate(
        async (names) => {
          const modules = names.map((name) => WebAssembly.compileStreaming(fetch(`./assets/${name}`)));
          Object.assign(window, { modules: await Promise.all(modules) });
        },
        readdirSync(join(DIST, 'assets')).filter((name) => name.endsWith('.wasm') && !SELDOM_FETCHED.test(name)),
      );
      await use({
        context,
        keeper,
        session: await context.newCDPSession(keeper),
      });
      await context.close();
    },
    { scope: 'worker' },
  ],
  context: ({ kept }, use) => use(kept.context),
  page: async ({ kept: { context, keeper, session } }, use) => {
    await use(await context.newPage());
    for (const page of context.pages()) if (page !== keeper) await page.close();
    context.removeAllListeners('request');
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.clearPermissions();
    await session.send('Storage.clearDataForOrigin', {
      origin: new URL(keeper.url()).origin,
      storageTypes: 'all',
    });
  },
});
