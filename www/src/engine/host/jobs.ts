/** Jobs of judges, agents and generators: begun, looked on at and steered here, carried out by the engine's own host. */
import type { Session } from '../ask';
import type { Edge, Host, JobKind, JobPage, PictureEdge } from '../edge';
import { EngineError, superseded } from '../errors';
import { engine as loader } from '../loader/engine';
import type { AgentState, GenerateState, JobState } from '../protocol';
import type { AgentKey } from '../types/AgentKey';
import type { AgentSettings } from '../types/AgentSettings';
import type { GenerateSettings } from '../types/GenerateSettings';
import type { JobSettings } from '../types/JobSettings';
import type { Asking } from './asking';
import type { Engine } from './engine';
import type { Keeping } from './keeping';
import type { Made } from './made';
import type { Page } from './page';

const RUNNING: Record<JobKind, string> = { judge: 'A judging job', agents: 'A job of agents', generate: 'A generator’s job' };

/** The jobs of all engines. */
export class Jobs {
  readonly #page: Page;
  readonly #engine: Engine;
  readonly #keeping: Keeping;
  readonly #made: Made;
  readonly #asking: Asking;
  /** What carries jobs out, by the engine that it is of. */
  readonly #hosts = new Map<Edge, Host>();
  /** A job is being started, which takes a while. */
  #isStarting = false;

  constructor(page: Page, engine: Engine, keeping: Keeping, made: Made, asking: Asking) {
    this.#page = page;
    this.#engine = engine;
    this.#keeping = keeping;
    this.#made = made;
    this.#asking = asking;
  }

