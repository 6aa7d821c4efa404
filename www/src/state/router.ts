/** Addresses: everything that can be seen has one, in the hash, so that nothing of it reaches a server. */
import type { HighlightPick } from '../engine/types/HighlightPick';
import type { Level } from '../engine/types/Level';
import type { Policy } from '../engine/types/Policy';
import type { Profile } from '../engine/types/Profile';
import { ALL_MAPS, MODES, settingsOf, writeSettings, type ViewerState } from '../components/compare-pictures/slides';
import type { RateItems } from '../engine/types/RateItems';
import type { SampleQuery } from '../engine/types/SampleQuery';
import type { SampleSort } from '../engine/types/SampleSort';
import type { ScoreOptions } from '../engine/types/ScoreOptions';
import { comparingOf, levelOf, writeComparing, type Comparing } from './comparing';
import { FIRST_DEMO, demoOf } from './demos';

/** The sample list as in its address: filter expression, order, form. */
export interface Filter {
  q: string;
  sort: SampleSort;
  /** Seed of the random order. */
  seed: number;
  /** In random order, only so many samples; 0 for all. */
  n: number;
  /** The groups that so many of each are drawn from; empty for one group of all. */
  per: string;
  /** The two models of the order by difference; empty for the first ones. */
  a: string;
  b: string;
  /** The criterion that orders by score and by difference go by; empty for the total. */
  by: string;
  look: 'table' | 'grid';
  /** Models whose outputs and scores are shown, each encoded, between commas; empty for those that the filter names and the first ones. */
  cols: string;
}

export const NO_FILTER: Filter = { q: '', sort: 'index', seed: 1, n: 0, per: '', a: '', b: '', by: '', look: 'table', cols: '' };

const SORTS: readonly SampleSort[] = ['index', 'score_asc', 'score_desc', 'spread', 'disagreement', 'difference', 'random'];

/** Names a mean of the score table, or a number that the paper prints: `judge` and `model` are then those of its row. */
export interface CellName {
  model: string;
  judge: string;
  scope: string;
  key: string;
  criterion: string;
}

/** Two sides, and for rankings on what and in which group; or a figure and a criterion. Names that are not known stand for the usual ones. */
export type Sides = readonly string[];

/** A pair of sides that are compared: what they are, their names, and on what. */
export interface Pair {
  kind: string;
  a: string;
  b: string;
  /** Empty for all models. */
  model: string;
  criterion: string;
  /** Group of samples; empty for all of them. */
  key: string;
}

/** What is to be rated; who rates is nobody's business but theirs, so no address says it. */
export interface Rating {
  /** Empty for all. */
  models: string[];
  criteria: string[];
  /** The criteria, or the questions behind them. */
  items: RateItems;
  /** So many, drawn at random; 0 for all. */
  samples: number;
  /** The groups that so many of each are drawn from; empty for one group of all. */
  per: string;
  seed: number;
}

export const USUAL_RATING: Rating = { models: [], criteria: [], items: 'criteria', samples: 0, per: '', seed: 1 };

/** Whose printed results stand below the models: nobody's, those by the same judge, all. */
export type Printed = '' | 'same' | 'all';

/** Whose scores the table shows: one judge's, which most models have, or every judge's. */
export type ShownJudges = '' | 'all';

/** What the overview shows below its scores; empty for what was found of each model. */
export type Below = '' | 'rules' | 'incidents' | 'files';

const BELOW: readonly Below[] = ['rules', 'incidents', 'files'];

/** Which samples the overview shows, and by which seed a draw. */
export interface Look {
  pick: HighlightPick;
  seed: number;
}

export const USUAL_LOOK: Look = { pick: 'lowest', seed: 1 };

const PICKS: readonly HighlightPick[] = ['lowest', 'disputed', 'random'];

/** What is open above a table or a plot of scores. */
export interface OpenCell {
  cell?: CellName | undefined;
  /** A number that the paper prints. */
  print?: CellName | undefined;
}

/** A judge request: the turn, the kind of request, the model. */
export interface Asked {
  turn: number;
  criterion: string;
  model: string;
}

