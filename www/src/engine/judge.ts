/**
 * Carries a judging job out: asks the state machine in the core what to send, sends it, writes down what comes back.
 *
 * The key goes into a header and nowhere else. A reply is on disk before it counts; what ended is never sent again.
 */
import { encodeBase64 } from './base64';
import type { Edge, Job, Session } from './edge';
import { keep } from './journal';
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
const STATE_MS = 250;
const MAX_INCIDENTS = 200;
/** The longest sleep, so that the clock of the machine may jump. */
const LONGEST_SLEEP_MS = 5000;

/** One job under way. */
export class JobRun {
  readonly #host: JobHost;
  readonly #settings: JobSettings;
  readonly #tasks: JobTask[];
  readonly #benchmark: string;
  readonly #job: Job;
  readonly #head: RecordHead;
  readonly #incidents: JobIncident[] = [];
  #wake: (() => void) | null = null;
  #lastState = 0;
  /** Storage failed: nothing may be paid for that cannot be kept. */
  #broken: string | null = null;

  /** When the job began: its anchors are filed under it. */
  readonly #began = new Date().toISOString();

  constructor(host: JobHost, settings: JobSettings, tasks: JobTask[], benchmark: string) {
    this.#host = host;
    this.#settings = settings;
    this.#tasks = tasks;
    this.#benchmark = benchmark;
    this.#head = host.session().record_head();
    this.#job = new host.edge.Job(tasks.length, settings.limits, BigInt(Date.now()));
  }

  /** Runs until every task has ended, or the job stopped. */
  async run(): Promise<void> {
    for (;;) {
      const next = this.#job.next(performance.now());
      if (next === 'finished') break;
      if (typeof next === 'object' && 'send' in next) {
        void this.#attempt(next.send);
        this.#tell();
        continue;
      }
      this.#tell();
      const until = typeof next === 'object' ? next.wait_until - performance.now() : LONGEST_SLEEP_MS;
      await this.#sleep(Math.min(LONGEST_SLEEP_MS, Math.max(1, until)));
    }
    this.#tell(true);
    this.#job.free();
  }

  pause(): void {
    this.#job.pause();
    this.#tell(true);
  }

  resume(): void {
    this.#job.resume();
    this.#wake?.();
    this.#tell(true);
  }

  cancel(): void {
    this.#job.cancel();
    this.#wake?.();
  }

  async #attempt(at: number): Promise<void> {
    const task = this.#tasks[at];
    if (task === undefined) return;
    try {
      await this.#send(at, task);
    } catch (error) {
      if (codeOf(error) === 'superseded') {
        // Everything was closed before this was sent: nothing was paid, nothing is to be kept.
        this.#job.cancel();
        this.#job.failed(at, performance.now(), { kind: 'network', message: '' });
        return;
      }
      // A picture that cannot be read, a request that cannot be put together: no other attempt will do better.
      await this.#fail(at, task, { kind: 'bad_request', message: messageOf(error) }, null);
    } finally {
      this.#wake?.();
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
    const tooLarge = edge.check_size(wire, Float64Array.from(sizes));
    if (tooLarge !== undefined) throw new Error(tooLarge);
    const auth = edge.auth(wire);
    const headers = new Headers(auth.fixed.map(([name, value]): [string, string] => [name, value]));
    if (key !== '') headers.set(auth.header, `${auth.prefix}${key}`);
    let status: number;
    let answerText: string;
    let retryAfter: number | null = null;
    const timeout = AbortSignal.timeout(limits.timeout_secs * 1000);
    try {
      const response = await fetch(edge.url(wire, base, params.model), {
        method: 'POST',
        headers,
        body: text,
        signal: timeout,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        redirect: 'error',
      });
      status = response.status;
      retryAfter = retryAfterMs(response.headers);
      answerText = await response.text();
    } catch (error) {
      await this.#fail(at, task, { kind: timeout.aborted ? 'timeout' : 'network', message: withoutKey(messageOf(error), key) }, retryAfter);
      return;
    }
    const answer = edge.read_answer(wire, status, answerText);
    if (answer.type === 'failed') {
      await this.#fail(at, task, { kind: answer.kind, message: withoutKey(answer.message, key) }, retryAfter);
      return;
    }
    await this.#keep(task, body, { reply: withoutKey(answer.text, key), error: null });
    this.#job.answered(at, performance.now(), answer.input_tokens ?? 0, answer.output_tokens ?? 0);
    this.#tell();
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
      this.#broken = messageOf(error);
      this.#job.cancel();
    }
    this.#host.keptReply(record);
  }

  /** What the judge was asked with, for the record; a key that somebody put there is not written down. */
  #params(): Params {
    const { params, key } = this.#settings;
    return JSON.parse(withoutKey(JSON.stringify(params), key)) as Params;
  }

  async #fail(at: number, task: JobTask, failure: Failure, retryAfter: number | null): Promise<void> {
    const isOver = this.#job.failed(at, performance.now(), failure, retryAfter ?? undefined);
    if (isOver) {
      this.#incidents.push({ ...task.key, run: task.run, ...failure });
      if (this.#incidents.length > MAX_INCIDENTS) this.#incidents.shift();
      await this.#keep(task, { ...this.#head, sha256: null }, { reply: '', error: `${failure.kind}: ${failure.message}` });
    }
    this.#tell();
  }

  #tell(now = false): void {
    if (!now && performance.now() - this.#lastState < STATE_MS) return;
    this.#lastState = performance.now();
    const progress = this.#job.progress(performance.now());
    if (this.#broken !== null) progress.stopped = this.#broken;
    this.#host.onState({ progress, incidents: [...this.#incidents] });
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}

/** `Retry-After` in seconds or as a date; `retry-after-ms`, which some servers send. */
function retryAfterMs(headers: Headers): number | null {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact)) return exact;
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** No text leaves with the key in it, not even one that a server sent back. */
function withoutKey(text: string, key: string): string {
  return key.length < 6 ? text : text.replaceAll(key, '[key]');
}
