/** What the form of a new benchmark holds, and what it asks for. */

import type { BilliardsAsked } from '../../engine/make/billiards';
import type { MakeAsked } from '../../engine/types/MakeAsked';
import type { MakeKind } from '../../engine/types/MakeKind';
import type { OriginalsAsked } from '../../engine/types/OriginalsAsked';

/** What the form holds; kept while the page is open. */
export const form = {
  begins: 'originals' as MakeKind['begins'] | 'billiards' | 'annotation',
  seed: 1,
  rule: 'kinds' as OriginalsAsked['rule'],
  filter: 'paper' as OriginalsAsked['filter'],
  rate: false,
  rewrite: false,
  quota: 0,
  isChecked: true,
  counts: 'object:2=2\nstory:2=1',
  labels: true,
  asksModel: false,
  review: true,
  judgeCheckpoints: false,
  /** Files of one's own, by what they stand for. */
  templates: null as File | null,
  voices: null as File | null,
  lists: [] as File[],
};

export type Form = typeof form;

/** The fields of VIBE's Billiards, kept as the form is: two cases of each number of cushions. */
export const billiards: BilliardsAsked = { count: '12', seed: '1', cushions: '' };

/** What the form asks for. */
export async function asked(): Promise<MakeAsked> {
  const { begins: type, seed, rule, filter, rate, rewrite, quota, isChecked, labels, asksModel, review, judgeCheckpoints } = form;
  const text = (file: File | null): Promise<string | null> => file?.text() ?? Promise.resolve(null);
  if (type === 'originals') {
    const [templates, voices] = await Promise.all([text(form.templates), text(rewrite ? form.voices : null)]);
    return { type, seed, rule, filter, rate, rewrite, quota, templates, voices, is_checked: isChecked };
  }
  if (type !== 'counts') return { type: 'posts' };
  const counts = form.counts.split(/\s+/).filter((line) => line !== '');
  const lists = await Promise.all(form.lists.map(async (file): Promise<[string, string]> => [file.name.replace(/\.txt$/i, ''), await file.text()]));
  return { type, seed, counts, labels, filter: asksModel, review, judge_checkpoints: judgeCheckpoints, lists };
}
