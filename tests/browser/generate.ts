/** Large benchmarks made up for timings: the same files for the same arguments, tiny but valid. */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { png, type Chat, type Dialogue } from './helpers';

const DOMAINS = ['optics', 'geography', 'edit', 'fusion', 'spatial', 'mathematics', 'chess_game', 'maze'];
/** Mostly ASCII, as judges write, with a few letters that are not. */
const WORDS = 'the picture keeps its “layout” but colours drift towards orange – edges stay crisp, naïve blocks remain where nobody asked for them'.split(' ');

/** A sequence that is the same everywhere (the constants of Numerical Recipes' 32-bit generator). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number below `end`. */
  below(end: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * end);
  }
}

/** A dialogue that edits its first picture turn by turn and ends with questions. */
export function largeDialogue(idx: number, pictureTurns: number, textTurns: number, suffix = 'png'): Dialogue {
  const chats: Chat[] = [];
  for (let turn = 0; turn < pictureTurns; turn += 1) {
    chats.push(
      { role: 'user', type: 'text', content: `Move the block in Image #${turn + 1} one step to the right.` },
      {
        role: 'assistant',
        type: 'image',
        content: `Image #${turn + 2}`,
        key_point: { [`GT #${turn + 1}`]: 'Compared to <image>, the block stands one step to the right.' },
      },
    );
  }
  for (let turn = 0; turn < textTurns; turn += 1) {
    chats.push({ role: 'user', type: 'text', content: 'Where does the block stand now?' }, { role: 'assistant', type: 'text', content: 'At the right edge.' });
  }
  const images = Array.from({ length: pictureTurns + 1 }, (_, number) => `imgs/d${idx}_${number}.${suffix}`);
  return { idx, domain: DOMAINS[idx % DOMAINS.length] ?? 'edit', images, chats };
}

function reason(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += `${text === '' ? '' : ' '}${WORDS[random.below(WORDS.length)] ?? ''}`;
  return text.slice(0, length);
}

/** The dialogue's line of `metrics.jsonl`, with a line end. */
export function largeLine({ idx, domain, chats }: Dialogue, random: Random, reasonLength: number): string {
  const verdict = (scores: number[]) => ({ score: scores[random.below(scores.length)], reasoning: reason(random, reasonLength) });
  const zeroToTen = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const line: Record<string, unknown> = { idx, domain };
  for (let at = 1; at < chats.length; at += 2) {
    line[`turn ${(at - 1) / 2}`] =
      chats[at]?.type === 'text'
        ? { accuracy: verdict([0, 5, 10]) }
        : { key_point: verdict(zeroToTen), visual_consistency: verdict(zeroToTen), image_quality: verdict(zeroToTen) };
  }
  return `${JSON.stringify(line)}\n`;
}

/** Pictures by their names' suffixes, each dialogue's of one kind; every file is the next one of its kind. */
export type Pictures = Record<string, Uint8Array[]>;

/** Writes `suite/test/…` and `suite/result/<model>/…` below `root`, with one pixel for each picture where none are given; returns how many files that are. */
export function writeSuite(root: string, numDialogues: number, models: string[], pictures?: Pictures): number {
  let files = 0;
  const write = (path: string, content: string | Uint8Array): void => {
    writeFileSync(path, content);
    files += 1;
  };
  const kinds = Object.keys(pictures ?? { png: [] });
  const dialogues = Array.from({ length: numDialogues }, (_, idx) => largeDialogue(idx, 3, idx % 9 === 0 || idx % 9 === 4 ? 2 : 1, kinds[idx % kinds.length]));
  const given = (path: string): Uint8Array | undefined => {
    const some = pictures?.[path.slice(path.lastIndexOf('.') + 1)];
    return some?.[files % some.length];
  };
  const test = join(root, 'suite/test');
  mkdirSync(join(test, 'imgs'), { recursive: true });
  write(join(test, 'test.json'), JSON.stringify(dialogues));
  const original = png(1, 1, [90, 90, 90]);
  for (const { images } of dialogues) for (const image of images) write(join(test, image), given(image) ?? original);
  models.forEach((model, at) => {
    const folder = join(root, 'suite/result', model);
    const random = new Random(at + 1);
    const picture = png(1, 1, [40 * at, 120, 200]);
    mkdirSync(join(folder, 'imgs'), { recursive: true });
    write(join(folder, 'metrics.jsonl'), dialogues.map((one) => largeLine(one, random, 136)).join(''));
    for (const { images, chats } of dialogues) {
      for (const image of images.slice(1)) write(join(folder, image), given(image) ?? picture);
      for (let turn = images.length - 1; turn < chats.length / 2; turn += 1) {
        write(join(folder, (images[0] ?? '').replace(/\.\w+$/, `_${turn}.txt`)), 'At the right edge.');
      }
    }
  });
  return files;
}

