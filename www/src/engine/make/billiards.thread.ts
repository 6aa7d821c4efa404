/** Works on VIBE's Billiards off the page's thread: draws cases into a ZIP one by one, and checks pictures that answer them. */
import { codeOf, EngineError, messageOf } from '../errors';
import { maker } from '../loader/maker';
import type { BilliardsCase } from '../types/BilliardsCase';
import type { BilliardsRow } from '../types/BilliardsRow';
import type { BilliardsAsked, DrawnAnswersGiven, FromBilliards, ToBilliards } from './billiards';
import type { MakeEdge } from './edge';

/** The folder in the ZIP; below it are the files of the command line. */
const FOLDER = 'made/';
/** So many cases are shown, as many as there are numbers of cushions. */
const NUM_SHOWN = 6;

const port = self as unknown as { postMessage(message: FromBilliards): void };

async function edge(): Promise<MakeEdge> {
  const edge = await maker.edge();
  if (edge === null) throw new EngineError('This copy of the page makes no benchmarks: use the hosted page, or juror make billiards.', 'no_maker');
  return edge;
}

async function draw({ count, seed, cushions }: BilliardsAsked): Promise<Blob> {
  const [{ Billiards }, { beginZip }] = [await edge(), await import('../zip-writer')];
  const billiards = new Billiards(count, seed, cushions);
  const zip = beginZip('fixed');
  const total = billiards.count();
  port.postMessage({ done: 0, total, shown: null });
  for (let done = 1; done <= total; done += 1) {
    const pictures = billiards.draw() ?? [];
    for (const [path, data] of pictures) await zip.add({ name: FOLDER + path, data });
    const shown =
      done > NUM_SHOWN
        ? null
        : { about: JSON.parse(billiards.last()) as BilliardsCase, pictures: pictures.map(([, bytes]) => new Blob([bytes], { type: 'image/png' })) };
    port.postMessage({ done, total, shown });
  }
  const [path, text] = billiards.list();
  await zip.add({ name: FOLDER + path, data: text });
  billiards.free();
  return zip.close();
}

async function check({ list, folder, pictures }: DrawnAnswersGiven): Promise<void> {
  const { DrawnAnswers } = await edge();
  const byName = new Map(pictures);
  const answers = new DrawnAnswers(await list.text(), list.name, folder, [...byName.keys()]);
  const total = answers.count();
  for (let at = 0; at < total; at += 1) {
    const picture = byName.get(answers.wanted(at)) ?? new Blob();
    const row = JSON.parse(answers.check(at, new Uint8Array(await picture.arrayBuffer()))) as BilliardsRow;
    port.postMessage({ row, total });
  }
  answers.free();
}

async function answer(asked: ToBilliards): Promise<FromBilliards> {
  try {
    if ('draw' in asked) return { zip: await draw(asked.draw) };
    await check(asked.check);
    return { isChecked: true };
  } catch (error) {
    return { message: messageOf(error), code: codeOf(error) };
  }
}

self.addEventListener('message', (event: MessageEvent<ToBilliards>) => {
  void answer(event.data).then((message) => port.postMessage(message));
});
