/** Packs of networks that are open on this page, and what runs them. */
import { messageOf } from '../engine/errors';
import { NetworksClient } from '../engine/networks/client';
import { forget, numKept } from '../engine/networks/kept';
import type { NetworkProfile, NetworkRunner } from '../engine/networks/edge';
import type { PackFiles } from '../engine/networks/protocol';
import type { Source } from '../engine/client';
import type { NetworkCheck } from '../engine/types/NetworkCheck';
import type { NetworkPack } from '../engine/types/NetworkPack';

/** More files are no pack. */
const MAX_FILES = 1000;

/** A pack that was opened. */
export interface OpenPack {
  pack: NetworkPack;
  files: PackFiles;
  /** How near it came in its golden cases; `null` before they were run. */
  check: NetworkCheck | null;
  /** Why nothing is computed with it; empty where it can be. */
  problem: string;
}

class Networks extends EventTarget {
  packs: readonly OpenPack[] = [];
  profile: NetworkProfile = 'released';
  /** What they run on. */
  runner: NetworkRunner = 'cpu';
  /** Why they run on the CPU though WebGPU was chosen; empty where they do as chosen. */
  runnerProblem = '';
  /** How many run at once; each has its network in memory for itself. */
  workers = 1;
  /** Whether what is kept in this browser is computed all the same. */
  again = false;
  /** Values and features that are kept in this browser. */
  kept = 0;
  /** What is done just now, in words. */
  busy = '';

  /** The packs that stood their golden cases, by what they compute. */
  get ready(): ReadonlySet<string> {
    return new Set(this.packs.filter(({ check }) => check !== null).map(({ pack }) => pack.task));
  }

  /** Opens a pack and runs its golden cases; of two for one task the later one stays. */
  async open(source: Source): Promise<OpenPack> {
    this.#say(`Opening ${'name' in source ? source.name : 'the pack'}…`);
    let client: NetworksClient | null = null;
    try {
      const files = await filesOf(source);
      client = await NetworksClient.start(this.profile, this.runner, [files]);
      const [pack] = client.opened;
      if (pack === undefined) throw new Error('No pack was opened.');
      const opened: OpenPack = { pack, files, check: null, problem: '' };
      this.packs = [...this.packs.filter((one) => one.pack.task !== pack.task), opened];
      await this.#check(client, opened);
      return opened;
    } finally {
      client?.stop();
      this.#say('');
    }
  }

  /** Runs networks on something else from now on, and the golden cases of every open pack on it first. */
  async runOn(runner: NetworkRunner): Promise<void> {
    this.runner = runner;
    this.runnerProblem = '';
    try {
      await this.#checkAll();
    } catch (error) {
      if (runner === 'cpu') throw error;
      this.runner = 'cpu';
      this.runnerProblem = `${messageOf(error)} Networks run on the CPU until then.`;
      await this.#checkAll();
    }
  }

  close(one: OpenPack): void {
    this.packs = this.packs.filter((known) => known !== one);
    this.#say(this.busy);
  }

  /** Counts what is kept; a browser that keeps nothing has nothing. */
  async count(): Promise<void> {
    this.kept = await numKept().catch(() => 0);
    this.#say(this.busy);
  }

  /** Deletes what is kept. */
  async forget(): Promise<void> {
    await forget();
    await this.count();
  }

  choose(profile: NetworkProfile): void {
    this.profile = profile;
    this.#say(this.busy);
  }

  /** A worker with every pack that stood its golden cases. */
  start(): Promise<NetworksClient> {
    return NetworksClient.start(
      this.profile,
      this.runner,
      this.packs.filter(({ check }) => check !== null).map(({ files }) => files),
      this.again,
    );
  }

  /** Of what was found on another runner nothing counts any more; rejects where this one cannot start. */
  async #checkAll(): Promise<void> {
    // The CPU is always there.
    if (this.packs.length === 0 && this.runner === 'cpu') {
      this.#say('');
      return;
    }
    for (const one of this.packs) Object.assign(one, { check: null, problem: '' });
    this.#say(this.runner === 'webgpu' ? 'Starting onnxruntime-web on WebGPU…' : 'Starting rten on the CPU…');
    let client: NetworksClient | null = null;
    try {
      client = await NetworksClient.start(
        this.profile,
        this.runner,
        this.packs.map(({ files }) => files),
      );
      for (const one of this.packs) await this.#check(client, one);
    } finally {
      client?.stop();
      this.#say('');
    }
  }

  /** Runs the golden cases of a pack. */
  async #check(client: NetworksClient, one: OpenPack): Promise<void> {
    this.#say(`Checking ${one.pack.id} against what its network gave elsewhere…`);
    try {
      one.check = await client.check(one.pack.task);
    } catch (error) {
      one.problem = messageOf(error);
    }
  }

  #say(busy: string): void {
    this.busy = busy;
    this.dispatchEvent(new Event('change'));
  }
}

async function filesOf(source: Source): Promise<PackFiles> {
  if (source.kind === 'zip') return { paths: [source.name], files: [source.blob] };
  if (source.kind !== 'files') throw new Error('A pack is a folder or a ZIP.');
  const listed = await source.list(() => undefined);
  if (listed.length > MAX_FILES)
    throw new Error(`This folder has more than ${MAX_FILES} files, so it is no pack: choose the folder that its exporter wrote, with pack.json in it.`);
  return { paths: listed.map(({ path }) => path), files: await Promise.all(listed.map(({ open }) => open())) };
}

export const networks = new Networks();
