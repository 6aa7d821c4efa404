/** What a rule on which paper and code differ does to a total. */
import type { Difference } from '../../engine/types/Difference';
import type { Effect } from '../../engine/types/Effect';

/** The change of the total; `undefined` where only one of the two is a number. */
export function changeOf({ paper, with_rule: withRule }: Effect): number | 'none' | 'undefined' {
  if (paper === null && withRule === null) return 'none';
  if (paper === null || withRule === null) return 'undefined';
  // Below this it is the order of summation, not the rule.
  return Math.abs(withRule - paper) < 1e-9 ? 'none' : withRule - paper;
}

/** The largest effect on any model; a number that vanishes weighs most. */
export function weight(one: Difference): number {
  if (!one.has_effect) return 0;
  return Math.max(
    0,
    ...one.effects.map((effect) => {
      const change = changeOf(effect);
      if (change === 'none') return 0;
      return change === 'undefined' ? Infinity : Math.abs(change);
    }),
  );
}
