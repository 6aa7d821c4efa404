/**
 * The Rust edge `juror_web` as the page sees it.
 *
 * The package is built into `pkg/` and not committed; this file states the contract, so that the page can be checked
 * without a build, and so that nothing else imports the package.
 */
import type { Agreement } from './types/Agreement';
import type { AgentBody } from './types/AgentBody';
import type { AgentCall } from './types/AgentCall';
import type { AgentExport } from './types/AgentExport';
import type { AgentFile } from './types/AgentFile';
import type { AgentKey } from './types/AgentKey';
import type { AgentPlan } from './types/AgentPlan';
import type { AgentQuery } from './types/AgentQuery';
import type { AgentScope } from './types/AgentScope';
import type { AgentServices } from './types/AgentServices';
import type { AgentSetView } from './types/AgentSetView';
import type { AgentStrips } from './types/AgentStrips';
import type { Answer } from './types/Answer';
import type { Archive } from './types/Archive';
import type { ArchiveDirectory } from './types/ArchiveDirectory';
import type { Auth } from './types/Auth';
import type { Behind } from './types/Behind';
import type { CompareQuery } from './types/CompareQuery';
import type { Comparison } from './types/Comparison';
import type { Completion } from './types/Completion';
import type { ConditionPlan } from './types/ConditionPlan';
import type { ConditionValue } from './types/ConditionValue';
import type { Facet } from './types/Facet';
import type { FileMeta } from './types/FileMeta';
import type { FoundNames } from './types/FoundNames';
import type { Failure } from './types/Failure';
import type { HighlightQuery } from './types/HighlightQuery';
import type { Highlights } from './types/Highlights';
import type { InputKey } from './types/InputKey';
import type { InputView } from './types/InputView';
import type { JobBody } from './types/JobBody';
import type { JobLimits } from './types/JobLimits';
import type { JobPlan } from './types/JobPlan';
import type { JobProgress } from './types/JobProgress';
import type { JobScope } from './types/JobScope';
import type { JobTask } from './types/JobTask';
import type { JournalRecord } from './types/JournalRecord';
import type { JudgeHealth } from './types/JudgeHealth';
import type { LintReport } from './types/LintReport';
import type { Measure } from './types/Measure';
import type { MeasureImport } from './types/MeasureImport';
import type { MeasureOffer } from './types/MeasureOffer';
import type { MeasurePlan } from './types/MeasurePlan';
import type { MeasureQuery } from './types/MeasureQuery';
import type { Next } from './types/Next';
import type { Overview } from './types/Overview';
import type { OpenedPack } from './types/OpenedPack';
import type { Packed } from './types/Packed';
import type { JudgeName } from './types/JudgeName';
import type { JudgePreset } from './types/JudgePreset';
import type { PackComparison } from './types/PackComparison';
import type { PackItem } from './types/PackItem';
import type { PackPictures } from './types/PackPictures';
import type { PackText } from './types/PackText';
import type { PackVerification } from './types/PackVerification';
import type { PairedSample } from './types/PairedSample';
import type { PairDetail } from './types/PairDetail';
import type { PairKey } from './types/PairKey';
import type { Params } from './types/Params';
import type { PasteResult } from './types/PasteResult';
import type { PastedReplies } from './types/PastedReplies';
import type { PastedReply } from './types/PastedReply';
import type { PictureAnswer } from './types/PictureAnswer';
import type { PictureWire } from './types/PictureWire';
import type { Plot } from './types/Plot';
import type { PlotQuery } from './types/PlotQuery';
import type { Progress } from './types/Progress';
import type { RateItem } from './types/RateItem';
import type { RateKey } from './types/RateKey';
import type { RatePlan } from './types/RatePlan';
import type { RateScope } from './types/RateScope';
import type { Rating } from './types/Rating';
import type { RatingsFile } from './types/RatingsFile';
import type { RecordHead } from './types/RecordHead';
import type { ReplyCheck } from './types/ReplyCheck';
import type { RequestKey } from './types/RequestKey';
import type { RequestView } from './types/RequestView';
import type { RowUnits } from './types/RowUnits';
import type { SampleList } from './types/SampleList';
import type { SampleQuery } from './types/SampleQuery';
import type { SampleView } from './types/SampleView';
import type { ScoreOptions } from './types/ScoreOptions';
import type { Standing } from './types/Standing';
import type { StandingsQuery } from './types/StandingsQuery';
import type { TrajectoryRecord } from './types/TrajectoryRecord';
import type { Treatment } from './types/Treatment';
import type { Usage } from './types/Usage';
import type { Want } from './types/Want';
import type { Wire } from './types/Wire';

