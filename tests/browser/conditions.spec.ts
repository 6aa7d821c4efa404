/** MultiRef-Bench's conditions from files made elsewhere: what can be computed, what is missing, and the command line's numbers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TempFolder, exportedReport, juror, jurorScore, numbers, openFolders, openPage, png } from './helpers';
import { expect, test } from './visits';

let folder: TempFolder;
test.beforeEach(() => {
  folder = new TempFolder();
});
test.afterEach(() => folder.remove());

/** A JPEG file, whose grey is its luma where it is a reference. */
function jpeg(): Buffer {
  const { files } = JSON.parse(readFileSync(join(__dirname, '../golden/jpeg.json'), 'utf8')) as { files: { jpeg: string }[] };
  return Buffer.from(files[0]?.jpeg ?? '', 'hex');
}

/** A vector as NumPy writes it. */
function npy(numbers: number[]): Buffer {
  const header = Buffer.from(`{'descr': '<f8', 'fortran_order': False, 'shape': (${numbers.length},), }\n`);
  const head = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length % 256, Math.floor(header.length / 256)]);
  return Buffer.concat([head, header, Buffer.from(Float64Array.from(numbers).buffer)]);
}

/** Three samples with depth, edges, mask and subject; of the last the mask is missing, and nothing was evaluated. */
function write(): string[] {
  const grey = (level: number): Buffer => png(16, 16, [level, level, level]);
  const entries = (model?: string): object[] =>
    [0, 1, 2].map((at) => {
      const conditions = {
        depth_path: `images/depth_${at}.png`,
        canny_path: `images/canny_${at}.png`,
        mask_path: `images/mask_${at}.png`,
        subject_paths: [`images/subject_${at}.png`],
      };
      folder.write(`MultiRef/images/answer_${at}.png`, grey(90));
      // What a file is its content says, not its name.
      folder.write(`MultiRef/images/depth_${at}.png`, at === 0 ? jpeg() : grey(128));
      folder.write(`MultiRef/images/canny_${at}.png`, grey(0));
      folder.write(`MultiRef/images/mask_${at}.png`, grey(255));
      folder.write(`MultiRef/images/subject_${at}.png`, grey(40));
      const entry = {
        original_image_path: `images/answer_${at}.png`,
        conditions,
        instructions: {
          conditions: ['depth', 'canny', 'mask', 'subject'],
          image_path_mapping: {
            depth_image: conditions.depth_path,
            canny_image: conditions.canny_path,
            mask_image: conditions.mask_path,
            subject_1: conditions.subject_paths[0],
          },
          original_prompts: 'Draw it.',
        },
      };
      if (model === undefined) return entry;
      folder.write(`${model}/images/out_${at}.png`, grey(100));
      folder.write(`${model}/depth/answer_${at}.png`, grey(64 + at));
      if (at < 2) folder.write(`${model}/mask/answer_${at}.png`, grey(at === 0 ? 255 : 0));
      folder.write(`${model}/subject/answer_${at}.npy`, npy([3, 4]));
      folder.write(`references/subject/answer_${at}.npy`, npy([4, 3]));
      return { ...entry, results: { image_path: `images/out_${at}.png`, model_name: model } };
    });
  folder.write('MultiRef/benchmark990v3.json', JSON.stringify(entries()));
  folder.write('alpha/results.json', JSON.stringify(entries('alpha')));
  return ['MultiRef', 'alpha', 'references'].map((one) => folder.at(one));
}

test('conditions are computed from files that are open, and the report has the command line’s numbers', async ({ page }) => {
  const folders = write();
  await openPage(page);
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  await expect(page.getByTestId('conditions-ready')).toHaveText('11');
  await expect(page.getByTestId('conditions-done')).toHaveText('0');
  await expect(page.getByTestId('conditions-missing')).toHaveText('1 file: alpha/mask/answer_2.png');
  const before = await exportedReport(page);
  expect(numbers(before)).toEqual(numbers(jurorScore(folders)));
  await page.getByTestId('conditions-start').click();
  await expect(page.getByTestId('conditions-done')).toHaveText('11');
  await expect(page.getByTestId('conditions-ready')).toHaveText('0');
  await expect(page.getByTestId('conditions-start')).toBeDisabled();
  const report = await exportedReport(page);
  expect(numbers(report)).toEqual(numbers(JSON.parse(juror(['score', ...folders, '--conditions']).toString('utf8'))));
  expect(numbers(report)).not.toEqual(numbers(before));
  const mean = (criterion: string): number | null | undefined => report.scores.find((row) => row.scope === 'overall' && row.criterion === criterion)?.mean;
  expect(mean('mask')).toBe(0.5);
  expect(mean('subject')).toBe(0.96);
  // They are kept with the pasted replies, so that they are there after a reload.
  await page.goto('./#/');
  await page.reload();
  await openFolders(page, folders);
  await page.goto('./#/metrics');
  await expect(page.getByTestId('conditions-done')).toHaveText('11');
});

test('other benchmarks have no such section', async ({ page }) => {
  await openPage(page);
  await page.goto('./#/metrics');
  await expect(page.getByTestId('metrics-pairs')).toBeVisible();
  await expect(page.getByTestId('conditions')).toHaveCount(0);
});