/** Twenty names of models that are long, alike in their middles, and of several scripts. */
export const LONG_NAMES: readonly string[] = [
  'flux-kontext-large-instruct-reference-conditioned-v1.2-fp16-a',
  'flux-kontext-large-instruct-reference-conditioned-v1.2-fp16-b',
  '通义万相图像生成与编辑一体化大模型参考图条件控制增强版第二代预览版本号二〇二五年十一月正式发布完整权重未量化甲',
  'نموذج توليد الصور المتقدم متعدد المراجع الإصدار الثاني التجريبي',
  ...Array.from({ length: 16 }, (_, at) => `diffusion-transformer-${String(at + 1).padStart(2, '0')}-multi-reference-editing-checkpoint-${1000 + at}`),
];

/** Copies a demo suite of WEAVEBench with its models' folders under these names, each model in turn. */
export function copyModels(demo: string, root: string, names: readonly string[]): void {
  cpSync(join(demo, 'WEAVEBench'), join(root, 'WEAVEBench'), { recursive: true });
  const models = readdirSync(join(demo, 'result')).sort();
  names.forEach((name, at) => cpSync(join(demo, 'result', models[at % models.length] ?? ''), join(root, 'result', name), { recursive: true }));
}

/** A benchmark that declares itself: so many samples of eight references each, with outputs and verdicts of the models; returns how many pictures that are. */
export function writeDeclared(root: string, numSamples: number, models: string[]): number {
  const tasks = ['add', 'style', 'pose', 'scene'];
  const names = Array.from({ length: numSamples }, (_, at) => String(at).padStart(5, '0'));
  const declaration = {
    format: 'juror-protocol/1',
    id: 'eight-references',
    title: 'Eight references',
    words: { sample: 'case', samples: 'cases' },
    samples: { file: 'samples.csv' },
    outputs: 'outputs/{model}/{id}',
    replies: 'judged/{model}_{judge}.jsonl',
    criteria: [
      { id: 'fit', label: 'Fit', range: [1, 10], integer: true },
      { id: 'look', label: 'Look', range: [1, 10], integer: true },
    ],
    requests: [{ id: 'judge', prompt: ['{references}', 'Asked for: {instruction}', '{output}', 'Rate it.'], reply: { form: 'json', reason: 'why' } }],
    groupings: [{ scope: 'domain', tag: 'task', label: 'Task' }],
    overall: { over: 'domain' },
  };
  const folder = (name: string): string => {
    mkdirSync(join(root, name), { recursive: true });
    return join(root, name);
  };
  const bench = folder('eight/bench');
  writeFileSync(join(bench, 'juror.json'), JSON.stringify(declaration));
  const references = (id: string): string[] => Array.from({ length: 8 }, (_, at) => `refs/${id}_${at}.png`);
  const lines = names.map((id, at) => `${id},Put the eight things of case ${id} together.,${references(id).join(';')},${tasks[at % tasks.length] ?? ''}`);
  writeFileSync(join(bench, 'samples.csv'), `id,instruction,references,tags.task\n${lines.join('\n')}\n`);
  folder('eight/bench/refs');
  const pictures = Array.from({ length: 8 }, (_, at) => png(1, 1, [30 * at, 90, 200 - 20 * at]));
  for (const id of names) references(id).forEach((path, at) => writeFileSync(join(bench, path), pictures[at] ?? ''));
  let outputs = 0;
  const judged = folder('eight/judged');
  models.forEach((model, of) => {
    const own = folder(`eight/outputs/${model}`);
    const random = new Random(of + 1);
    // Every model has answered every fourth case, each one others, as far as six models make some 38,000 pictures.
    const answered = names.filter((_, at) => at % 4 === of % 4);
    for (const id of answered) writeFileSync(join(own, `${id}.png`), pictures[of % 8] ?? '');
    outputs += answered.length;
    const verdict = (id: string): string =>
      JSON.stringify({ sample: id, reply: JSON.stringify({ fit: 1 + random.below(10), look: 1 + random.below(10), why: reason(random, 136) }) });
    writeFileSync(join(judged, `${model}_gpt.jsonl`), `${answered.map(verdict).join('\n')}\n`);
  });
  return 8 * numSamples + outputs;
}
