// Written by `cargo xtask bless` from the questions of juror_web; do not edit it.
import type { AgentCall } from './AgentCall';
import type { AgentFile } from './AgentFile';
import type { AgentKey } from './AgentKey';
import type { AgentPlan } from './AgentPlan';
import type { AgentQuery } from './AgentQuery';
import type { AgentScope } from './AgentScope';
import type { AgentSetView } from './AgentSetView';
import type { AgentStrips } from './AgentStrips';
import type { Agreement } from './Agreement';
import type { AgreementQuery } from './AgreementQuery';
import type { AtomQuery } from './AtomQuery';
import type { AtomRow } from './AtomRow';
import type { Behind } from './Behind';
import type { BenchmarkStatistics } from './BenchmarkStatistics';
import type { Bytes } from './Bytes';
import type { CompareQuery } from './CompareQuery';
import type { Comparison } from './Comparison';
import type { Completion } from './Completion';
import type { ConditionPlan } from './ConditionPlan';
import type { ConditionValue } from './ConditionValue';
import type { CostQuery } from './CostQuery';
import type { Costs } from './Costs';
import type { Done } from './Done';
import type { ExperimentQuery } from './ExperimentQuery';
import type { Experiments } from './Experiments';
import type { Facet } from './Facet';
import type { GeneratePlan } from './GeneratePlan';
import type { GenerateScope } from './GenerateScope';
import type { GeneratedFile } from './GeneratedFile';
import type { GeneratedFolder } from './GeneratedFolder';
import type { GeneratedModel } from './GeneratedModel';
import type { GroupMeans } from './GroupMeans';
import type { GroupMeansQuery } from './GroupMeansQuery';
import type { Grouped } from './Grouped';
import type { GroupedQuery } from './GroupedQuery';
import type { HighlightQuery } from './HighlightQuery';
import type { Highlights } from './Highlights';
import type { InputFolder } from './InputFolder';
import type { InputKey } from './InputKey';
import type { InputQuery } from './InputQuery';
import type { InputView } from './InputView';
import type { Interval } from './Interval';
import type { JobPlan } from './JobPlan';
import type { JobScope } from './JobScope';
import type { JudgeHealth } from './JudgeHealth';
import type { JudgePreset } from './JudgePreset';
import type { LabelChange } from './LabelChange';
import type { LabelCounts } from './LabelCounts';
import type { LabelQuery } from './LabelQuery';
import type { LabelRecord } from './LabelRecord';
import type { LabelSheet } from './LabelSheet';
import type { LabelSheetQuery } from './LabelSheetQuery';
import type { LabelsFile } from './LabelsFile';
import type { LintFeatures } from './LintFeatures';
import type { LintReport } from './LintReport';
import type { Measure } from './Measure';
import type { MeasureImport } from './MeasureImport';
import type { MeasureOffer } from './MeasureOffer';
import type { MeasurePlan } from './MeasurePlan';
import type { MeasureQuery } from './MeasureQuery';
import type { ModelKind } from './ModelKind';
import type { ModelRank } from './ModelRank';
import type { NetworkValue } from './NetworkValue';
import type { Overview } from './Overview';
import type { PackItem } from './PackItem';
import type { PairDetail } from './PairDetail';
import type { PairKey } from './PairKey';
import type { PairedSample } from './PairedSample';
import type { Panel } from './Panel';
import type { PasteResult } from './PasteResult';
import type { PastedReply } from './PastedReply';
import type { Plot } from './Plot';
import type { PlotQuery } from './PlotQuery';
import type { Rankings } from './Rankings';
import type { RankingsQuery } from './RankingsQuery';
import type { RateItem } from './RateItem';
import type { RateKey } from './RateKey';
import type { RatePlan } from './RatePlan';
import type { RateScope } from './RateScope';
import type { RatingsFile } from './RatingsFile';
import type { ReportFormat } from './ReportFormat';
import type { RequestKey } from './RequestKey';
import type { RequestView } from './RequestView';
import type { RowIntervalQuery } from './RowIntervalQuery';
import type { RowUnits } from './RowUnits';
import type { SampleList } from './SampleList';
import type { SampleQuery } from './SampleQuery';
import type { SampleView } from './SampleView';
import type { ScoreOptions } from './ScoreOptions';
import type { StandingsQuery } from './StandingsQuery';
import type { SubsetScope } from './SubsetScope';
import type { TableFormat } from './TableFormat';
import type { Tolerance } from './Tolerance';

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
  /** Chooses the prompt pack that requests are made with. */
  usePack(sha256: string): Done;
  /** One judge request. */
  request(key: RequestKey): RequestView;
  /** What a generator is given for a turn. */
  generatorInput(key: InputKey): InputView;
  /** The same of many samples, as a folder with its pictures. */
  inputFolder(query: InputQuery): InputFolder;
  /** Reads a pasted reply and keeps nothing. */
  parse(reply: PastedReply): PasteResult;
  /** Replies that the strict reading refuses and the tolerant one reads, by judge. */
  tolerance(options: ScoreOptions): Array<Tolerance>;
  /** Says what a model is judged on, where its files do not tell it; nothing leaves it to them again. */
  setKind(model: string, kind: ModelKind | null): Done;
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
  /** By which groups of samples a subset can be drawn. */
  subsetScopes(): Array<SubsetScope>;
  /** What may stand at the caret of a filter. */
  completeFilter(source: string, caret: number, options: ScoreOptions): Array<Completion>;
  /** Models beside each other. */
  compare(options: ScoreOptions, query: CompareQuery): Comparison;
  /** Where each model stands in a column of the score table. */
  standings(query: StandingsQuery): Array<ModelRank>;
  /** Models beside each other as CSV. */
  compareCsv(options: ScoreOptions, query: CompareQuery): Bytes;
  /** The samples that two models are compared on, the largest difference first. */
  pairedSamples(options: ScoreOptions, query: CompareQuery, a: string, b: string): Array<PairedSample>;
  /** Models' means in each group of a scope, and whether the groups differ. */
  groupMeans(query: GroupMeansQuery): GroupMeans;
  /** The same as CSV. */
  groupMeansCsv(query: GroupMeansQuery): Bytes;
  /** Seconds of two models' outputs, paired by sample. */
  costs(query: CostQuery): Costs;
  /** The same as CSV. */
  costsCsv(query: CostQuery): Bytes;
  /** The levels of a factor beside each other. */
  experiments(query: ExperimentQuery): Experiments;
  /** The same as CSV. */
  experimentsCsv(query: ExperimentQuery): Bytes;
  /** One plot, counted. */
  plot(query: PlotQuery): Plot;
  /** Scores by two groupings at once. */
  grouped(query: GroupedQuery): Grouped;
  /** The intervals of the score rows at another level, in the order of the rows. */
  rowIntervals(query: RowIntervalQuery): Array<Interval | null>;
  /** The samples behind a plot's mark. */
  behind(query: PlotQuery, line: number, mark: number): Behind;
  /** Judges beside people and each other. */
  agreement(query: AgreementQuery): Agreement;
  /** What the paper prints about reliability beside the user's own figures, as CSV. */
  printedCsv(query: AgreementQuery): Bytes;
  /** One pairing in full. */
  agreementPair(key: PairKey): PairDetail;
  /** Two judges beside each other, question by question; people are judges here as well. */
  atomAgreement(query: AtomQuery): Array<AtomRow>;
  /** The same as CSV. */
  atomCsv(query: AtomQuery): Bytes;
  /** How two judges rank the models; people are judges here as well. */
  rankings(query: RankingsQuery): Rankings;
  /** A CSV for people's ratings, to be filled in: of the samples that the scope draws, for all models and criteria. */
  ratingsTemplate(scope: RateScope): Bytes;
  /** What there is to rate, shuffled. */
  ratePlan(scope: RateScope): RatePlan;
  /** One output to rate, without its name. */
  rateItem(key: RateKey): RateItem;
  /** The ratings of one rater, or of all, as CSV. */
  ratingsCsv(rater: string | null): Bytes;
  /** Reads a file of ratings; nothing if it is something else. */
  readRatings(path: string, text: string): RatingsFile | null;
  /** The labels of a sample's outputs, and which ones can be set. */
  labelSheet(query: LabelSheetQuery): LabelSheet;
  /** What is to be kept where a label is set or taken back. */
  labelChange(change: LabelChange): Array<LabelRecord>;
  /** How often each label was set, and how far people agree on it. */
  labelCounts(query: LabelQuery): LabelCounts;
  /** The counts as CSV. */
  labelCountsCsv(query: LabelQuery): Bytes;
  /** The agreement of people on labels as CSV. */
  labelAgreementCsv(query: LabelQuery): Bytes;
  /** The labels of one person, or of all, as CSV. */
  labelsCsv(rater: string | null): Bytes;
  /** Reads a file of labels; nothing if it is something else. */
  readLabels(path: string, text: string): LabelsFile | null;
  /** Tells this benchmark from another; nothing while there is none. */
  benchmarkId(): string | null;
  /** The benchmark's own judge of this id or model. */
  judgeCalled(name: string): JudgePreset | null;
  /** The name of a panel, by which it is scored. */
  panelName(panel: Panel): string;
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
  /** What a generator's job would ask for. */
  planGenerate(scope: GenerateScope): GeneratePlan;
  /** The models whose pictures the host keeps. */
  generatedModels(): Array<GeneratedModel>;
  /** What can be measured. */
  measureOffer(): MeasureOffer;
  /** What measuring this would take. */
  measurePlan(query: MeasureQuery): MeasurePlan;
  /** What files made elsewhere can complete. */
  conditionPlan(): ConditionPlan;
  /** Values of such files as a journal, each reply at this time. */
  conditionJournal(values: Array<ConditionValue>, time: string): string;
  /** Values of networks as a journal, each reply at this time. */
  networkJournal(values: Array<NetworkValue>, time: string): string;
  /** Takes a file of measured values in: how many, and what could not be read. */
  importMeasures(text: string): MeasureImport;
  /** Forgets what was measured in this session. */
  dropMeasures(): Done;
  /** Every measured value, one per line. */
  measures(): Bytes;
  /** What is to be found fault with before anything is judged, and what networks with these features hardly tell apart. */
  lintReport(features: Array<LintFeatures>): LintReport;
  /** The suggested renames as shell commands. */
  renameScript(): string;
  /** Counts of samples, pictures and instructions, beside the paper's. */
  statistics(): BenchmarkStatistics;
  /** The same as CSV. */
  statisticsCsv(): Bytes;
  /** The report as tables. */
  tables(options: ScoreOptions, format: TableFormat): Bytes;
}