/** One sample, and what is open above it. */
export interface SamplePlace {
  view: 'sample';
  id: string;
  turn: number | null;
  models: string[] | null;
  filter: Filter;
  /** Pictures seen large. */
  see?: ViewerState | undefined;
  /** The judge request that is open. */
  ask?: Asked | undefined;
  /** The turn whose generator input is open. */
  input?: number | undefined;
}

/** What is plotted, as in its address; empty for the usual. */
export interface PlotChoice {
  plot: string;
  criterion: string;
  scope: string;
  /** The group of samples within the scope, where two models are plotted. */
  key: string;
  a: string;
  b: string;
  line: string;
  /** The mark whose samples are listed: line and place, as `0.3`. */
  mark: string;
  /** Level of intervals; empty for the usual one. */
  interval: string;
}

export const USUAL_PLOT: PlotChoice = { plot: '', criterion: '', scope: '', key: '', a: '', b: '', line: '', mark: '', interval: '' };

/** A place in the manual. */
export interface ManualPlace {
  view: 'manual';
  /** Empty for the first chapter. */
  chapter: string;
  /** Empty for the chapter's beginning. */
  section: string;
}

/** A place in the page. */
export type Place =
  | ({
      view: 'overview';
      scope: string;
      criterion: string;
      sort?: string;
      published?: Printed;
      judges?: ShownJudges;
      below?: Below;
      look?: Look | undefined;
    } & OpenCell)
  | ({ view: 'plots'; choice: PlotChoice } & Pick<OpenCell, 'cell'>)
  | { view: 'samples'; filter: Filter }
  | SamplePlace
  | { view: 'incidents' }
  | { view: 'compare'; comparing: Comparing }
  | { view: 'judge' }
  | { view: 'metrics' }
  | { view: 'agents' }
  | { view: 'generate' }
  | { view: 'rate'; rating?: Rating | undefined }
  | {
      view: 'agreement';
      pair?: Pair | undefined;
      scope?: string;
      level?: Level;
      ranking?: Sides | undefined;
      questions?: Sides | undefined;
      matrix?: Sides | undefined;
    }
  | { view: 'lint' }
  | { view: 'statistics' }
  | { view: 'experiments'; asked?: string }
  | { view: 'dar' }
  | { view: 'make'; asked?: string }
  | { view: 'embed' }
  | { view: 'about' }
  | ManualPlace;

/** A place with the choices that hold everywhere. */
export interface Route {
  place: Place;
  options: ScoreOptions;
  /** The demo suite to show where nothing else is open. */
  demo: string;
  /** The benchmark of one's own files that the place is in, by its protocol; empty for a demo suite. */
  bench: string;
  /** Address of the evidence pack that the place is in, as the link has it; empty if none. */
  pack: string;
  /** The demo suite has its extra: another judge, ratings and what else its views show. */
  extra: boolean;
}

/** Fields that addresses named one by one before there was an expression. */
const OLD_KEYS = ['category', 'domain', 'incident', 'model'] as const;
const FILTER_KEYS = ['q', 'sort', 'seed', 'n', 'per', 'a', 'b', 'by', 'look', 'cols'] as const;
const PRINTED: readonly Printed[] = ['same', 'all'];
const PLOT_KEYS = ['criterion', 'scope', 'key', 'a', 'b', 'line', 'mark', 'interval'] as const;

/** Reads an address; what cannot be read falls back to the start. */
export function parseHash(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const params = new URLSearchParams(query);
  return {
    place: placeOf(path, params),
    options: optionsOf(params),
    demo: demoOf(params.get('demo')),
    bench: params.get('bench') ?? '',
    pack: params.get('pack') ?? '',
    extra: params.get('extra') === '1',
  };
}

