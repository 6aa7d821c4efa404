// Written by `cargo xtask bless` from the questions of juror_web; do not edit it.
import type { AgentBody } from './AgentBody';
import type { AgentCall } from './AgentCall';
import type { AgentExport } from './AgentExport';
import type { AgentFile } from './AgentFile';
import type { AgentKey } from './AgentKey';
import type { AgentPlan } from './AgentPlan';
import type { AgentQuery } from './AgentQuery';
import type { AgentScope } from './AgentScope';
import type { AgentServices } from './AgentServices';
import type { AgentSetView } from './AgentSetView';
import type { AgentStrips } from './AgentStrips';
import type { Agreement } from './Agreement';
import type { Behind } from './Behind';
import type { Bytes } from './Bytes';
import type { CompareQuery } from './CompareQuery';
import type { Comparison } from './Comparison';
import type { Completion } from './Completion';
import type { ConditionPlan } from './ConditionPlan';
import type { ConditionValue } from './ConditionValue';
import type { Done } from './Done';
import type { Facet } from './Facet';
import type { HighlightQuery } from './HighlightQuery';
import type { Highlights } from './Highlights';
import type { InputKey } from './InputKey';
import type { InputView } from './InputView';
import type { JobBody } from './JobBody';
import type { JobPlan } from './JobPlan';
import type { JobScope } from './JobScope';
import type { JobTask } from './JobTask';
import type { JournalRecord } from './JournalRecord';
import type { JudgeHealth } from './JudgeHealth';
import type { JudgeName } from './JudgeName';
import type { JudgePreset } from './JudgePreset';
import type { LintReport } from './LintReport';
import type { Measure } from './Measure';
import type { MeasureImport } from './MeasureImport';
import type { MeasureOffer } from './MeasureOffer';
import type { MeasurePlan } from './MeasurePlan';
import type { MeasureQuery } from './MeasureQuery';
import type { OpenedPack } from './OpenedPack';
import type { Overview } from './Overview';
import type { PackItem } from './PackItem';
import type { PackPictures } from './PackPictures';
import type { PackText } from './PackText';
import type { PackVerification } from './PackVerification';
import type { Packed } from './Packed';
import type { PairDetail } from './PairDetail';
import type { PairKey } from './PairKey';
import type { PairedSample } from './PairedSample';
import type { Params } from './Params';
import type { PasteResult } from './PasteResult';
import type { PastedReplies } from './PastedReplies';
import type { PastedReply } from './PastedReply';
import type { Plot } from './Plot';
import type { PlotQuery } from './PlotQuery';
import type { RateItem } from './RateItem';
import type { RateKey } from './RateKey';
import type { RatePlan } from './RatePlan';
import type { RateScope } from './RateScope';
import type { Rating } from './Rating';
import type { RatingsFile } from './RatingsFile';
import type { RecordHead } from './RecordHead';
import type { ReplyCheck } from './ReplyCheck';
import type { ReportFormat } from './ReportFormat';
import type { RequestKey } from './RequestKey';
import type { RequestView } from './RequestView';
import type { RowUnits } from './RowUnits';
import type { SampleList } from './SampleList';
import type { SampleQuery } from './SampleQuery';
import type { SampleView } from './SampleView';
import type { ScoreOptions } from './ScoreOptions';
import type { Standing } from './Standing';
import type { StandingsQuery } from './StandingsQuery';
import type { TableFormat } from './TableFormat';
import type { TrajectoryRecord } from './TrajectoryRecord';
import type { Wire } from './Wire';

