/** Tints of the score table: what differs much looks different, on scales that span much as well. */
import { expect, test } from '../../www/node_modules/@playwright/test';
import { goodness } from '../../www/src/state/format';
import type { CriterionInfo } from '../../www/src/engine/types/CriterionInfo';

const squared = { id: 'mse', min: 0, max: 65_025, scale: 1, direction: 'down', decimals: 3 } as CriterionInfo;
const rated = { ...squared, id: 'fit', max: 10, direction: 'up' } as CriterionInfo;

test('squared errors of 30 and of 2,462 do not share a tint, and a scale of ten points is tinted evenly', () => {
  const share = (value: number): number => goodness(value, squared);
  // A thousandth and four hundredths of the scale: evenly tinted both would be as good as perfect.
  expect(share(30) - share(2462)).toBeGreaterThan(0.3);
  expect([share(0), share(65_025)]).toEqual([1, 0]);
  expect(goodness(5, rated)).toBeCloseTo(0.5, 12);
  expect(goodness(2, rated)).toBeCloseTo(0.2, 12);
});