function placeOf(path: string, params: URLSearchParams): Place {
  const [, view = '', ...parts] = path.split('/');
  const rest = view === 'manual' ? parts.join('/') : (parts[0] ?? '');
  switch (view) {
    case 'samples':
      return { view: 'samples', filter: filterOf(params) };
    case 'sample':
      return {
        view: 'sample',
        id: safeDecode(rest),
        turn: numberOf(params.get('turn')),
        models: params.has('models') ? listOf(params.get('models')) : null,
        filter: filterOf(params),
        see: seeOf(params),
        ask: askedOf(params.get('ask')),
        input: numberOf(params.get('input')) ?? undefined,
      };
    case 'plots':
      return { view: 'plots', choice: plotOf(safeDecode(rest), params), cell: cellOf(params.get('cell')) };
    case 'incidents':
      return { view: 'incidents' };
    case 'compare':
      return { view: 'compare', comparing: comparingOf(params) };
    case 'judge':
      return { view: 'judge' };
    case 'agents':
    case 'generate':
    case 'metrics':
      return { view };
    case 'rate':
      return { view, rating: ratingOf(params) };
    case 'agreement':
      return {
        view,
        pair: pairOf(params.get('pair')),
        scope: params.get('scope') ?? '',
        level: levelOf(params.get('interval')),
        ranking: sidesOf(params.get('ranking')),
        questions: sidesOf(params.get('questions')),
        matrix: sidesOf(params.get('matrix')),
      };
    case 'experiments':
    case 'make':
      return { view, asked: params.get('of') ?? '' };
    case 'lint':
    case 'statistics':
    case 'dar':
    case 'embed':
      return { view };
    case 'about':
      return { view: 'about' };
    case 'manual': {
      const [chapter = '', section = ''] = rest.split('/').map(safeDecode);
      return { view: 'manual', chapter, section };
    }
    default:
      return {
        view: 'overview',
        scope: params.get('scope') ?? '',
        criterion: params.get('criterion') ?? '',
        sort: params.get('sort') ?? '',
        published: PRINTED.find((known) => known === params.get('published')) ?? '',
        judges: params.get('judges') === 'all' ? 'all' : '',
        below: BELOW.find((known) => known === params.get('below')) ?? '',
        look: lookOf(params),
        cell: cellOf(params.get('cell')),
        print: cellOf(params.get('print')),
      };
  }
}

