/** Samples that networks measure, the packs of the tests, and how a test opens one. */
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { pngOf, type Report, type TempFolder } from './helpers';
import { expect } from './visits';
import type { Page } from '../../www/node_modules/@playwright/test';

const PACKS = join(__dirname, '../golden/packs');
/** A narrow network with random weights, as a ZIP. */
export const packOf = (name: string): string => join(PACKS, `${name}.zip`);

/** A picture in which something is to be seen. */
export function picture(seed: number): Buffer {
  const rows = Array.from({ length: 40 }, (_, y) => [0, ...Array.from({ length: 3 * 48 }, (_, at) => (at * (seed + 3) + y * (7 + seed)) % 256)]);
  return pngOf(48, 40, deflateSync(Uint8Array.from(rows.flat())));
}

/** Two samples of MultiRef-Bench whose subject, caption, sketch and pose nobody has evaluated. */
export function writeSamples(folder: TempFolder): string[] {
  const entries = (model?: string): object[] =>
    [0, 1].map((at) => {
      const conditions = {
        sketch_path: `images/sketch_${at}.png`,
        pose_path: `images/pose_${at}.png`,
        subject_paths: [`images/subject_${at}.png`],
        caption: 'A block.',
      };
      for (const [nth, name] of ['answer', 'sketch', 'subject', 'pose'].entries()) folder.write(`MultiRef/images/${name}_${at}.png`, picture(at + 2 * nth));
      const entry = {
        original_image_path: `images/answer_${at}.png`,
        conditions,
        instructions: {
          conditions: ['sketch', 'pose', 'subject', 'caption'],
          image_path_mapping: {
            sketch_image: conditions.sketch_path,
            pose_image: conditions.pose_path,
            subject_1: conditions.subject_paths[0],
          },
          original_prompts: 'Draw it.',
        },
      };
      if (model === undefined) return entry;
      folder.write(`${model}/images/out_${at}.png`, picture(9 + at));
      return {
        ...entry,
        results: { image_path: `images/out_${at}.png`, model_name: model },
      };
    });
  folder.write('MultiRef/benchmark990v3.json', JSON.stringify(entries()));
  folder.write('alpha/results.json', JSON.stringify(entries('alpha')));
  return ['MultiRef', 'alpha'].map((one) => folder.at(one));
}

export async function openPack(page: Page, name: string): Promise<void> {
  await page.getByTestId('networks-zip').setInputFiles(packOf(name));
  await expect(page.getByTestId('networks-busy')).toHaveCount(0, {
    timeout: 60_000,
  });
}

/** The means over everything, by criterion. */
export const means = (report: Report): Map<string, number | null> =>
  new Map(report.scores.filter(({ scope }) => scope === 'overall').map(({ criterion, mean }) => [criterion, mean]));