/** Pictures side by side in one row, as models that take one picture are given them. */
export interface Concatenated {
  png: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
  font_px: number;
  downscaled: boolean;
}

/** Report tables: Markdown, LaTeX, LaTeX with intervals. */
export type TableFormat = 'md' | 'latex' | 'latex-intervals';

/** A judging job's state machine. */
export interface Job {
  next(nowMs: number): Next;
  /** Sets aside what a call may cost, right before it is sent; whether it may be sent. */
  reserve_text(task: number, body: string, pictures: number): boolean;
  reserve_picture(task: number): boolean;
  answered(task: number, nowMs: number, usage: Usage): void;
  /** Nothing of the task's chain is to be done after it. */
  end_chain(task: number): void;
  /** Whether the task is given up with it. */
  failed(task: number, nowMs: number, failure: Failure, retryAfterMs: number | undefined, status: number | undefined, usage: Usage | null): boolean;
  pause(): void;
  resume(): void;
  cancel(): void;
  progress(nowMs: number): JobProgress;
  free(): void;
}

/** One engine with everything that was opened in it. */
export interface Session {
  add_files(files: FileMeta[]): number;
  wants(limit: number): Want[];
  /** Puts the reads of these files before the others that were not handed out yet. */
  hasten(files: Uint32Array): void;
  provide(file: number, bytes: Uint8Array): void;
  /** What came of decoding a picture that was wanted for that: nothing wrong, or what and the mend. */
  provide_decoded(file: number, message?: string, hint?: string): void;
  failed(file: number, message: string): void;
  progress(): Progress;
  overview(options: ScoreOptions): Overview;
  row_units(options: ScoreOptions, row: number): RowUnits;
  highlights(query: HighlightQuery): Highlights;
  sample(id: string, options: ScoreOptions): SampleView;
  request(key: RequestKey): RequestView;
  provide_picture(file: number, bytes: Uint8Array): void;
  parse(reply: PastedReply): PasteResult;
  paste(reply: PastedReply): PasteResult;
  remove_pasted(reply: PastedReply): JournalRecord[];
  damaged_entry(file: number, zip: string, entry: string, why: string): void;
  retry_failures(): number;
  generator_input(key: InputKey): InputView;
  use_pack(sha256: string): void;
  /** Which benchmark counts, by the path of its file. */
  choose_benchmark(path?: string): void;
  report(options: ScoreOptions, format: 'json' | 'csv'): Uint8Array<ArrayBuffer>;
  journal(): Uint8Array<ArrayBuffer>;
  free(): void;
  // The rest is there in the whole engine alone.
  /** `null` where a search has looked into so many bytes of replies and is not done: asked again, it goes on there. */
  samples(query: SampleQuery, bytes: number): SampleList | null;
  facets(query: SampleQuery, bytes: number): Facet[] | null;
  group_filter(options: ScoreOptions, scope: string, key: string): string | undefined;
  complete_filter(source: string, caret: number, options: ScoreOptions): Completion[];
  benchmark_id(): string | undefined;
  compare(options: ScoreOptions, query: CompareQuery): Comparison;
  standings(query: StandingsQuery): Standing[];
  compare_csv(options: ScoreOptions, query: CompareQuery): Uint8Array<ArrayBuffer>;
  paired_samples(options: ScoreOptions, query: CompareQuery, a: string, b: string): PairedSample[];
  plan_job(scope: JobScope): JobPlan;
  job_body(key: RequestKey, wire: Wire, params: Params): JobBody;
  plot(query: PlotQuery): Plot;
  behind(query: PlotQuery, line: number, mark: number): Behind;
  record_head(): RecordHead;
  add_records(records: JournalRecord[]): void;
  add_trajectories(records: TrajectoryRecord[]): void;
  plan_agents(scope: AgentScope): AgentPlan;
  agent_call(key: AgentKey): AgentCall;
  agent_body(key: AgentKey, services: AgentServices): AgentBody | null;
  agent_files(): AgentFile[];
  agent_export(): AgentExport[];
  trajectories(): string;
  agent_sets(): AgentSetView[];
  agent_strips(query: AgentQuery): AgentStrips;
  judge_called(name: string): JudgePreset | null;
  name_judges(names: JudgeName[]): void;
  unname_judges(places: string[]): void;
  sheet_heading(key: RequestKey, judge: string, run: number): string;
  read_replies(text: string, time: string): PastedReplies;
  check_needs(): Uint32Array;
  check_replies(): ReplyCheck;
  pack_items(): PackItem[];
  pack_texts(options: ScoreOptions, pictures: PackPictures, packed: Packed[]): PackText[];
  add_pack(manifest: string): number;
  /** With the manifest's word for what its pictures are. */
  add_pack_as_stated(manifest: string): number;
  add_pack_journal(text: string): void;
  verify_pack(opened: OpenedPack): PackVerification;
  tables(options: ScoreOptions, format: TableFormat): Uint8Array<ArrayBuffer>;
  judge_health(): JudgeHealth[];
  plan_anchors(scope: JobScope, count: number): JobTask[];
  agreement(options: ScoreOptions): Agreement;
  agreement_pair(key: PairKey): PairDetail;
  ratings_template(): Uint8Array<ArrayBuffer>;
  rate_plan(scope: RateScope): RatePlan;
  rate_item(key: RateKey): RateItem;
  use_ratings(ratings: Rating[]): void;
  ratings_csv(rater?: string): Uint8Array<ArrayBuffer>;
  lint_report(): LintReport;
  lint_needs(): Uint32Array;
  print_needs(): Uint32Array;
  provide_print(file: number, hash: string, cells: Uint8Array): void;
  no_print(file: number, message: string): void;
  rename_script(): string;
  measure_offer(): MeasureOffer;
  measure_plan(query: MeasureQuery): MeasurePlan;
  condition_plan(): ConditionPlan;
  condition_journal(values: ConditionValue[], time: string): string;
  add_measures(records: Measure[]): void;
  import_measures(text: string): MeasureImport;
  drop_measures(): void;
  measures(): Uint8Array<ArrayBuffer>;
}