/** What the page asks of a session, and what it is answered. */
export interface PageQuestions {
  /** Everything that the overview shows. */
  overview(options: ScoreOptions): Overview;
  /** The scores behind a score row, by its position. */
  rowUnits(options: ScoreOptions, row: number): RowUnits;
  /** Samples worth looking at. */
  highlights(query: HighlightQuery): Highlights;
  /** One sample. */
  sample(id: string, options: ScoreOptions): SampleView;
  /** One judge request. */
  request(key: RequestKey): RequestView;
  /** Reads a pasted reply and keeps nothing. */
  parse(reply: PastedReply): PasteResult;
  /** What a generator is given for a turn. */
  generatorInput(key: InputKey): InputView;
  /** Chooses the prompt pack that requests are made with. */
  usePack(sha256: string): Done;
  /** The report. */
  report(options: ScoreOptions, format: ReportFormat): Bytes;
  /** The pasted replies as `journal.jsonl`. */
  journal(): Bytes;
  /** A window of the filtered sample list. */
  samples(query: SampleQuery): SampleList;
  /** The fields of a filter with their values, counted. */
  facets(query: SampleQuery): Array<Facet>;
  /** What the samples of a group of score rows pass, and no others; nothing where no expression says it. */
  groupFilter(options: ScoreOptions, scope: string, key: string): string | null;
  /** What may stand at the caret of a filter. */
  completeFilter(source: string, caret: number, options: ScoreOptions): Array<Completion>;
  /** Models beside each other. */
  compare(options: ScoreOptions, query: CompareQuery): Comparison;
  /** Where each model stands in a column of the score table. */
  standings(query: StandingsQuery): Array<Standing>;
  /** Models beside each other as CSV. */
  compareCsv(options: ScoreOptions, query: CompareQuery): Bytes;
  /** The samples that two models are compared on, the largest difference first. */
  pairedSamples(options: ScoreOptions, query: CompareQuery, a: string, b: string): Array<PairedSample>;
  /** One plot, counted. */
  plot(query: PlotQuery): Plot;
  /** The samples behind a plot's mark. */
  behind(query: PlotQuery, line: number, mark: number): Behind;
  /** Judges beside people and each other. */
  agreement(options: ScoreOptions): Agreement;
  /** One pairing in full. */
  agreementPair(key: PairKey): PairDetail;
  /** A CSV for people's ratings, to be filled in. */
  ratingsTemplate(): Bytes;
  /** What there is to rate, shuffled. */
  ratePlan(scope: RateScope): RatePlan;
  /** One output to rate, without its name. */
  rateItem(key: RateKey): RateItem;
  /** The ratings of one rater, or of all, as CSV. */
  ratingsCsv(rater: string | null): Bytes;
  /** Reads a file of ratings; nothing if it is something else. */
  readRatings(path: string, text: string): RatingsFile | null;
  /** Tells this benchmark from another; nothing while there is none. */
  benchmarkId(): string | null;
  /** The benchmark's own judge of this id or model. */
  judgeCalled(name: string): JudgePreset | null;
  /** What a judging job would ask. */
  planJob(scope: JobScope): JobPlan;
  /** Judges with their parameters and the drift of their anchors. */
  judgeHealth(): Array<JudgeHealth>;
  /** What a job of agents would call. */
  planAgents(scope: AgentScope): AgentPlan;
  /** The call that a trajectory waits for. */
  agentCall(key: AgentKey): AgentCall;
  /** Who made trajectories. */
  agentSets(): Array<AgentSetView>;
  /** Trajectories step by step. */
  agentStrips(query: AgentQuery): AgentStrips;
  /** What can be measured. */
  measureOffer(): MeasureOffer;
  /** What measuring this would take. */
  measurePlan(query: MeasureQuery): MeasurePlan;
  /** What files made elsewhere can complete. */
  conditionPlan(): ConditionPlan;
  /** Values of such files as a journal, each reply at this time. */
  conditionJournal(values: Array<ConditionValue>, time: string): string;
  /** Takes a file of measured values in: how many, and what could not be read. */
  importMeasures(text: string): MeasureImport;
  /** Forgets what was measured in this session. */
  dropMeasures(): Done;
  /** Every measured value, one per line. */
  measures(): Bytes;
  /** What is to be found fault with before anything is judged. */
  lintReport(): LintReport;
  /** The suggested renames as shell commands. */
  renameScript(): string;
  /** The report as tables. */
  tables(options: ScoreOptions, format: TableFormat): Bytes;
}

