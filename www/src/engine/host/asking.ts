/** Questions of the page: each waits for what it needs, and one that searches is answered in parts. */
import { ask, type QuestionName } from '../ask';
import { codeOf, EngineError } from '../errors';
import { QUESTIONS, type AnswerOf, type Questions } from '../types/questions';
import type { Engine } from './engine';
import type { Keeping } from './keeping';
import { nextTask, type Page } from './page';

/** Bytes of replies that the first part of a search looks into. */
const FIRST_PART_BYTES = 1 << 18;
/** How long a part may take, in ms: the next one is made larger or smaller by it. */
const PART_MS = 20;

/** What answers them. */
export class Asking {
  readonly #page: Page;
  readonly #engine: Engine;
  readonly #keeping: Keeping;

  constructor(page: Page, engine: Engine, keeping: Keeping) {
    this.#page = page;
    this.#engine = engine;
    this.#keeping = keeping;
  }

  /** Answers a question as its entry says; one that a first engine does not know is asked of the full one. */
  async answerOf<Name extends QuestionName>(name: Name, args: Parameters<Questions[Name]>, id = 0): Promise<AnswerOf<Name>> {
    for (;;) {
      try {
        return (await this.#askAround(name, args, id)) as AnswerOf<Name>;
      } catch (error) {
        if (this.#engine.isFull || codeOf(error) !== 'not_here') throw error;
        await this.#engine.useFull();
      }
    }
  }

  /** Brings the session the contents of pictures that an answer rests on. */
  async picturesFor(needs: number[]): Promise<void> {
    await this.#engine.loop().bring(Uint32Array.from(needs));
  }

  async #askAround(name: QuestionName, args: readonly unknown[], id: number): Promise<unknown> {
    const { around } = QUESTIONS[name];
    await (around.includes('read') ? this.#engine.readThrough() : this.#engine.upToDate());
    if (around.includes('ratings')) await this.#keeping.takeRatings();
    if (around.includes('parts')) return this.#inParts(id, (bytes) => ask(this.#engine.open(), name, args, bytes));
    const answer = ask(this.#engine.open(), name, args);
    if (around.includes('changes')) this.#page.tellChanged(this.#engine.open());
    if (!around.includes('pictures')) return answer;
    const { needs } = answer as { needs: number[] };
    if (needs.length === 0) return answer;
    await this.picturesFor(needs);
    return ask(this.#engine.open(), name, args);
  }

  /** Asks in parts, between which other calls are answered, until there is an answer or nobody wants it any more. */
  async #inParts(id: number, ask: (bytes: number) => unknown): Promise<unknown> {
    for (let bytes = FIRST_PART_BYTES; ;) {
      const began = performance.now();
      const found = ask(Math.ceil(bytes));
      if (found !== null) return found;
      bytes *= performance.now() - began > PART_MS ? 0.5 : 2;
      await nextTask();
      if (this.#page.isAborted(id)) throw new EngineError('The search was cancelled.', 'aborted');
    }
  }
}
