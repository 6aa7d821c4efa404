/**
 * The checks of the GPU's twins in Chromium, where SwiftShader stands in for a GPU: the same list that runs natively.
 *
 * `cargo xtask test browser` builds them and names their folder by `JUROR_GPU_CHECKS`.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '../../www/node_modules/@playwright/test';
import { launch, serveFolder, type ServedFolder } from './server';

test.use({ launchOptions: launch('--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan') });

const FOLDER = process.env.JUROR_GPU_CHECKS ?? resolve(__dirname, '../../www/node_modules/.juror/gpu-checks');

interface Checks {
  default(): Promise<unknown>;
  names(): string[];
  check(name: string): Promise<string>;
}

let server: ServedFolder | undefined;

test.beforeAll(async () => {
  if (process.env.JUROR_GPU_CHECKS === undefined && !existsSync(join(FOLDER, 'checks.js'))) {
    console.log(`SKIPPED: ${FOLDER} is absent; \`cargo xtask test browser\` builds it`);
    test.skip();
  }
  server = await serveFolder(FOLDER);
});

test.afterAll(() => server?.close());

test("every check of the GPU's twins passes in Chromium", async ({ page }) => {
  test.setTimeout(1_200_000);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const { address } = server!;
  const names = await page.goto(address).then(() =>
    page.evaluate(async (from) => {
      const checks = (await import(from)) as Checks;
      await checks.default();
      return checks.names();
    }, `${address}checks.js`),
  );
  const outcomeOf = (name: string): Promise<string> => {
    said.length = 0;
    return page.evaluate(
      async ([from, wanted]) => {
        const checks = (await import(from)) as Checks;
        await checks.default();
        // A panic is told on the way; the promise that it leaves behind never settles.
        const stopped = new Promise<string>((settle) => addEventListener('error', (event) => settle(`stopped: ${event.message}`)));
        return Promise.race([checks.check(wanted).then((named) => `passed on ${named}`, String), stopped]);
      },
      [`${address}checks.js`, name] as const,
    );
  };
  // The sibling that must fail: a panic is seen as such.
  expect(await outcomeOf('no check')).toContain('stopped: ');
  expect(said.join('\n')).toContain('no check is not among the checks');
  await page.reload();
  const failed: string[] = [];
  let adapter = '';
  for (const name of names) {
    const begin = Date.now();
    const outcome = await outcomeOf(name);
    console.log([`${name}: ${outcome}, ${((Date.now() - begin) / 1000).toFixed(1)} s`, ...said].join('\n  '));
    if (outcome.startsWith('passed on ')) adapter = outcome.slice('passed on '.length);
    else {
      failed.push([`${name}: ${outcome}`, ...said].join('\n'));
      // What panicked is of no use any more.
      await page.reload();
    }
  }
  expect(failed).toEqual([]);
  expect(adapter).not.toBe('');
  expect(names.length).toBeGreaterThan(25);
});
