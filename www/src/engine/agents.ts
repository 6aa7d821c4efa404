/**
 * Carries agent loops out: a picture, the planner's word on it, the next picture; each kept on disk before it counts.
 *
 * Each trajectory is a chain of calls; the core says which call is due and what it holds. Keys go into headers only.
 */
import { decodeBase64, encodeBase64 } from './base64';
import { fetchPicture, post, withoutKeys } from './call';
import type { Session } from './ask';
import type { Edge } from './edge';
import { Run, type RunState } from './pace';
import { messageOf } from './errors';
import { keepCall, type Made } from './trajectories';
import type { AgentBody } from './types/AgentBody';
import type { AgentKey } from './types/AgentKey';
import type { AgentPicture } from './types/AgentPicture';
import type { AgentPlan } from './types/AgentPlan';
import type { AgentScope } from './types/AgentScope';
import type { AgentServices } from './types/AgentServices';
import type { Failure } from './types/Failure';
import type { JobLimits } from './types/JobLimits';
import type { TrajectoryRecord } from './types/TrajectoryRecord';
import type { Usage } from './types/Usage';

/** What a job of agents needs to know. */
export interface AgentSettings {
  scope: AgentScope;
  services: AgentServices;
  /** Never stored. */
  plannerKey: string;
  /** Never stored. */
  generatorKey: string;
  /** Hosts besides the generator's own that pictures may be fetched from. */
  hosts: string[];
  limits: JobLimits;
}

/** A call that was given up. */
export interface AgentIncident {
  sample: string;
  step: number;
  what: 'picture' | 'plan';
  kind: string;
  message: string;
}

/** Where a job of agents stands, for the page. */
export type AgentState = RunState<AgentIncident>;

/** What the job needs of its host. */
export interface AgentHost {
  edge: Edge;
  session(): Session;
  /** The bytes of a reference or of a generated picture. */
  picture(picture: AgentPicture): Promise<Uint8Array>;
  /** Everything that the hash of the due call needs is brought. */
  prepare(key: AgentKey): Promise<void>;
  /** A call was kept and the session knows it; a picture that storage did not take comes along. */
  keptCall(loose: Made | null): void;
  onState(state: AgentState): void;
}

interface Task {
  key: AgentKey;
  /** The record of the attempt under way, once it is known. */
  record: TrajectoryRecord | null;
}

/** Enough to tell what a picture is. */
const SNIFFED_BYTES = 64;

/** One job under way. */
export class AgentRun extends Run<Task, AgentIncident> {
  readonly #host: AgentHost;
  readonly #settings: AgentSettings;
  readonly #benchmark: string;

  constructor(host: AgentHost, settings: AgentSettings, plan: AgentPlan, benchmark: string) {
    const { set, steps } = settings.scope;
    const tasks = plan.tasks.flatMap(({ sample, calls }) => calls.map((): Task => ({ key: { set, sample, steps }, record: null })));
    const lengths = Uint32Array.from(plan.tasks, ({ calls }) => calls.length);
    const max_reply_tokens = host.edge.most_reply_tokens(settings.services.planner_wire, settings.services.planner) ?? null;
    super(host.edge.Job.chained(lengths, { ...settings.limits, max_reply_tokens }, plan.pictures, plan.plans, BigInt(Date.now())), tasks, (state) =>
      host.onState(state),
    );
    this.#host = host;
    this.#settings = settings;
    this.#benchmark = benchmark;
  }