/** What the host of a session asks besides. */
export interface HostQuestions {
  /** Reads a pasted reply and keeps it in the session. */
  paste(reply: PastedReply): PasteResult;
  /** Takes a pasted reply out of the session; the records that were taken out. */
  removePasted(reply: PastedReply): Array<JournalRecord>;
  /** Says which benchmark counts, by the path of its list or of its `juror.json`; what it needs is wanted next. */
  chooseBenchmark(path: string): Done;
  /** Asks again for every file whose reading failed; how many they are. */
  retryFailures(): number;
  /** Takes the ratings that the page keeps, instead of those of before. */
  useRatings(ratings: Array<Rating>): Done;
  /** Names who judged in files of replies that do not state it. */
  nameJudges(names: Array<JudgeName>): Done;
  /** Takes names of judges back, by their paths. */
  unnameJudges(places: Array<string>): Done;
  /** The body of a request without its pictures. */
  jobBody(key: RequestKey, wire: Wire, params: Params): JobBody;
  /** What records that are made now have in common. */
  recordHead(): RecordHead;
  /** The anchors of a job. */
  planAnchors(scope: JobScope, count: number): Array<JobTask>;
  /** Takes records in. */
  addRecords(records: Array<JournalRecord>): Done;
  /** The heading of one request in a sheet of replies. */
  sheetHeading(key: RequestKey, judge: string, run: number): string;
  /** Reads replies that come together and keeps nothing. */
  readReplies(text: string, time: string): PastedReplies;
  /** The files that `checkReplies` compares and that were not read yet. */
  checkNeeds(): Array<number>;
  /** Holds every reply against its request as it is now. */
  checkReplies(): ReplyCheck;
  /** Takes records in that were kept. */
  addTrajectories(records: Array<TrajectoryRecord>): Done;
  /** The call that is due as it is sent, if there is one. */
  agentBody(key: AgentKey, services: AgentServices): AgentBody | null;
  /** Kept pictures that are not listed yet. */
  agentFiles(): Array<AgentFile>;
  /** The pictures of an export. */
  agentExport(): Array<AgentExport>;
  /** Every record, as `trajectories.jsonl`. */
  trajectories(): string;
  /** Takes measured values in. */
  addMeasures(records: Array<Measure>): Done;
  /** Files whose content the findings compare. */
  lintNeeds(): Array<number>;
  /** Files whose looks the findings compare. */
  printNeeds(): Array<number>;
  /** The files that a pack holds. */
  packItems(): Array<PackItem>;
  /** The texts of a pack, the manifest last; `packed` is what was read. */
  packTexts(options: ScoreOptions, pictures: PackPictures, packed: Array<Packed>): Array<PackText>;
  /** Lists the files of a pack; their numbers begin with the one returned, in the order of `pack_sources`. */
  addPack(manifest: string): number;
  /** The same, with the manifest's word for what its pictures are: to look at a pack, not to verify it. */
  addPackAsStated(manifest: string): number;
  /** Takes in a pack's own journal. */
  addPackJournal(text: string): Done;
  /** Holds a pack against what is recomputed. */
  verifyPack(opened: OpenedPack): PackVerification;
}

/** Every question. */
export type Questions = PageQuestions & HostQuestions;

/** The answer to a question. */
export type AnswerOf<Name extends keyof Questions> = ReturnType<Questions[Name]>;

/** What the worker does around a question. */
export type Around = 'host' | 'read' | 'pictures' | 'ratings' | 'parts' | 'changes';

/** The names of the page's questions. */
export const PAGE_QUESTIONS: readonly (keyof PageQuestions)[] = ['overview', 'rowUnits', 'highlights', 'sample', 'request', 'parse', 'generatorInput', 'usePack', 'report', 'journal', 'samples', 'facets', 'groupFilter', 'completeFilter', 'compare', 'standings', 'compareCsv', 'pairedSamples', 'plot', 'behind', 'agreement', 'agreementPair', 'ratingsTemplate', 'ratePlan', 'rateItem', 'ratingsCsv', 'readRatings', 'benchmarkId', 'judgeCalled', 'planJob', 'judgeHealth', 'planAgents', 'agentCall', 'agentSets', 'agentStrips', 'measureOffer', 'measurePlan', 'conditionPlan', 'conditionJournal', 'importMeasures', 'dropMeasures', 'measures', 'lintReport', 'renameScript', 'tables'];

