/** What the tolerant reading reads beyond the strict one, in words. */
import { count, plural } from '../../state/format';
import type { Tolerance } from '../../engine/types/Tolerance';

const allowances = ({ allowances: all }: Tolerance): string => all.map(({ name, replies }) => `${name} ${count(replies)}`).join(', ');

const judgeOf = ({ judge }: Tolerance): string => (judge === '' ? 'the judge that is not stated' : judge);

/** `61 more replies of gpt can be read: thoughts set aside 40, bold 12.` */
export const offerWords = (tolerance: Tolerance): string =>
  `${count(tolerance.replies)} more ${tolerance.replies === 1 ? 'reply' : 'replies'} of ${judgeOf(tolerance)} can be read: ${allowances(tolerance)}.`;

/** `61 replies of gpt are read tolerantly: thoughts set aside 40, bold 12.` */
export const readWords = (tolerance: Tolerance): string =>
  `${plural(tolerance.replies, 'reply', 'replies')} of ${judgeOf(tolerance)} ${tolerance.replies === 1 ? 'is' : 'are'} read tolerantly: ${allowances(tolerance)}.`;

/** The sentence about a number's replies; empty where they are read as they are. */
export const readingSentence = (reading: string | undefined, tolerance: readonly Tolerance[], judge: string | null): string => {
  if (reading !== 'tolerant') return '';
  const own = tolerance.filter((one) => judge === null || one.judge === judge);
  return ['Replies are read tolerantly.', ...own.map(readWords)].join(' ');
};
