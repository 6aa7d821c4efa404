/**
 * Carries a judging job out: asks the state machine in the core what to send, sends it, writes down what comes back.
 *
 * The key goes into a header and nowhere else. A reply is on disk before it counts; what ended is never sent again.
 */
import { encodeBase64 } from './base64';
import { post, withoutKeys } from './call';
import type { Session } from './ask';
import type { Edge } from './edge';
import { keep } from './journal';
import { Run, type RunState } from './pace';
import { messageOf } from './errors';
import type { Failure } from './types/Failure';
import type { JobBody } from './types/JobBody';
import type { JobLimits } from './types/JobLimits';
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
export type JobState = RunState<JobIncident>;

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

/** One job under way. */
export class JobRun extends Run<JobTask, JobIncident> {
  readonly #host: JobHost;
  readonly #settings: JobSettings;
  readonly #benchmark: string;
  readonly #head: RecordHead;
  /** When the job began: its anchors are filed under it. */
  readonly #began = new Date().toISOString();

  constructor(host: JobHost, settings: JobSettings, tasks: JobTask[], benchmark: string) {
    const max_reply_tokens = host.edge.most_reply_tokens(settings.wire, settings.params) ?? null;
    super(new host.edge.Job(tasks.length, { ...settings.limits, max_reply_tokens }, BigInt(Date.now())), tasks, (state) => host.onState(state));
    this.#host = host;
    this.#settings = settings;
    this.#benchmark = benchmark;
    this.#head = host.session().recordHead();
  }

  protected override clean(text: string): string {
    return withoutKeys(text, [this.#settings.key]);
  }

  protected override incident({ key, run }: JobTask, failure: Failure): JobIncident {
    return { ...key, run, ...failure };
  }

  protected override giveUp(task: JobTask, { kind, message }: Failure): Promise<void> {
    return this.#keep(task, { ...this.#head, sha256: null }, { reply: '', error: `${kind}: ${message}` });
  }

  protected override async send(at: number, task: JobTask): Promise<void> {
    const { wire, base, key, params, limits } = this.#settings;
    const { edge } = this.#host;
    await this.#host.prepare(task.key);
    const body = this.#host.session().jobBody(task.key, wire, params);
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
    if (!this.pace.job.reserve_text(at, body.text, body.pictures.length)) return;
    const called = await post(edge.url(wire, base, params.model), edge.auth(wire), key, text, limits.timeout_secs);
    if ('failure' in called) return this.fail(at, task, called.failure, called);
    this.came(at, { status: called.status, retryAfter: null });
    const usage = edge.read_usage(wire, called.text);
    const answer = edge.read_answer(wire, called.status, called.text);
    if (answer.type === 'failed') return this.fail(at, task, answer, { ...called, usage });
    const model = this.clean(answer.model);
    await this.#keep(task, body, { reply: this.clean(answer.text), error: null, ...(model === '' ? {} : { answered_by: model }) });
    this.pace.job.answered(at, performance.now(), usage);
    this.pace.tell();
  }

  /** Writes a record down; a reply that cannot be kept is still handed to the session, and the job stops. */
  async #keep(
    task: JobTask,
    body: Pick<JobBody, 'protocol' | 'sha256' | 'prompts'>,
    what: Pick<JournalRecord, 'reply' | 'error' | 'answered_by'>,
  ): Promise<void> {
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
      this.pace.break(messageOf(error));
    }
    this.#host.keptReply(record);
  }

  /** What the judge was asked with, for the record; a key that somebody put there is not written down. */
  #params(): Params {
    return JSON.parse(this.clean(JSON.stringify(this.#settings.params))) as Params;
  }
}