/** How each question crosses to the engine: `{topic: {name: {…}}}` with the arguments under these names. */
export const QUESTIONS: Record<keyof Questions, { topic: string; takes: readonly string[]; around: readonly Around[] }> = {
  overview: { topic: 'shown', takes: ['options'], around: [] },
  rowUnits: { topic: 'shown', takes: ['options', 'row'], around: [] },
  highlights: { topic: 'shown', takes: ['query'], around: [] },
  sample: { topic: 'shown', takes: ['id', 'options'], around: [] },
  request: { topic: 'shown', takes: ['key'], around: ['pictures'] },
  parse: { topic: 'shown', takes: ['reply'], around: [] },
  generatorInput: { topic: 'shown', takes: ['key'], around: [] },
  usePack: { topic: 'shown', takes: ['sha256'], around: [] },
  report: { topic: 'shown', takes: ['options', 'format'], around: ['read'] },
  journal: { topic: 'shown', takes: [], around: ['read'] },
  paste: { topic: 'shown', takes: ['reply'], around: ['host'] },
  removePasted: { topic: 'shown', takes: ['reply'], around: ['host'] },
  chooseBenchmark: { topic: 'shown', takes: ['path'], around: ['host'] },
  retryFailures: { topic: 'shown', takes: [], around: ['host'] },
  samples: { topic: 'list', takes: ['query'], around: ['parts'] },
  facets: { topic: 'list', takes: ['query'], around: ['parts'] },
  groupFilter: { topic: 'list', takes: ['options', 'scope', 'key'], around: [] },
  completeFilter: { topic: 'list', takes: ['source', 'caret', 'options'], around: [] },
  compare: { topic: 'compare', takes: ['options', 'query'], around: [] },
  standings: { topic: 'compare', takes: ['query'], around: [] },
  compareCsv: { topic: 'compare', takes: ['options', 'query'], around: ['read'] },
  pairedSamples: { topic: 'compare', takes: ['options', 'query', 'a', 'b'], around: [] },
  plot: { topic: 'compare', takes: ['query'], around: [] },
  behind: { topic: 'compare', takes: ['query', 'line', 'mark'], around: [] },
  agreement: { topic: 'rating', takes: ['options'], around: ['ratings'] },
  agreementPair: { topic: 'rating', takes: ['key'], around: ['ratings'] },
  ratingsTemplate: { topic: 'rating', takes: [], around: ['read'] },
  ratePlan: { topic: 'rating', takes: ['scope'], around: ['ratings'] },
  rateItem: { topic: 'rating', takes: ['key'], around: [] },
  ratingsCsv: { topic: 'rating', takes: ['rater'], around: ['ratings'] },
  readRatings: { topic: 'rating', takes: ['path', 'text'], around: [] },
  useRatings: { topic: 'rating', takes: ['ratings'], around: ['host'] },
  benchmarkId: { topic: 'judging', takes: [], around: [] },
  judgeCalled: { topic: 'judging', takes: ['name'], around: [] },
  planJob: { topic: 'judging', takes: ['scope'], around: [] },
  judgeHealth: { topic: 'judging', takes: [], around: [] },
  nameJudges: { topic: 'judging', takes: ['names'], around: ['host'] },
  unnameJudges: { topic: 'judging', takes: ['places'], around: ['host'] },
  jobBody: { topic: 'judging', takes: ['key', 'wire', 'params'], around: ['host'] },
  recordHead: { topic: 'judging', takes: [], around: ['host'] },
  planAnchors: { topic: 'judging', takes: ['scope', 'count'], around: ['host'] },
  addRecords: { topic: 'judging', takes: ['records'], around: ['host'] },
  sheetHeading: { topic: 'judging', takes: ['key', 'judge', 'run'], around: ['host'] },
  readReplies: { topic: 'judging', takes: ['text', 'time'], around: ['host'] },
  checkNeeds: { topic: 'judging', takes: [], around: ['host'] },
  checkReplies: { topic: 'judging', takes: [], around: ['host'] },
  planAgents: { topic: 'agents', takes: ['scope'], around: [] },
  agentCall: { topic: 'agents', takes: ['key'], around: ['pictures'] },
  agentSets: { topic: 'agents', takes: [], around: [] },
  agentStrips: { topic: 'agents', takes: ['query'], around: [] },
  addTrajectories: { topic: 'agents', takes: ['records'], around: ['host'] },
  agentBody: { topic: 'agents', takes: ['key', 'services'], around: ['host'] },
  agentFiles: { topic: 'agents', takes: [], around: ['host'] },
  agentExport: { topic: 'agents', takes: [], around: ['host'] },
  trajectories: { topic: 'agents', takes: [], around: ['host'] },
  measureOffer: { topic: 'measures', takes: [], around: [] },
  measurePlan: { topic: 'measures', takes: ['query'], around: ['read'] },
  conditionPlan: { topic: 'measures', takes: [], around: ['read'] },
  conditionJournal: { topic: 'measures', takes: ['values', 'time'], around: ['read'] },
  importMeasures: { topic: 'measures', takes: ['text'], around: ['changes'] },
  dropMeasures: { topic: 'measures', takes: [], around: ['changes'] },
  measures: { topic: 'measures', takes: [], around: ['read'] },
  addMeasures: { topic: 'measures', takes: ['records'], around: ['host'] },
  lintReport: { topic: 'lint', takes: [], around: [] },
  renameScript: { topic: 'lint', takes: [], around: ['read'] },
  lintNeeds: { topic: 'lint', takes: [], around: ['host'] },
  printNeeds: { topic: 'lint', takes: [], around: ['host'] },
  tables: { topic: 'pack', takes: ['options', 'format'], around: ['read'] },
  packItems: { topic: 'pack', takes: [], around: ['host'] },
  packTexts: { topic: 'pack', takes: ['options', 'pictures', 'packed'], around: ['host'] },
  addPack: { topic: 'pack', takes: ['manifest'], around: ['host'] },
  addPackAsStated: { topic: 'pack', takes: ['manifest'], around: ['host'] },
  addPackJournal: { topic: 'pack', takes: ['text'], around: ['host'] },
  verifyPack: { topic: 'pack', takes: ['opened'], around: ['host'] },
};
