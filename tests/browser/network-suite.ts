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

/** A picture of one colour, which narrow networks tell from other colours. */
function plain(colour: readonly number[]): Buffer {
  const row = [0, ...Array.from({ length: 48 }, () => colour).flat()];
  return pngOf(48, 40, deflateSync(Uint8Array.from(Array.from({ length: 40 }, () => row).flat())));
}

/** Samples of MultiRef-Bench by the colours of answer, subject and output. */
export function writeColours(folder: TempFolder, samples: readonly (readonly number[])[][]): string[] {
  const entries = (isOutput: boolean): object[] =>
    samples.map(([answer = [], subject = [], output = []], at) => {
      const paths = { subject_1: `images/subject_${at}.png` };
      folder.write(`MultiRef/images/answer_${at}.png`, plain(answer));
      folder.write(`MultiRef/${paths.subject_1}`, plain(subject));
      folder.write(`alpha/images/out_${at}.png`, plain(output));
      return {
        original_image_path: `images/answer_${at}.png`,
        conditions: { subject_paths: [paths.subject_1], caption: 'A block.' },
        instructions: { conditions: ['subject', 'caption'], image_path_mapping: paths, original_prompts: 'Draw it.' },
        ...(isOutput ? { results: { image_path: `images/out_${at}.png`, model_name: 'alpha' } } : {}),
      };
    });
  folder.write('MultiRef/benchmark990v3.json', JSON.stringify(entries(false)));
  folder.write('alpha/results.json', JSON.stringify(entries(true)));
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

/** Two cases of MICON-Bench's Object task with box files; the second output lacks the hat. */
export function writeObjects(folder: TempFolder): string[] {
  const boxes = (found: object): string => JSON.stringify({ format: 'juror-boxes/1', detector: 'a detector', boxes: found });
  const task = 'object_composition';
  for (const [at, name] of ['case_0001', 'case_0002'].entries()) {
    for (const [nth, [label, object]] of [['RA', 'cat'] as const, ['RB', 'hat'] as const].entries()) {
      folder.write(`bench/data/${task}/refs/${name}_${label}.png`, picture(3 * at + nth));
      folder.write(`bench/data/boxes/${task}/${name}.${label}.json`, boxes({ [object]: [2, 1, 42, 38] }));
    }
    const refs = ['RA', 'RB'].map((label) => `  ${label}: data/${task}/refs/${name}_${label}.png\n`).join('');
    const card = `task_type: ${task}\ncase_id: ${name}\nrefs:\n${refs}generation_prompt: A cat with a hat.\ngoal: One scene.\nconstraints_hard:\n  - all there\nconstraints_soft: []\nparticipating_dimensions: [A, B]\n`;
    folder.write(`bench/data/${task}/cases/${name}.yaml`, card);
    folder.write(`outputs/generations/alpha/${task}/${name}.png`, picture(9 + at));
    const hat = at === 0 ? [6, 4, 46, 40] : null;
    folder.write(`outputs/generations/alpha/boxes/${task}/${name}.json`, boxes({ cat: [0, 0, 36, 39], hat }));
  }
  return ['bench', 'outputs'].map((one) => folder.at(one));
}