function lookOf(params: URLSearchParams): Look | undefined {
  const pick = PICKS.find((known) => known === params.get('look'));
  return pick === undefined ? undefined : { pick, seed: pick === 'random' ? wholeOf(params, 'seed', USUAL_LOOK.seed) : USUAL_LOOK.seed };
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parts between commas, each encoded by itself. */
export const listOf = (text: string | null): string[] => (text ?? '').split(',').filter(Boolean).map(safeDecode);
export const listText = (parts: readonly (string | number)[]): string => parts.map(encodeURIComponent).join(',');

function numberOf(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

function seeOf(params: URLSearchParams): ViewerState | undefined {
  const mode = MODES.find((known) => known === params.get('see'));
  if (mode === undefined) return undefined;
  const map = mode === 'map' ? { map: ALL_MAPS.find((known) => known === params.get('map')) ?? ('ssim' as const) } : {};
  const settings = settingsOf(params);
  return { mode, pictures: listOf(params.get('pictures')), at: params.get('at') ?? '', ...map, ...(Object.keys(settings).length === 0 ? {} : { settings }) };
}

/** Five names, of which some may be empty. */
function cellOf(text: string | null): CellName | undefined {
  const [model, judge, scope, key, criterion, ...more] = (text ?? '').split(',').map(safeDecode);
  if (model === undefined || judge === undefined || scope === undefined || key === undefined || criterion === undefined || more.length > 0) return undefined;
  return { model, judge, scope, key, criterion };
}

const cellText = ({ model, judge, scope, key, criterion }: CellName): string => listText([model, judge, scope, key, criterion]);

const sidesOf = (text: string | null): Sides | undefined => text?.split(',').map(safeDecode);

function pairOf(text: string | null): Pair | undefined {
  // Addresses of before there were groups name none.
  const [kind, a, b, model, criterion, key = '', ...more] = (text ?? '').split(',').map(safeDecode);
  if (kind === undefined || a === undefined || b === undefined || model === undefined || criterion === undefined || more.length > 0) return undefined;
  return { kind, a, b, model, criterion, key };
}

function ratingOf(params: URLSearchParams): Rating {
  return {
    models: listOf(params.get('models')),
    criteria: listOf(params.get('criteria')),
    items: params.get('items') === 'atoms' ? 'atoms' : 'criteria',
    samples: wholeOf(params, 'n', USUAL_RATING.samples),
    per: params.get('per') ?? '',
    seed: wholeOf(params, 'seed', USUAL_RATING.seed),
  };
}

function askedOf(text: string | null): Asked | undefined {
  const [turn = '', criterion, model] = listOf(text);
  const number = numberOf(turn);
  return number === null || criterion === undefined || model === undefined ? undefined : { turn: number, criterion, model };
}

/** A whole number that the engine takes, or the usual one. */
function wholeOf(params: URLSearchParams, key: string, usual: number): number {
  const value = Number(params.get(key) ?? usual);
  return Number.isInteger(value) && value >= 0 && value < 2 ** 32 ? value : usual;
}

function filterOf(params: URLSearchParams): Filter {
  return {
    q: params.get('q') ?? oldFilter(params),
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? NO_FILTER.sort,
    seed: wholeOf(params, 'seed', NO_FILTER.seed),
    n: wholeOf(params, 'n', NO_FILTER.n),
    per: params.get('per') ?? '',
    a: params.get('a') ?? '',
    b: params.get('b') ?? '',
    by: params.get('by') ?? '',
    look: params.get('look') === 'grid' ? 'grid' : 'table',
    cols: params.get('cols') ?? '',
  };
}

/** An address from before there was an expression. */
function oldFilter(params: URLSearchParams): string {
  const fields = OLD_KEYS.map((key): [string, string] => [key, params.get(key) ?? '']);
  const words = (params.get('text') ?? '').split(/\s+/).filter((word) => word !== '');
  return [
    terms(Object.fromEntries(fields)),
    ...words.map((word) => (/^[\p{L}\p{N}]+$/u.test(word) && !['OR', 'AND', 'NOT'].includes(word) ? word : quoted(word))),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** A criterion as addresses name it: the total goes without saying. */
export const criterionKey = (criterion: string): string => (criterion === 'total' ? '' : criterion);

/** A filter expression of these fields; empty values are left out. */
export function terms(fields: Record<string, string>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([field, value]) => `${field}:${/^[^\s()",<>=!~]+$/.test(value) && !value.includes('..') ? value : quoted(value)}`)
    .join(' ');
}

function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** The question to the engine for a part of the list. */
export function queryOf(
  { q, sort, seed, n, per, a, b, by }: Filter,
  options: ScoreOptions,
  part: Partial<Pick<SampleQuery, 'from' | 'len' | 'around'>> = {},
): SampleQuery {
  return { options, q, sort, criterion: by, seed, limit: n, per, a, b, from: 0, len: 0, around: '', ...part };
}

function plotOf(plot: string, params: URLSearchParams): PlotChoice {
  const choice = { ...USUAL_PLOT, plot };
  for (const key of PLOT_KEYS) choice[key] = params.get(key) ?? '';
  return choice;
}

function optionsOf(params: URLSearchParams): ScoreOptions {
  const profile: Profile = params.get('profile') === 'released' ? 'released' : 'paper';
  const policy = params.get('policy');
  const policies: Policy[] = ['exclude', 'zero', 'upstream'];
  const run = Number(params.get('run'));
  return {
    profile,
    policy: policies.find((known) => known === policy) ?? null,
    judge: params.get('judge'),
    run: Number.isInteger(run) && run > 0 ? run : null,
    ...(params.get('reading') === 'tolerant' ? { reading: 'tolerant' as const } : {}),
  };
}

/** Writes an address; what is as usual is left out. */
export function hashOf({ place, options, demo, bench, pack, extra }: Route): string {
  const params = new URLSearchParams();
  if (place.view === 'samples' || place.view === 'sample') {
    for (const key of FILTER_KEYS) if (place.filter[key] !== NO_FILTER[key]) params.set(key, String(place.filter[key]));
  }
  if (place.view === 'sample') {
    if (place.turn !== null) params.set('turn', String(place.turn));
    if (place.models !== null) params.set('models', listText(place.models));
    if (place.see !== undefined) {
      params.set('see', place.see.mode);
      params.set('pictures', listText(place.see.pictures));
      if (place.see.at !== '') params.set('at', place.see.at);
      if (place.see.map !== undefined) params.set('map', place.see.map);
      if (place.see.settings !== undefined) writeSettings(place.see.settings, params);
    }
    if (place.ask !== undefined) params.set('ask', listText([place.ask.turn, place.ask.criterion, place.ask.model]));
    if (place.input !== undefined) params.set('input', String(place.input));
  }
  if (place.view === 'overview') {
    if (place.scope !== '') params.set('scope', place.scope);
    if (place.criterion !== '') params.set('criterion', place.criterion);
    if (place.sort !== undefined && place.sort !== '') params.set('sort', place.sort);
    for (const name of ['published', 'judges', 'below'] as const) if (place[name] !== undefined && place[name] !== '') params.set(name, place[name]);
    if (place.look !== undefined && place.look.pick !== USUAL_LOOK.pick) {
      params.set('look', place.look.pick);
      if (place.look.seed !== USUAL_LOOK.seed) params.set('seed', String(place.look.seed));
    }
    if (place.print !== undefined) params.set('print', cellText(place.print));
  }
  if (place.view === 'plots') {
    for (const key of PLOT_KEYS) if (place.choice[key] !== '') params.set(key, place.choice[key]);
  }
  if ((place.view === 'overview' || place.view === 'plots') && place.cell !== undefined) params.set('cell', cellText(place.cell));
  if (place.view === 'agreement') {
    if (place.pair !== undefined) {
      const { kind, a, b, model, criterion, key } = place.pair;
      params.set('pair', listText([kind, a, b, model, criterion, ...(key === '' ? [] : [key])]));
    }
    for (const name of ['ranking', 'questions', 'matrix'] as const) if (place[name] !== undefined) params.set(name, listText(place[name]));
    if (place.scope !== undefined && place.scope !== '') params.set('scope', place.scope);
    if (place.level !== undefined && place.level !== '95') params.set('interval', place.level);
  }
  if (place.view === 'rate' && place.rating !== undefined) {
    const { models, criteria, items, samples, per, seed } = place.rating;
    if (models.length > 0) params.set('models', listText(models));
    if (criteria.length > 0) params.set('criteria', listText(criteria));
    if (items !== USUAL_RATING.items) params.set('items', items);
    if (samples !== USUAL_RATING.samples) params.set('n', String(samples));
    if (per !== '') params.set('per', per);
    if (seed !== USUAL_RATING.seed) params.set('seed', String(seed));
  }
  if ((place.view === 'experiments' || place.view === 'make') && place.asked) params.set('of', place.asked);
  if (place.view === 'compare') writeComparing(place.comparing, params);
  if (options.profile !== 'paper') params.set('profile', options.profile);
  if (options.policy !== null) params.set('policy', options.policy);
  if (options.judge !== null) params.set('judge', options.judge);
  if (options.run !== null) params.set('run', String(options.run));
  if (options.reading === 'tolerant') params.set('reading', options.reading);
  if (demo !== FIRST_DEMO) params.set('demo', demo);
  if (bench !== '') params.set('bench', bench);
  if (pack !== '') params.set('pack', pack);
  if (extra) params.set('extra', '1');
  // Commas and colons may stand in a fragment as they are, which keeps lists readable.
  const query = params.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return `#${pathOf(place)}${query === '' ? '' : `?${query}`}`;
}

function pathOf(place: Place): string {
  switch (place.view) {
    case 'overview':
      return '/';
    case 'sample':
      return `/sample/${encodeURIComponent(place.id)}`;
    case 'plots':
      return place.choice.plot === '' ? '/plots' : `/plots/${place.choice.plot}`;
    case 'manual':
      return ['/manual', place.chapter, place.section].filter((part) => part !== '').join('/');
    default:
      return `/${place.view}`;
  }
}

/** Whether the list is the whole benchmark in its own order. */
export function isWholeList({ q, sort }: Filter): boolean {
  return q.trim() === '' && sort === 'index';
}

/** The models that an address names, in its list and in what it shows. */
export function namedModels({ models, see, ask }: SamplePlace): string[] {
  const seen = (see?.pictures ?? []).flatMap((key) => /^o\d+\.(.+)$/u.exec(key)?.[1] ?? []);
  return [...new Set([...(models ?? []), ...seen, ...(ask === undefined ? [] : [ask.model])])];
}
