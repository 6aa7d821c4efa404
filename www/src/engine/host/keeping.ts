/** What this browser keeps of the benchmark that is open, and replies that came from there or from this page. */
import type { Session } from '../ask';
import type { KeptIn } from '../edge';
import type { KeptCounts } from '../types/KeptCounts';
import type { KeptReply } from '../types/KeptReply';
import type { PastedReply } from '../types/PastedReply';
import type { PastedTogether } from '../types/PastedTogether';
import type { Engine } from './engine';
import type { Made } from './made';
import type { Opened } from './opened';
import type { Page } from './page';

/** The kept side of a session. */
export class Keeping {
  readonly #page: Page;
  readonly #engine: Engine;
  readonly #opened: Opened;
  readonly #made: Made;
  /** The session that what is kept was given to. */
  #restored: Session | null = null;
  /** Replies in the session that came from this page or this browser's storage: what an exported journal holds. */
  #replies = 0;

  constructor(page: Page, engine: Engine, opened: Opened, made: Made) {
    this.#page = page;
    this.#engine = engine;
    this.#opened = opened;
    this.#made = made;
  }

  /** A session took the place of the one before. */
  renewed(): void {
    this.#replies = 0;
  }

  /** Whether what is kept is shown with what is open: a pack shows what is in it, not what this browser keeps beside it. */
  isShown(): boolean {
    return this.#opened.packs.length === 0;
  }

  /** Gives the session what is kept for its benchmark, once. */
  async restore(): Promise<void> {
    const [target, mine] = [this.#engine.open(), this.#engine.generation];
    if (!this.#engine.isFull || !this.isShown() || this.#restored === target || this.#engine.loading?.reading !== 'done') return;
    const benchmark = target.benchmarkId();
    if (benchmark === null) return;
    this.#restored = target;
    try {
      const kept = await this.#engine.kept();
      if (!this.#engine.isNow(mine)) return;
      const given = await kept.restore(target, benchmark);
      if (this.#engine.isNow(mine)) this.given(target, given);
      // Who rated can be chosen as judge.
      await kept.giveRatings(target, benchmark);
    } catch {
      // Everything was closed in the meantime.
    }
  }

  /** The session was given what was kept. */
  given(target: Session, { replies, calls }: KeptCounts): void {
    if (replies > 0) this.#tell(replies);
    if (calls > 0) this.#made.list(target);
  }

  /** Tells the page of replies that a job brought since this was last asked. */
  takeFresh(): void {
    // A first engine judges nothing.
    const more = this.#engine.isFull ? (this.#engine.session?.take_fresh() ?? 0) : 0;
    if (more > 0) this.#tell(more);
  }

  /** Hands the session the ratings that are kept for the benchmark, as they are now. */
  async takeRatings(): Promise<void> {
    const mine = this.#engine.generation;
    const target = this.#engine.open();
    const benchmark = target.benchmarkId();
    if (benchmark === null) return;
    const kept = await this.#engine.kept();
    this.#engine.mustBe(mine);
    await kept.giveRatings(target, benchmark);
    this.#engine.mustBe(mine);
  }

  async paste(reply: PastedReply): Promise<KeptReply> {
    await this.#engine.useFull();
    const result = await (await this.#engine.kept()).paste(this.#engine.open(), reply, this.#place());
    if (result.kept) this.#tell(1);
    return result;
  }

  async pasteTogether(text: string): Promise<PastedTogether> {
    const mine = await this.#engine.useFull();
    const together = await (await this.#engine.kept()).pasteTogether(this.#engine.open(), text, this.#place());
    this.#engine.mustBe(mine);
    this.#tell(together.taken);
    return together;
  }

  /** Takes a pasted reply out again; how many copies of it there were. */
  async remove(reply: PastedReply): Promise<number> {
    await this.#engine.useFull();
    return (await this.#engine.kept()).removePasted(this.#engine.open(), reply, this.#place());
  }

  /** Names who judged, or takes that back; whether the name is kept. */
  async nameJudge(places: string[], judge: string): Promise<boolean> {
    const mine = await this.#engine.useFull();
    // Of a pack that is open nothing is kept, as nothing that is kept is shown with it.
    const isKept = await (await this.#engine.kept()).nameJudge(this.#engine.open(), places, judge, this.isShown() ? 'storage' : 'tab');
    return isKept && this.#engine.isNow(mine);
  }

  /** Forgets the replies that are kept for the benchmark. */
  async forgetReplies(): Promise<void> {
    const benchmark = this.#engine.open().benchmarkId();
    if (benchmark !== null) await (await this.#engine.kept()).forgetReplies(benchmark);
  }

  /** Forgets the trajectories that are kept for it. */
  async forgetAgents(): Promise<void> {
    const benchmark = this.#engine.open().benchmarkId();
    if (benchmark !== null) await (await this.#engine.kept()).forgetCalls(benchmark);
  }

  /** Forgets the pictures of generators that are kept for it. */
  async forgetGenerated(): Promise<void> {
    const benchmark = this.#engine.open().benchmarkId();
    if (benchmark !== null) await (await this.#engine.kept()).forgetGenerated(benchmark);
  }

  /** Where replies that a person brings are kept. */
  #place(): KeptIn {
    return this.#opened.isDemo ? 'tab' : 'storage';
  }

  #tell(more: number): void {
    this.#replies += more;
    this.#page.post({ event: 'replies', count: this.#replies });
  }
}
