/**
 * Checks of the GPU's twins in Chromium, where SwiftShader stands in for a GPU: as many of the list that runs natively as
 * bring every shader to run, and those that must tell another picture apart.
 *
 * `cargo xtask test browser` builds them and names their folder by `JUROR_GPU_CHECKS`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '../../www/node_modules/@playwright/test';
import { ROOT } from './helpers';
import { launch, serveFolder, type ServedFolder } from './server';

test.use({ launchOptions: launch('--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan') });

const FOLDER = process.env.JUROR_GPU_CHECKS ?? resolve(__dirname, '../../www/node_modules/.juror/gpu-checks');

/** One for each shader, with the sibling that must fail where it is a check of its own. */
const CHOSEN = [
  'metrics_of_whole_numbers_are_the_cpus_to_the_bit',
  'another_picture_is_told_apart_by_metrics_of_whole_numbers',
  'ssim_and_ms_ssim_are_the_cpus_within_their_tolerance',
  'another_picture_is_told_apart_by_every_ssim',
  'pillows_resampling_is_exact',
  'opencvs_resampling_is_exact_but_for_areas_of_parts_which_are_one_level_off_at_most',
  'compositing_is_exact_and_another_layer_told_apart',
  'change_maps_are_exact_and_one_sample_more_is_told_apart',
  'attention_before_and_after_agrees_in_every_focus',
  'attention_with_other_weights_is_told_apart',
];

/** The shaders by the names that the crate gives them. */
function shaders(): string[] {
  const [, list = ''] = /enum Kernel \{([^}]*)\}/.exec(readFileSync(join(ROOT, 'crate/juror_gpu/src/kernel.rs'), 'utf8')) ?? [];
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .sort();
}

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

test("every shader of the GPU's twins passes its check in Chromium", async ({ page }) => {
  test.setTimeout(600_000);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const ran = new Set<string>();
  await page.exposeFunction('tellShader', (label: string) => void ran.add(label));
  await page.addInitScript(() => {
    const create = GPUDevice.prototype.createComputePipeline;
    GPUDevice.prototype.createComputePipeline = function (descriptor) {
      (window as unknown as { tellShader(label: string): void }).tellShader(descriptor.label ?? '');
      return create.call(this, descriptor);
    };
  });
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
  await expect.poll(() => said.join('\n')).toContain('no check is not among the checks');
  await page.reload();
  expect(ran).toEqual(new Set());
  expect(names.length).toBeGreaterThan(25);
  expect(CHOSEN.filter((name) => !names.includes(name))).toEqual([]);
  const failed: string[] = [];
  let adapter = '';
  for (const name of CHOSEN) {
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
  expect(shaders().length).toBeGreaterThan(20);
  await expect.poll(() => [...ran].sort()).toEqual(shaders());
});
