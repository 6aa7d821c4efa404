/** Rebalances attention off the page's thread. */
import { bytesOf } from '../handing';
import { pixels } from '../loader/pixels';
import { codeOf, EngineError, messageOf } from '../errors';
import type { Measurer } from '../metrics/edge';
import type { Backend } from '../types/Backend';
import type { DarCall } from './edge';
import type { DarAnswers, FromDar, ToDar } from './client';

const edge = pixels.metrics();
let call: DarCall | null = null;
const measurers = new Map<Backend, Promise<Measurer>>();

const questions: DarAnswers = {
  async names(file) {
    return (await edge).names_of_tensors(await bytesOf(file));
  },
  async open(q, k, asked) {
    const { DarCall } = await edge;
    call?.free();
    call = null;
    call = new DarCall(await bytesOf(q), await bytesOf(k), JSON.stringify(asked));
  },
  async report(backend, row, head) {
    const { Measurer } = await edge;
    if (call === null) throw new EngineError('No attention is open yet.', 'not_open');
    const had = measurers.get(backend) ?? (backend === 'gpu' ? Measurer.gpu() : Promise.resolve(Measurer.cpu()));
    measurers.set(backend, had);
    const [measurer, refused] = await had.then(
      (one): [Measurer, string | null] => [one, null],
      (error: unknown): [Measurer, string | null] => [Measurer.cpu(), messageOf(error)],
    );
    const { json, fallback } = await call.report(measurer, row ?? undefined, head ?? undefined);
    return { json, fallback: refused ?? fallback ?? null };
  },
  async sweep(axes, row, head) {
    await edge;
    if (call === null) throw new EngineError('No attention is open yet.', 'not_open');
    return call.sweep(axes, row ?? undefined, head ?? undefined);
  },
};

async function answer({ id, name, args }: ToDar): Promise<FromDar> {
  try {
    const ask = questions[name] as (...args: unknown[]) => Promise<unknown>;
    return { id, value: await ask(...args) };
  } catch (error) {
    return { id, message: messageOf(error), code: codeOf(error) };
  }
}

self.addEventListener('message', (event: MessageEvent<ToDar>) => {
  void answer(event.data).then((message) => (self as unknown as { postMessage(message: FromDar): void }).postMessage(message));
});
