/**
 * The engine's worker: one Wasm session, the sources behind it, and what the reading of them asks for.
 *
 * What the session wants is read by the engine's `Loading`: files that the page holds there (`held.ts` says why), those at
 * addresses by itself, entries of ZIPs and kept pictures here. Every read is awaited, so questions are answered in between.
 *
 * Each thing that changes has one owner below `host/`: what is open, the engine in use, jobs, what this browser keeps.
 */
import { isOfPage } from './ask';
import type { LoadingPage } from './edge';
import { EngineError } from './errors';
import { Adding } from './host/adding';
import { Asking } from './host/asking';
import { decoderPool, decoders } from './host/decoding';
import { Engine } from './host/engine';
import { Jobs } from './host/jobs';
import { Keeping } from './host/keeping';
import { Made } from './host/made';
import { measuringMethods } from './host/measuring';
import { Opened } from './host/opened';
import { Packs } from './host/packs';
import { Page, type PagePort } from './host/page';
import { engine as loader } from './loader/engine';
import { mediaType } from './paths';
import type { HostMethods, ZipItem } from './protocol';

/** What the page can call besides the questions, with its arguments as they come. */
type Implementation = {
  [Name in keyof HostMethods]: (...args: Parameters<HostMethods[Name]>) => ReturnType<HostMethods[Name]> | Promise<ReturnType<HostMethods[Name]>>;
};

/** Everything that the worker is made of. */
interface Parts {
  page: Page;
  opened: Opened;
  engine: Engine;
  made: Made;
  keeping: Keeping;
  asking: Asking;
  jobs: Jobs;
  packs: Packs;
  adding: Adding;
}

/** Answers the page from now on. */
export function serve(port: PagePort): void {
  const parts = partsFor(new Page(port));
  const { page, asking, keeping } = parts;
  const methods: Implementation = { ...opening(parts), ...files(parts), ...judging(parts), ...measuringMethods(() => parts.engine.whole()), ...kept(parts) };
  const isOfHost = (name: string): name is keyof HostMethods => Object.hasOwn(methods, name);
  page.serve((id, method, args) => {
    keeping.takeFresh();
    if (isOfHost(method)) return (methods[method] as (...args: unknown[]) => unknown)(...args);
    if (isOfPage(method)) return asking.answerOf(method, args as never, id);
    throw new EngineError(`The engine has no method ${String(method)}.`, 'unknown_method');
  });
}

function partsFor(page: Page): Parts {
  const opened = new Opened();
  const engine: Engine = new Engine(opened, {
    reading: reading(page, opened, () => parts),
    onRenewed() {
      parts.keeping.renewed();
      parts.jobs.lookAway();
    },
  });
  const made = new Made(engine);
  const keeping = new Keeping(page, engine, opened, made);
  const asking = new Asking(page, engine, keeping);
  const jobs = new Jobs(page, engine, keeping, made, asking);
  const packs = new Packs(page, engine, opened);
  const parts: Parts = { page, opened, engine, made, keeping, asking, jobs, packs, adding: new Adding(engine, opened, packs) };
  return parts;
}

/** What the reading of files asks for. */
function reading(page: Page, opened: Opened, parts: () => Parts): Omit<LoadingPage, 'handOn'> {
  const pool = decoderPool(page);
  return {
    held: (reads) => page.reads.read(reads),
    apart: async (file, head) => bytesApart(parts(), file, head ?? null),
    atHand: (file) => opened.contentOf(file),
    // The demo's own pictures; its visitors fetch no decoders.
    areWhole: () => opened.isDemo,
    decode: (pictures) => pool.check(pictures),
    async check(picture) {
      const pictures = await decoders();
      return pictures === null ? null : { flaw: pictures.check(picture) ?? null };
    },
    stopDecoders: () => pool.stop(),
    onProgress: (progress, reading) => page.post({ event: 'progress', progress, reading }),
    onChanged: (phase) => page.post({ event: 'changed', phase }),
    async onEnd() {
      const { engine, keeping } = parts();
      const mine = engine.generation;
      await keeping.restore();
      engine.fetchAhead(mine);
    },
    print: async (picture) => (await loader.pictures()).print(picture),
    onCompared: (done, total) => page.post({ event: 'compared', done, total }),
  };
}

/** The bytes of a file that neither the page holds nor an address leads to. */
async function bytesApart({ opened, made }: Parts, number: number, head: number | null): Promise<Uint8Array<ArrayBuffer>> {
  const file = opened.at(number);
  if ('entry' in file) return file.from.read(file.entry, head);
  if ('sha256' in file) {
    const blob = await made.picture(file.benchmark, file.sha256);
    return new Uint8Array(await (head === null ? blob : blob.slice(0, head)).arrayBuffer());
  }
  throw new EngineError('This file is not in the evidence pack.', 'left_out');
}