  /** Starts a judging job; whether this browser can tell that no other tab asks the same. */
  judge(settings: JobSettings): Promise<boolean> {
    return this.#inTurn('judge', async (target, mine) => {
      const page = this.#pageOf('judge', target, mine, { picture: this.#treated(await loader.pictures()) });
      return this.#host(mine).judge(target, settings, page);
    });
  }

  /** Starts a job of agents; whether this browser can tell that no other tab makes the same. */
  make(settings: AgentSettings): Promise<boolean> {
    return this.#inTurn('agents', (target, mine) => {
      return this.#host(mine).make(target, settings, this.#pageOf('agents', target, mine, this.#listing(target, mine)));
    });
  }

  /** Starts a generator's job; whether this browser can tell that no other tab makes the same. */
  generate(settings: GenerateSettings): Promise<boolean> {
    return this.#inTurn('generate', async (target, mine) => {
      const pictures = await loader.pictures();
      const page = this.#pageOf('generate', target, mine, {
        ...this.#listing(target, mine),
        picture: this.#treated(pictures),
        row: async (files) => {
          const parts: Uint8Array[] = [];
          for (const file of files) parts.push(await this.#engine.bytes(file));
          return pictures.concatenate(parts).png;
        },
        // The bytes are copied: they are kept outside of the engine's memory.
        fit: (bytes, name) => Promise.resolve(pictures.fit(bytes, name)),
        list: () => {
          if (this.#engine.isNow(mine)) this.#made.list(target);
        },
      });
      return this.#host(mine).generate(target, settings, page);
    });
  }

  /** A picture as it is sent. */
  #treated(pictures: PictureEdge): JobPage['picture'] {
    const bytes = (file: number | undefined): Promise<Uint8Array> => this.#engine.bytes(file);
    return async (file, treatment, other) => (treatment === 'as_is' ? bytes(file) : pictures.prepare(treatment, await bytes(file), await bytes(other)));
  }

  /** Lists what a job makes among the open files. */
  #listing(target: Session, mine: number): Pick<JobPage, 'came' | 'ended'> {
    return {
      came: () => {
        if (this.#engine.isNow(mine)) this.#made.listRarely(target);
      },
      ended: () => {
        if (this.#engine.isNow(mine)) this.#made.list(target);
        this.#tellChanged(target, mine);
      },
    };
  }

  /** Shows the job that another tab has the turn for, until that has ended; what it brings comes here too. */
  async lookOn(kind: JobKind, who: string): Promise<void> {
    const mine = await this.#engine.useFull();
    const target = this.#engine.open();
    this.#host(mine).lookOn(target, kind, who, this.#pageOf(kind, target, mine));
  }

  /** Looks at no other tab's job any more. */
  lookAway(): void {
    for (const host of this.#hosts.values()) host.lookAway();
  }

  /** Pauses or ends the job of this kind, or has it go on. */
  control(kind: JobKind, what: 'pause' | 'resume' | 'cancel'): void {
    for (const host of this.#hosts.values()) host.control(kind, what);
  }

  /** Keeps what a person brings for the call that is due: the planner's reply, or the picture. */
  async hand(key: AgentKey, brought: string | Blob): Promise<void> {
    const mine = this.#engine.generation;
    // It brings the pictures that the request's hash needs.
    await this.#asking.answerOf('agentCall', [key]);
    const target = this.#engine.open();
    const benchmark = target.benchmarkId();
    this.#engine.mustBe(mine);
    if (benchmark === null) throw superseded();
    await this.#host(mine).hand(target, key, brought, benchmark);
    this.#engine.mustBe(mine);
    this.#made.list(target);
    this.#tellChanged(target, mine);
  }

  /** Whether a job of this kind is under way, in whatever engine. */
  #isRunning(kind: JobKind): boolean {
    return [...this.#hosts.values()].some((host) => host.isRunning(kind));
  }

  /** Begins a job once no other tab does the same; whether this browser can tell that. */
  async #inTurn(kind: JobKind, begin: (target: Session, mine: number) => Promise<boolean>): Promise<boolean> {
    if (this.#isRunning(kind) || this.#isStarting) throw new EngineError(`${RUNNING[kind]} is running already.`, 'job_running');
    this.#isStarting = true;
    try {
      return await begin(await this.#engine.fullRead(), this.#engine.generation);
    } finally {
      this.#isStarting = false;
    }
  }

  /** What carries the engine's jobs out. */
  #host(mine: number): Host {
    const edge = this.#engine.edge(mine);
    const host = this.#hosts.get(edge) ?? new edge.Host(this.#made.loose);
    this.#hosts.set(edge, host);
    return host;
  }

  /** What a job asks the worker for; a job whose session was closed tells the page nothing more. */
  #pageOf(kind: JobKind, target: Session, mine: number, own: Partial<JobPage> = {}): JobPage {
    return {
      bytes: (file) => this.#engine.bytes(file),
      picture: () => Promise.reject(new EngineError('This job has no treated picture.', 'no_picture')),
      row: () => Promise.reject(new EngineError('This job has no joined pictures.', 'no_picture')),
      fit: () => Promise.reject(new EngineError('This job makes no output.', 'no_picture')),
      list: () => undefined,
      came: () => this.#tellChanged(target, mine),
      showsKept: () => this.#keeping.isShown(),
      given: (given) => {
        if (this.#engine.isNow(mine)) this.#keeping.given(target, given);
      },
      ended: () => this.#tellChanged(target, mine),
      onState: (state) => {
        if (this.#engine.isNow(mine)) this.#tellState(kind, state);
      },
      ...own,
    };
  }

  /** Tells the page where a job stands. */
  #tellState(kind: JobKind, state: JobState | AgentState | GenerateState): void {
    if (kind === 'judge') this.#page.post({ event: 'job', state: state as JobState });
    else if (kind === 'generate') this.#page.post({ event: 'generate', state: state as GenerateState });
    else this.#page.post({ event: 'agents', state: state as AgentState });
  }

  /** Tells the page what a job brought. */
  #tellChanged(target: Session, mine: number): void {
    if (this.#engine.isNow(mine)) this.#page.tellChanged(target);
  }
}
