/** Samples that networks measure, the packs of the tests, and how a test opens one. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { pngOf, type Report, type TempFolder } from './helpers';
import { expect } from './visits';
import { unzip } from './zip';
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

/** A field of a Protocol Buffers message: a whole number, or bytes, a text or a message. */
function field(number: number, value: number | string | Buffer): Buffer {
  const varint = (left: number): number[] => (left < 128 ? [left] : [(left % 128) | 128, ...varint(Math.floor(left / 128))]);
  if (typeof value === 'number') return Buffer.from([...varint(number * 8), ...varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
}

/** The field numbers of `onnx.proto` for a value with a type and a shape. */
const valueInfo = (name: string, shape: number[]): Buffer => {
  const dimensions = shape.map((size) => field(1, field(1, size)));
  const tensor = Buffer.concat([field(1, 1), field(2, Buffer.concat(dimensions))]);
  return Buffer.concat([field(1, name), field(2, field(1, tensor))]);
};

const node = (kind: string, inputs: string[], output: string): Buffer =>
  Buffer.concat([...inputs.map((input) => field(1, input)), field(2, output), field(4, kind)]);

/** An ONNX graph whose weights are a few bytes, and which needs more memory at work than a Wasm module can have. */
function hungryGraph(): Buffer {
  const side = Buffer.alloc(32);
  [1, 1, 40_000, 40_000].forEach((size, at) => side.writeBigInt64LE(BigInt(size), at * 8));
  const shape = Buffer.concat([field(1, 4), field(2, 7), field(8, 'shape'), field(9, side)]);
  const graph = [
    field(1, node('ReduceMax', ['pixel_values'], 'largest')),
    field(1, node('Expand', ['largest', 'shape'], 'wide')),
    field(1, node('ReduceMax', ['wide'], 'tokens')),
    field(2, 'hungry'),
    field(5, shape),
    field(11, valueInfo('pixel_values', [1, 3, 28, 28])),
    field(12, valueInfo('tokens', [1, 17, 32])),
  ];
  return Buffer.concat([field(1, 8), field(7, Buffer.concat(graph)), field(8, field(2, 17))]);
}

type PackList = { files: { name: string; bytes: number; sha256: string }[]; nodes: Record<string, { weights: string[] }> };

/** A sound pack for DINO whose graph stops the module that runs it, once it has read a golden case. */
export function writeHungryPack(folder: TempFolder, name: string): void {
  const graph = hungryGraph();
  for (const { name: file, data } of unzip(readFileSync(packOf('dino')))) {
    if (file === 'image.data') continue;
    const list = file === 'pack.json' ? (JSON.parse(Buffer.from(data).toString('utf8')) as PackList) : null;
    if (list !== null) {
      list.files = list.files.filter((one) => one.name !== 'image.data');
      const listed = list.files.find((one) => one.name === 'image.onnx')!;
      Object.assign(listed, { bytes: graph.length, sha256: createHash('sha256').update(graph).digest('hex') });
      list.nodes.image!.weights = [];
    }
    folder.write(`${name}/${file}`, list !== null ? JSON.stringify(list) : file === 'image.onnx' ? graph : data);
  }
}