/** What opens, reads and closes. */
function opening({ page, opened, engine, jobs, adding }: Parts) {
  return {
    async start(benchmark) {
      await engine.startWith(benchmark);
    },
    reset() {
      jobs.control('judge', 'cancel');
      jobs.control('agents', 'cancel');
      jobs.control('generate', 'cancel');
      engine.close();
      opened.clear();
    },
    expectFiles: () => engine.expectFiles(),
    addFiles: (more) => adding.files(more),
    addZip: (blob, name) => adding.zip(blob, name),
    addZipUrl: (url, redirects) => adding.zipUrl(url, redirects),
    addDemo: (indexUrl, benchmark) => adding.demo(indexUrl, benchmark),
    cancel() {
      engine.loading?.cancel();
    },
    resume() {
      engine.loop().read();
    },
    async chooseBenchmark(path) {
      await engine.useFull();
      engine.open().chooseBenchmark(path);
      engine.loop().readAnew();
      page.tellChanged(engine.open());
    },
    retryFailures() {
      const count = engine.open().retryFailures();
      if (count > 0) engine.loop().read();
      return count;
    },
    async comparePictures() {
      const mine = await engine.useFull();
      await loader.pictures();
      engine.mustBe(mine);
      await engine.loop().compare();
    },
    cancelCompare() {
      if (engine.isFull) engine.loading?.stopCompare();
    },
  } satisfies Partial<Implementation>;
}

/** What hands out files and pictures, and makes files of them. */
function files({ engine, opened, packs, made }: Parts) {
  return {
    async file(number) {
      const file = opened.at(number);
      engine.loop().show(number);
      // Hosts differ in how they read a plus sign of an address, which the names of agents' steps have.
      if ('url' in file && (!file.url.includes('%2B') || opened.contentOf(number) === undefined)) return file.url;
      if ('held' in file) return { held: file.held };
      return new Blob([await engine.loop().bytes(number)], { type: mediaType(file.path) });
    },
    async concatenate(numbers) {
      const pictures: Uint8Array[] = [];
      for (const number of numbers) pictures.push(await engine.loop().bytes(number));
      return (await loader.pictures()).concatenate(pictures);
    },
    async prepare(treatment, file, other) {
      return (await loader.pictures()).prepare(treatment, await engine.bytes(file), await engine.bytes(other));
    },
    async zip(items: ZipItem[]) {
      const pieces = [];
      for (const item of items) {
        if ('text' in item) pieces.push({ name: item.name, data: item.text });
        else if ('bytes' in item) pieces.push({ name: item.name, data: item.bytes });
        else pieces.push({ name: item.name, data: await engine.loop().bytes(item.file) });
      }
      return (await import('./zip-writer')).writeZip(pieces);
    },
    packFiles: () => packs.files(),
    writePack: (options, pictures) => packs.write(options, pictures),
    checkPacks: () => packs.check(),
    comparePacks: () => packs.compare(),
    exportAgents: () => made.export(),
    exportGenerated: (model) => made.exportFolder(model),
  } satisfies Partial<Implementation>;
}

/** Jobs, and replies that a person brings. */
function judging({ page, engine, asking, jobs, keeping }: Parts) {
  return {
    startJob: (settings) => jobs.judge(settings),
    lookOn: (kind, who) => jobs.lookOn(kind, who),
    controlJob: (what) => jobs.control('judge', what),
    startAgents: (settings) => jobs.make(settings),
    controlAgents: (what) => jobs.control('agents', what),
    startGenerate: (settings) => jobs.generate(settings),
    controlGenerate: (what) => jobs.control('generate', what),
    agentHand: (key, brought) => jobs.hand(key, brought),
    paste: (reply) => keeping.paste(reply),
    pasteReplies: (text) => keeping.pasteTogether(text),
    removePasted: (reply) => keeping.remove(reply),
    async sheet(tasks, judge) {
      await engine.useFull();
      let text = 'Put each reply of the judge under its heading, word for word, and leave the headings unchanged.\n\n';
      for (const { key, run } of tasks) {
        await asking.picturesFor(engine.open().request(key).needs);
        text += `${engine.open().sheetHeading(key, judge, run)}\n`;
      }
      return text;
    },
    async checkReplies() {
      await engine.useFull();
      return engine.loop().checkReplies();
    },
    nameJudge: (places, judge) => keeping.nameJudge(places, judge),
    async addMeasures(records, isLast) {
      await engine.useFull();
      engine.open().addMeasures(records);
      if (isLast) page.tellChanged(engine.open());
    },
  } satisfies Partial<Implementation>;
}

/** What this browser keeps. */
function kept({ engine, keeping }: Parts) {
  return {
    async takeRatings() {
      await engine.useFull();
      await keeping.takeRatings();
    },
    keepRatings: async (benchmark, ratings) => (await engine.kept()).keepRatings(benchmark, ratings),
    keptRatings: async (benchmark) => (await engine.kept()).ratings(benchmark),
    keepLabels: async (benchmark, labels) => (await engine.kept()).keepLabels(benchmark, labels),
    keepRater: async (session) => (await engine.kept()).keepRater(session),
    keptRaters: async (benchmark) => (await engine.kept()).raters(benchmark),
    forgetRater: async (benchmark, rater) => (await engine.kept()).forgetRater(benchmark, rater),
    forgetReplies: () => keeping.forgetReplies(),
    forgetAgents: () => keeping.forgetAgents(),
    forgetGenerated: () => keeping.forgetGenerated(),
  } satisfies Partial<Implementation>;
}
