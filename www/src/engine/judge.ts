/**
 * Carries a judging job out: asks the state machine in the core what to send, sends it, writes down what comes back.
 *
 * The key goes into a header and nowhere else. A reply is on disk before it counts; what ended is never sent again.
 */
import { encodeBase64 } from './base64';
import { post, withoutKeys } from './call';
import type { Edge, Session } from './edge';
import { keep } from './journal';
import { Pace } from './pace';
import { codeOf, messageOf } from './protocol';
import type { Failure } from './types/Failure';
import type { JobBody } from './types/JobBody';
import type { JobLimits } from './types/JobLimits';
import type { JobProgress } from './types/JobProgress';
import type { JobScope } from './types/JobScope';
import type { JobTask } from './types/JobTask';
import type { JournalRecord } from './types/JournalRecord';
import type { Params } from './types/Params';
import type { RecordHead } from './types/RecordHead';
import type { Wire } from './types/Wire';

/** What a job needs to know besides what to ask. */
export interface JobSettings {
  wire: Wire;
  /** Address of the service; empty for the provider's own. */
  base: string;
  /** Never stored. */
  key: string;
  params: Params;
  limits: JobLimits;
  scope: JobScope;
  /** Judged requests that are asked again first, only to be compared. */
  anchors: number;
  /** Nothing but those. */
  anchorsOnly: boolean;
}

/** A task that ended without a reply. */
export interface JobIncident {
  model: string;
  sample: string;
  turn: number;
  criterion: string;
  run: number;
  kind: string;
  message: string;
}

/** Where a job stands, for the page. */
export interface JobState {
  progress: JobProgress;
  /** The newest last, at most 200. */
  incidents: JobIncident[];
}

/** What the job's driver needs of its host. */
export interface JobHost {
  edge: Edge;
  session(): Session;
  /** The bytes of a picture as it is sent. */
  picture(picture: JobBody['pictures'][number]): Promise<Uint8Array>;
  /** Everything that the hash of the request needs is brought. */
  prepare(key: JobTask['key']): Promise<void>;
  /** A reply came; the session is to know it, unless everything was closed. */
  keptReply(record: JournalRecord): void;
  onState(state: JobState): void;
}

/** Enough to tell what a picture is. */
const SNIFFED_BYTES = 64;
const MAX_INCIDENTS = 200;

/** One job under way. */
export class JobRun {
  readonly #host: JobHost;
  readonly #settings: JobSettings;
  readonly #tasks: JobTask[];
  readonly #benchmark: string;
  readonly #pace: Pace;
  readonly #head: RecordHead;
  readonly #incidents: JobIncident[] = [];
  /** When the job began: its anchors are filed under it. */
  readonly #began = new Date().toISOString();

  constructor(host: JobHost, settings: JobSettings, tasks: JobTask[], benchmark: string) {
    this.#host = host;
    this.#settings = settings;
    this.#tasks = tasks;
    this.#benchmark = benchmark;
    this.#head = host.session().record_head();
    this.#pace = new Pace(
      new host.edge.Job(tasks.length, settings.limits, BigInt(Date.now())),
      (task) => this.#attempt(task),
      (progress) => host.onState({ progress, incidents: [...this.#incidents] }),
    );
  }

  run(): Promise<void> {
    return this.#pace.run();
  }

  pause(): void {
    this.#pace.pause();
  }

  resume(): void {
    this.#pace.resume();
  }

  cancel(): void {
    this.#pace.cancel();
  }

  async #attempt(at: number): Promise<void> {
    const task = this.#tasks[at];
    if (task === undefined) return;
    try {
      await this.#send(at, task);
    } catch (error) {
      if (codeOf(error) === 'superseded') {
        // Everything was closed before this was sent: nothing was paid, nothing is to be kept.
        this.#pace.cancel();
        this.#pace.job.failed(at, performance.now(), { kind: 'network', message: '' });
        return;
      }
      // A picture that cannot be read, a request that cannot be put together: no other attempt will do better.
      await this.#fail(at, task, { kind: 'bad_request', message: messageOf(error) }, null);
    }
  }

  async #send(at: number, task: JobTask): Promise<void> {
    const { wire, base, key, params, limits } = this.#settings;
    const { edge } = this.#host;
    await this.#host.prepare(task.key);
    const body = this.#host.session().job_body(task.key, wire, params);
    let text = body.text;
    const sizes: number[] = [];
    for (const picture of body.pictures) {
      const bytes = await this.#host.picture(picture);
      sizes.push(bytes.length);
      const encoded = encodeBase64(bytes);
      // What the bytes are, whatever the file is called: services refuse a picture that is not what it says.
      text = text.replace(picture.media_token, edge.media_type(bytes.subarray(0, SNIFFED_BYTES), picture.path)).replace(picture.token, () => encoded);
    }
    const tooLarge = edge.check_size(wire, Uint32Array.from(sizes));
    if (tooLarge !== undefined) throw new Error(tooLarge);
    const called = await post(edge.url(wire, base, params.model), edge.auth(wire), key, text, limits.timeout_secs);
    if ('failure' in called) return this.#fail(at, task, called.failure, called.retryAfter);
    const answer = edge.read_answer(wire, called.status, called.text);
    if (answer.type === 'failed') {
      const failure = { kind: answer.kind, message: withoutKeys(answer.message, [key]) };
      return this.#fail(at, task, failure, called.retryAfter);
    }
    await this.#keep(task, body, { reply: withoutKeys(answer.text, [key]), error: null });
    this.#pace.job.answered(at, performance.now(), answer.input_tokens ?? 0, answer.output_tokens ?? 0);
    this.#pace.tell();
  }

  /** Writes a record down; a reply that cannot be kept is still handed to the session, and the job stops. */
  async #keep(task: JobTask, body: Pick<JobBody, 'protocol' | 'sha256' | 'prompts'>, what: Pick<JournalRecord, 'reply' | 'error'>): Promise<void> {
    const record: JournalRecord = {
      format: 'juror-journal/1',
      protocol: body.protocol,
      ...task.key,
      ...(task.anchor ? { anchor: this.#began } : {}),
      params: this.#params(),
      judge: this.#settings.scope.judge,
      run: task.run,
      time: new Date().toISOString(),
      request: body.sha256,
      prompts: body.prompts,
      ...what,
    };
    try {
      await keep(this.#benchmark, record);
    } catch (error) {
      this.#pace.break(messageOf(error));
    }
    this.#host.keptReply(record);
  }

  /** What the judge was asked with, for the record; a key that somebody put there is not written down. */
  #params(): Params {
    const { params, key } = this.#settings;
    return JSON.parse(withoutKeys(JSON.stringify(params), [key])) as Params;
  }

  async #fail(at: number, task: JobTask, failure: Failure, retryAfter: number | null): Promise<void> {
    const isOver = this.#pace.job.failed(at, performance.now(), failure, retryAfter ?? undefined);
    if (isOver) {
      this.#incidents.push({ ...task.key, run: task.run, ...failure });
      if (this.#incidents.length > MAX_INCIDENTS) this.#incidents.shift();
      await this.#keep(task, { ...this.#head, sha256: null }, { reply: '', error: `${failure.kind}: ${failure.message}` });
    }
    this.#pace.tell();
  }
}