/** What the host of a session asks besides. */
export interface HostQuestions {
  /** Says which benchmark counts, by the path of its list or of its `juror.json`; what it needs is wanted next. */
  chooseBenchmark(path: string): Done;
  /** Asks again for every file whose reading failed; how many they are. */
  retryFailures(): number;
  /** The heading of one request in a sheet of replies. */
  sheetHeading(key: RequestKey, judge: string, run: number): string;
  /** Kept pictures that are not listed yet. */
  agentFiles(): Array<AgentFile>;
  /** Those pictures. */
  generatedFiles(): Array<GeneratedFile>;
  /** A model's folder, for an export. */
  generatedFolder(model: string): GeneratedFolder;
  /** Takes measured values in. */
  addMeasures(records: Array<Measure>): Done;
  /** The files that a pack holds. */
  packItems(): Array<PackItem>;
  /** Lists the files of a pack; their numbers begin with the one returned, in the order of the manifest. */
  addPack(manifest: string): number;
  /** Takes in a pack's own journal. */
  addPackJournal(text: string): Done;
}

/** Every question. */
export type Questions = PageQuestions & HostQuestions;

/** The answer to a question. */
export type AnswerOf<Name extends keyof Questions> = ReturnType<Questions[Name]>;

/** What the worker does around a question. */
export type Around = 'host' | 'read' | 'pictures' | 'ratings' | 'parts' | 'changes';