/** What the package exports. */
export interface Edge {
  Session: new () => Session;
  // The rest is there in the whole engine alone.
  Job: {
    new (tasks: number, limits: JobLimits, seed: bigint): Job;
    /** A job whose tasks stand in chains of these lengths. */
    chained(lengths: Uint32Array, limits: JobLimits, pictures: number, plans: number, seed: bigint): Job;
  };
  auth: (wire: Wire) => Auth;
  url: (wire: Wire, base: string, model: string) => string;
  /** The most tokens of a reply that such a request allows. */
  most_reply_tokens: (wire: Wire, params: Params) => number | undefined;
  /** What an answer of any status says of its tokens. */
  read_usage: (wire: Wire, body: string) => Usage;
  read_answer: (wire: Wire, status: number, body: string) => Answer;
  read_picture_answer: (wire: PictureWire, status: number, body: string) => PictureAnswer;
  with_picture: (record: TrajectoryRecord, bytes: Uint8Array) => TrajectoryRecord;
  /** Which limit of the service the pictures break, given their sizes in bytes. */
  check_size: (wire: Wire, images: Uint32Array) => string | undefined;
  check_picture_size: (wire: PictureWire, images: Uint32Array) => string | undefined;
  media_type: (head: Uint8Array, path: string) => string;
  /** Bytes of a ZIP's end that are enough to find its directory. */
  zip_tail_bytes: () => number;
  zip_directory: (tail: Uint8Array, at: number) => ArchiveDirectory;
  /** What a ZIP holds, by the rules of every host. */
  zip_entries: (directory: Uint8Array, place: ArchiveDirectory, name: string) => Archive;
  /** The names of a pack's files as its manifest has them. */
  settle_names: (manifest: string, paths: string[]) => FoundNames;
  /** The paths of a pack's files in the order in which `add_pack` numbers them. */
  pack_sources: (manifest: string) => string[];
  pack_has_journal: (manifest: string) => boolean;
  compare_packs: (first: OpenedPack, second: OpenedPack) => PackComparison;
  /** Paths of files that both packs have, with other contents. */
  pack_conflicts: (first: string, second: string) => string[];
  sha256: (bytes: Uint8Array) => string;
  read_ratings: (path: string, text: string) => RatingsFile | null;
  default: () => Promise<unknown>;
}

/** What the package for work on pixels exports. */
export interface PictureEdge {
  concatenate: (pictures: Uint8Array[]) => Concatenated;
  pack_thumbnail: (picture: Uint8Array, maxPx: number) => Uint8Array<ArrayBuffer>;
  prepare: (treatment: Treatment, picture: Uint8Array, other: Uint8Array) => Uint8Array<ArrayBuffer>;
  /** What keeps a whole picture from being decoded; nothing where it decodes. */
  check: (picture: Uint8Array) => { message: string; hint: string } | undefined;
  /** What a picture looks like. */
  print: (picture: Uint8Array) => { hash: string; cells: Uint8Array };
  default: () => Promise<unknown>;
}