  protected override clean(text: string): string {
    return withoutKeys(text, [this.#settings.plannerKey, this.#settings.generatorKey]);
  }

  protected override incident({ key, record }: Task, failure: Failure): AgentIncident {
    return { sample: key.sample, step: record?.step ?? 1, what: record?.kind ?? 'picture', ...failure };
  }

  protected override async giveUp({ record }: Task, { kind, message }: Failure): Promise<void> {
    if (record !== null) await this.#keep({ ...record, error: `${kind}: ${message}` }, null);
  }

  protected override async send(at: number, task: Task): Promise<void> {
    const { services, plannerKey, generatorKey, limits } = this.#settings;
    const { edge } = this.#host;
    await this.#host.prepare(task.key);
    const body = this.#host.session().agentBody(task.key, services);
    if (body === null) {
      // Somebody carried it out by hand meanwhile.
      this.pace.job.answered(at, performance.now(), { input_tokens: null, output_tokens: null });
      this.pace.job.end_chain(at);
      return;
    }
    task.record = body.record;
    const isPlan = body.record.kind === 'plan';
    const payload = await this.#payload(body);
    const { job } = this.pace;
    if (!(isPlan ? job.reserve_text(at, body.json ?? '', body.pictures.length) : job.reserve_picture(at))) return;
    const called = await post(body.url, body.auth, isPlan ? plannerKey : generatorKey, payload, limits.timeout_secs);
    if ('failure' in called) return this.fail(at, task, called.failure, called);
    this.came(at, { status: called.status, retryAfter: null });
    if (isPlan) {
      const usage = edge.read_usage(services.planner_wire, called.text);
      const answer = edge.read_answer(services.planner_wire, called.status, called.text);
      // An answer without text is the planner's word too: the protocol says what it means.
      const isEmpty = answer.type === 'failed' && answer.kind === 'empty';
      if (answer.type === 'failed' && !isEmpty) return this.fail(at, task, answer, { ...called, usage });
      await this.#keep({ ...body.record, reply: this.clean(answer.type === 'failed' ? '' : answer.text) }, null);
      this.#answered(at, task, usage);
      return;
    }
    const answer = edge.read_picture_answer(services.generator_wire, called.status, called.text);
    if (answer.type === 'failed') return this.fail(at, task, answer, called);
    const paid = { status: called.status, retryAfter: null };
    const bytes = answer.url === '' ? decoded(answer.base64) : await this.#fetched(answer.url, body.url);
    if ('kind' in bytes) return this.fail(at, task, bytes, paid);
    const flaw = await flawOf(bytes);
    if (flaw !== null) return this.fail(at, task, flaw, paid);
    const record = edge.with_picture({ ...body.record, reply: this.clean(answer.text) }, bytes);
    await this.#keep(record, bytes);
    this.#answered(at, task, { input_tokens: answer.input_tokens, output_tokens: answer.output_tokens });
  }

  /** The body with its pictures in it, each said to be what its bytes are. */
  async #payload({ json, fields, pictures, record }: AgentBody): Promise<string | FormData> {
    const { edge } = this.#host;
    let text = json ?? '';
    const form = new FormData();
    const sizes: number[] = [];
    for (const [name, value] of fields) form.append(name, value);
    for (const [at, picture] of pictures.entries()) {
      const bytes = new Uint8Array(await this.#host.picture(picture));
      sizes.push(bytes.length);
      const type = edge.media_type(bytes.subarray(0, SNIFFED_BYTES), picture.path);
      if (json === null) form.append(picture.field, new Blob([bytes], { type }), `${at + 1}.${type.split('/')[1]?.replace('jpeg', 'jpg') ?? 'png'}`);
      else text = text.replace(picture.media_token, type).replace(picture.token, () => encodeBase64(bytes));
    }
    const { planner_wire, generator_wire } = this.#settings.services;
    const tooLarge =
      record.kind === 'plan' ? edge.check_size(planner_wire, Uint32Array.from(sizes)) : edge.check_picture_size(generator_wire, Uint32Array.from(sizes));
    if (tooLarge !== undefined) throw new Error(tooLarge);
    return json === null ? form : text;
  }

  /** The picture at an address, if it is at the service itself or at a host that the user named. */
  async #fetched(address: string, service: string): Promise<Uint8Array<ArrayBuffer> | Failure> {
    const { hosts, limits } = this.#settings;
    const url = new URL(address);
    const isNamed = url.host === new URL(service).host || hosts.includes(url.host) || hosts.includes(url.hostname);
    if (!isNamed) return { kind: 'unnamed_host', message: `The picture lies at ${url.host}, a host that was not named.` };
    return fetchPicture(address, limits.timeout_secs);
  }

  #answered(at: number, { key }: Task, usage: Usage): void {
    const { job } = this.pace;
    job.answered(at, performance.now(), usage);
    if (key.set.framework === 'sra' && this.#host.session().agentCall(key).due.type === 'stopped') job.end_chain(at);
    this.pace.tell();
  }

  /** Writes a call down; one that cannot be kept is still handed to the session, and the job stops. */
  async #keep(record: TrajectoryRecord, bytes: Uint8Array<ArrayBuffer> | null): Promise<void> {
    // A key that somebody put among the parameters is not written down.
    const parameters = JSON.parse(this.clean(JSON.stringify(record.parameters))) as TrajectoryRecord['parameters'];
    const complete: TrajectoryRecord = { ...record, parameters, time: new Date().toISOString(), by: 'call' };
    const made: Made | null = bytes === null || complete.picture === null ? null : { sha256: complete.picture.sha256, bytes };
    let loose: Made | null = null;
    try {
      await keepCall(this.#benchmark, complete, made);
    } catch (error) {
      loose = made;
      this.pace.break(messageOf(error));
    }
    this.#host.session().addTrajectories([complete]);
    this.#host.keptCall(loose);
  }
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | Failure {
  try {
    return decodeBase64(base64);
  } catch {
    return { kind: 'bad_picture', message: 'Expected a picture in base64, found something else.' };
  }
}

/** Why bytes are no whole picture, or `null`; whoever looks at a trajectory later must not find half of one. */
export async function flawOf(bytes: Uint8Array<ArrayBuffer>): Promise<Failure | null> {
  try {
    (await createImageBitmap(new Blob([bytes]))).close();
    return null;
  } catch {
    return { kind: 'bad_picture', message: `Expected a picture, found ${bytes.length} bytes that the browser cannot decode.` };
  }
}