/** How each question crosses to the engine: `{topic: {name: {…}}}` with the arguments under these names. */
export const QUESTIONS: Record<keyof Questions, { topic: string; takes: readonly string[]; around: readonly Around[] }> = {
  overview: { topic: 'shown', takes: ['options'], around: [] },
  rowUnits: { topic: 'shown', takes: ['options', 'row'], around: [] },
  highlights: { topic: 'shown', takes: ['query'], around: [] },
  sample: { topic: 'shown', takes: ['id', 'options'], around: [] },
  usePack: { topic: 'shown', takes: ['sha256'], around: [] },
  chooseBenchmark: { topic: 'shown', takes: ['path'], around: ['host'] },
  retryFailures: { topic: 'shown', takes: [], around: ['host'] },
  request: { topic: 'replies', takes: ['key'], around: ['pictures'] },
  generatorInput: { topic: 'replies', takes: ['key'], around: [] },
  inputFolder: { topic: 'replies', takes: ['query'], around: ['read'] },
  parse: { topic: 'replies', takes: ['reply'], around: [] },
  tolerance: { topic: 'replies', takes: ['options'], around: [] },
  setKind: { topic: 'replies', takes: ['model', 'kind'], around: ['changes'] },
  report: { topic: 'replies', takes: ['options', 'format'], around: ['read'] },
  journal: { topic: 'replies', takes: [], around: ['read'] },
  samples: { topic: 'list', takes: ['query'], around: ['parts'] },
  facets: { topic: 'list', takes: ['query'], around: ['parts'] },
  groupFilter: { topic: 'list', takes: ['options', 'scope', 'key'], around: [] },
  subsetScopes: { topic: 'list', takes: [], around: [] },
  completeFilter: { topic: 'list', takes: ['source', 'caret', 'options'], around: [] },
  compare: { topic: 'compare', takes: ['options', 'query'], around: [] },
  standings: { topic: 'compare', takes: ['query'], around: [] },
  compareCsv: { topic: 'compare', takes: ['options', 'query'], around: ['read'] },
  pairedSamples: { topic: 'compare', takes: ['options', 'query', 'a', 'b'], around: [] },
  groupMeans: { topic: 'compare', takes: ['query'], around: [] },
  groupMeansCsv: { topic: 'compare', takes: ['query'], around: ['read'] },
  costs: { topic: 'compare', takes: ['query'], around: [] },
  costsCsv: { topic: 'compare', takes: ['query'], around: [] },
  experiments: { topic: 'compare', takes: ['query'], around: [] },
  experimentsCsv: { topic: 'compare', takes: ['query'], around: ['read'] },
  plot: { topic: 'compare', takes: ['query'], around: [] },
  grouped: { topic: 'compare', takes: ['query'], around: [] },
  rowIntervals: { topic: 'compare', takes: ['query'], around: [] },
  behind: { topic: 'compare', takes: ['query', 'line', 'mark'], around: [] },
  agreement: { topic: 'rating', takes: ['query'], around: ['ratings'] },
  printedCsv: { topic: 'rating', takes: ['query'], around: ['ratings'] },
  agreementPair: { topic: 'rating', takes: ['key'], around: ['ratings'] },
  atomAgreement: { topic: 'rating', takes: ['query'], around: ['ratings'] },
  atomCsv: { topic: 'rating', takes: ['query'], around: ['ratings'] },
  rankings: { topic: 'rating', takes: ['query'], around: ['ratings'] },
  ratingsTemplate: { topic: 'rating', takes: ['scope'], around: ['read'] },
  ratePlan: { topic: 'rating', takes: ['scope'], around: ['ratings'] },
  rateItem: { topic: 'rating', takes: ['key'], around: [] },
  ratingsCsv: { topic: 'rating', takes: ['rater'], around: ['ratings'] },
  readRatings: { topic: 'rating', takes: ['path', 'text'], around: [] },
  labelSheet: { topic: 'labels', takes: ['query'], around: ['ratings'] },
  labelChange: { topic: 'labels', takes: ['change'], around: ['ratings'] },
  labelCounts: { topic: 'labels', takes: ['query'], around: ['ratings'] },
  labelCountsCsv: { topic: 'labels', takes: ['query'], around: ['ratings'] },
  labelAgreementCsv: { topic: 'labels', takes: ['query'], around: ['ratings'] },
  labelsCsv: { topic: 'labels', takes: ['rater'], around: ['ratings'] },
  readLabels: { topic: 'labels', takes: ['path', 'text'], around: [] },
  benchmarkId: { topic: 'judging', takes: [], around: [] },
  judgeCalled: { topic: 'judging', takes: ['name'], around: [] },
  panelName: { topic: 'judging', takes: ['panel'], around: [] },
  planJob: { topic: 'judging', takes: ['scope'], around: [] },
  judgeHealth: { topic: 'judging', takes: [], around: [] },
  sheetHeading: { topic: 'judging', takes: ['key', 'judge', 'run'], around: ['host'] },
  planAgents: { topic: 'agents', takes: ['scope'], around: [] },
  agentCall: { topic: 'agents', takes: ['key'], around: ['pictures'] },
  agentSets: { topic: 'agents', takes: [], around: [] },
  agentStrips: { topic: 'agents', takes: ['query'], around: [] },
  agentFiles: { topic: 'agents', takes: [], around: ['host'] },
  planGenerate: { topic: 'generating', takes: ['scope'], around: [] },
  generatedModels: { topic: 'generating', takes: [], around: [] },
  generatedFiles: { topic: 'generating', takes: [], around: ['host'] },
  generatedFolder: { topic: 'generating', takes: ['model'], around: ['host'] },
  measureOffer: { topic: 'measures', takes: [], around: [] },
  measurePlan: { topic: 'measures', takes: ['query'], around: ['read'] },
  conditionPlan: { topic: 'measures', takes: [], around: ['read'] },
  conditionJournal: { topic: 'measures', takes: ['values', 'time'], around: ['read'] },
  networkJournal: { topic: 'measures', takes: ['values', 'time'], around: ['read'] },
  importMeasures: { topic: 'measures', takes: ['text'], around: ['changes'] },
  dropMeasures: { topic: 'measures', takes: [], around: ['changes'] },
  measures: { topic: 'measures', takes: [], around: ['read'] },
  addMeasures: { topic: 'measures', takes: ['records'], around: ['host'] },
  lintReport: { topic: 'lint', takes: ['features'], around: [] },
  renameScript: { topic: 'lint', takes: [], around: ['read'] },
  statistics: { topic: 'statistics', takes: [], around: [] },
  statisticsCsv: { topic: 'statistics', takes: [], around: ['read'] },
  tables: { topic: 'pack', takes: ['options', 'format'], around: ['read'] },
  packItems: { topic: 'pack', takes: [], around: ['host'] },
  addPack: { topic: 'pack', takes: ['manifest'], around: ['host'] },
  addPackJournal: { topic: 'pack', takes: ['text'], around: ['host'] },
};
