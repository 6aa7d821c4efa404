/** Addresses: everything that can be seen has one, in the hash, so that nothing of it reaches a server. */
import type { Policy } from '../engine/types/Policy';
import type { Profile } from '../engine/types/Profile';
import type { ScoreOptions } from '../engine/types/ScoreOptions';
import { FIRST_DEMO, demoOf } from './demos';

/** The filter of the sample list, as in its address. */
export interface Filter {
  text: string;
  category: string;
  domain: string;
  incident: string;
  model: string;
  sort: string;
}

export const NO_FILTER: Filter = { text: '', category: '', domain: '', incident: '', model: '', sort: 'index' };

/** A place in the page. */
export type Place =
  | { view: 'overview'; scope: string; criterion: string }
  | { view: 'samples'; filter: Filter }
  | { view: 'sample'; id: string; turn: number | null; models: string[] | null; filter: Filter }
  | { view: 'incidents' }
  | { view: 'judge' }
  | { view: 'about' };

/** A place with the choices that hold everywhere. */
export interface Route {
  place: Place;
  options: ScoreOptions;
  /** The demo suite to show where nothing else is open. */
  demo: string;
}

const FILTER_KEYS = ['text', 'category', 'domain', 'incident', 'model', 'sort'] as const;

/** Reads an address; what cannot be read falls back to the start. */
export function parseHash(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const params = new URLSearchParams(query);
  return { place: placeOf(path, params), options: optionsOf(params), demo: demoOf(params.get('demo')) };
}

function placeOf(path: string, params: URLSearchParams): Place {
  const [, view = '', rest = ''] = path.split('/');
  switch (view) {
    case 'samples':
      return { view: 'samples', filter: filterOf(params) };
    case 'sample':
      return {
        view: 'sample',
        id: safeDecode(rest),
        turn: params.has('turn') ? Number(params.get('turn')) : null,
        models: params.has('models') ? (params.get('models') ?? '').split(',').filter(Boolean).map(safeDecode) : null,
        filter: filterOf(params),
      };
    case 'incidents':
      return { view: 'incidents' };
    case 'judge':
      return { view: 'judge' };
    case 'about':
      return { view: 'about' };
    default:
      return { view: 'overview', scope: params.get('scope') ?? '', criterion: params.get('criterion') ?? '' };
  }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function filterOf(params: URLSearchParams): Filter {
  const filter = { ...NO_FILTER };
  for (const key of FILTER_KEYS) filter[key] = params.get(key) ?? NO_FILTER[key];
  return filter;
}

function optionsOf(params: URLSearchParams): ScoreOptions {
  const profile: Profile = params.get('profile') === 'released' ? 'released' : 'paper';
  const policy = params.get('policy');
  const policies: Policy[] = ['exclude', 'zero', 'upstream'];
  return { profile, policy: policies.find((known) => known === policy) ?? null };
}

/** Writes an address; what is as usual is left out. */
export function hashOf({ place, options, demo }: Route): string {
  const params = new URLSearchParams();
  if (place.view === 'samples' || place.view === 'sample') {
    for (const key of FILTER_KEYS) if (place.filter[key] !== NO_FILTER[key]) params.set(key, place.filter[key]);
  }
  if (place.view === 'sample') {
    if (place.turn !== null) params.set('turn', String(place.turn));
    if (place.models !== null) params.set('models', place.models.map(encodeURIComponent).join(','));
  }
  if (place.view === 'overview') {
    if (place.scope !== '') params.set('scope', place.scope);
    if (place.criterion !== '') params.set('criterion', place.criterion);
  }
  if (options.profile !== 'paper') params.set('profile', options.profile);
  if (options.policy !== null) params.set('policy', options.policy);
  if (demo !== FIRST_DEMO) params.set('demo', demo);
  const query = params.toString();
  return `#${pathOf(place)}${query === '' ? '' : `?${query}`}`;
}

function pathOf(place: Place): string {
  switch (place.view) {
    case 'overview':
      return '/';
    case 'sample':
      return `/sample/${encodeURIComponent(place.id)}`;
    default:
      return `/${place.view}`;
  }
}

/** Whether a filter lets every sample through. */
export function isUnfiltered(filter: Filter): boolean {
  return FILTER_KEYS.every((key) => key === 'sort' || filter[key] === NO_FILTER[key]);
}
