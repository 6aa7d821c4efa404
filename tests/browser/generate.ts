/** Large benchmarks made up for timings: the same files for the same arguments, tiny but valid. */
import { mkdirSync, writeFileSync } from 'node:fs';
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
export function largeDialogue(idx: number, pictureTurns: number, textTurns: number): Dialogue {
  const chats: Chat[] = [];
  for (let turn = 0; turn < pictureTurns; turn += 1) {
    chats.push(
      { role: 'user', type: 'text', content: `Move the block in Image #${turn + 1} one step to the right.` },
      { role: 'assistant', type: 'image', content: `Image #${turn + 2}`, key_point: { [`GT #${turn + 1}`]: 'Compared to <image>, the block stands one step to the right.' } },
    );
  }
  for (let turn = 0; turn < textTurns; turn += 1) {
    chats.push({ role: 'user', type: 'text', content: 'Where does the block stand now?' }, { role: 'assistant', type: 'text', content: 'At the right edge.' });
  }
  const images = Array.from({ length: pictureTurns + 1 }, (_, number) => `imgs/d${idx}_${number}.png`);
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

/** Writes `suite/test/…` and `suite/result/<model>/…` below `root`; returns how many files that are. */
export function writeSuite(root: string, numDialogues: number, models: string[]): number {
  let files = 0;
  const write = (path: string, content: string | Uint8Array): void => {
    writeFileSync(path, content);
    files += 1;
  };
  const dialogues = Array.from({ length: numDialogues }, (_, idx) => largeDialogue(idx, 3, idx % 9 === 0 || idx % 9 === 4 ? 2 : 1));
  const test = join(root, 'suite/test');
  mkdirSync(join(test, 'imgs'), { recursive: true });
  write(join(test, 'test.json'), JSON.stringify(dialogues));
  const original = png(1, 1, [90, 90, 90]);
  for (const { images } of dialogues) for (const image of images) write(join(test, image), original);
  models.forEach((model, at) => {
    const folder = join(root, 'suite/result', model);
    const random = new Random(at + 1);
    const picture = png(1, 1, [40 * at, 120, 200]);
    mkdirSync(join(folder, 'imgs'), { recursive: true });
    write(join(folder, 'metrics.jsonl'), dialogues.map((one) => largeLine(one, random, 136)).join(''));
    for (const { images, chats } of dialogues) {
      for (const image of images.slice(1)) write(join(folder, image), picture);
      for (let turn = images.length - 1; turn < chats.length / 2; turn += 1) {
        write(join(folder, (images[0] ?? '').replace('.png', `_${turn}.txt`)), 'At the right edge.');
      }
    }
  });
  return files;
}
