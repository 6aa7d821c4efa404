/** What stands in a pack's report, read as far as a table needs it. */
import { EngineError } from '../engine/errors';
import type { BenchmarkInfo } from '../engine/types/BenchmarkInfo';
import type { CriterionInfo } from '../engine/types/CriterionInfo';
import type { FindingInShort } from '../engine/types/FindingInShort';
import type { Formula } from '../engine/types/Formula';
import type { ModelSummary } from '../engine/types/ModelSummary';
import type { Policy } from '../engine/types/Policy';
import type { Profile } from '../engine/types/Profile';
import type { ReplyReading } from '../engine/types/ReplyReading';
import type { ScopeInfo } from '../engine/types/ScopeInfo';
import type { ScoreOptions } from '../engine/types/ScoreOptions';
import type { ScoreRow } from '../engine/types/ScoreRow';
import type { Tolerance } from '../engine/types/Tolerance';
import type { TableData } from '../components/score-table/score-table';
import type { FileEntry } from '@zip.js/zip.js/lib/zip-core-reader.js';
import type { PackSource } from './source';
import { entriesOf, readEntry } from './zip';

/** The beginning of a report that is inflated at first; more where its scores go on. */
const HEAD_BYTES = 1024 * 1024;
/** Reports are written in lines, with the rows of samples after those of scores. */
const AFTER_SCORES = '\n  "samples": [';

/** The head of a `juror-report/1`. */
interface ReportHead {
  format: string;
  provenance: {
    juror: string;
    profile: Profile;
    policy: Policy;
    judge?: string;
    run?: number;
    reading?: ReplyReading;
    tolerance?: Tolerance[];
    formulas: Formula[];
    criteria?: CriterionInfo[];
    scopes?: ScopeInfo[];
    models: ModelSummary[];
    benchmark: BenchmarkInfo | null;
    notices?: FindingInShort[];
  };
  scores: ScoreRow[];
}

/** A report as the viewer shows it. */
export interface ReportedScores extends TableData {
  juror: string;
  options: ScoreOptions;
  policy: Policy;
  profile: Profile;
  reading: ReplyReading;
  tolerance: Tolerance[];
  formulas: Formula[];
  /** What could change a number. */
  notices: FindingInShort[];
  /** Whether its ZIP has a signature, whatever that is worth. */
  isSigned: boolean;
}

/** Reads a pack's report from the end of its ZIP, and as little besides as can be. */
export async function readReport(source: PackSource): Promise<ReportedScores> {
  await source.tail();
  const entries = await entriesOf(source);
  const entry = reportIn(entries, source.name);
  if (entry === null) throw new EngineError(`${source.name} has no report.json: it is no evidence pack of Juror’s.`, 'no_pack');
  const isSigned = entries.some(({ filename }) => filename.endsWith('manifest.json.minisig'));
  return { ...scoresOf(await readHead(entry), source.name), isSigned };
}

/** The one report: at the root, or in a folder that all lies in. */
function reportIn(entries: FileEntry[], name: string): FileEntry | null {
  const named = (isMeant: (path: string) => boolean): FileEntry[] => entries.filter(({ filename }) => isMeant(filename.replaceAll('\\', '/')));
  const atRoot = named((path) => path === 'report.json');
  const found = atRoot.length > 0 ? atRoot : named((path) => /^(?!__MACOSX\/)[^/]+\/report\.json$/.test(path));
  if (found.length > 1)
    throw new EngineError(
      `${name}: The ZIP has two files of the name "report.json". It is not clear which one is meant, so the ZIP is refused. Create it again.`,
      'bad_zip',
    );
  return found[0] ?? null;
}

/** A whole report, as the viewer shows it. */
export function reportOf(text: string, name: string): ReportedScores {
  return scoresOf(JSON.parse(text) as ReportHead, name);
}

/** The part before the samples; all of it where the report is laid out in another way. */
async function readHead(file: FileEntry): Promise<ReportHead> {
  for (let length = HEAD_BYTES; ; length *= 4) {
    const text = new TextDecoder().decode(await readEntry(file, length < file.uncompressedSize ? length : null));
    const end = text.indexOf(AFTER_SCORES);
    try {
      if (end >= 0) return JSON.parse(`${text.slice(0, end).replace(/,\s*$/, '')}}`) as ReportHead;
      if (length >= file.uncompressedSize) return JSON.parse(text) as ReportHead;
    } catch (error) {
      throw new EngineError(`The pack’s report.json cannot be read: ${String(error)}`, 'bad_report');
    }
  }
}

function scoresOf({ format, provenance, scores }: ReportHead, name: string): ReportedScores {
  if (format !== 'juror-report/1') {
    throw new EngineError(
      `${name} holds a report of the format ${format}; this viewer reads juror-report/1. Take a newer viewer, or a pack in the older format.`,
      'newer_report',
    );
  }
  const { juror, profile, policy, judge, run, reading = 'strict', tolerance = [], formulas, criteria, scopes, models, benchmark, notices } = provenance;
  return {
    juror,
    options: { profile, policy, judge: judge ?? null, run: run ?? null, ...(reading === 'tolerant' ? { reading } : {}) },
    reading,
    tolerance,
    profile,
    policy,
    formulas,
    notices: notices ?? [],
    isSigned: false,
    benchmark,
    models,
    scores,
    criteria: criteria ?? [...new Set(scores.map(({ criterion }) => criterion))].map(unknownCriterion),
    scopes: scopes ?? scopesOf(scores),
    row_incidents: [],
    published: { of: '', num_samples: 0, rows: [] },
  };
}

/** A report that says nothing of its criteria: three decimals, no tint. */
const unknownCriterion = (id: string): CriterionInfo => ({
  id,
  short: id,
  label: id,
  meaning: '',
  min: 0,
  max: 1,
  allowed: null,
  scale: 1,
  decimals: 3,
  direction: 'neither',
});

function scopesOf(scores: ScoreRow[]): ScopeInfo[] {
  const keys = new Map<string, Set<string>>();
  for (const { scope, key } of scores) keys.set(scope, (keys.get(scope) ?? new Set()).add(key));
  return [...keys].map(([scope, found]) => ({ scope, label: scope, keys: [...found] }));
}
