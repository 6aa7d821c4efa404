/** Where the axis of a plot ends; no page is needed for it. */
import { expect, test } from '../../www/node_modules/@playwright/test';
import { printedScale } from '../../www/src/state/format';
import { ends } from '../../www/src/components/plot-figure/axis';
import type { CriterionInfo } from '../../www/src/engine/types/CriterionInfo';

const criterion = (min: number, max: number): CriterionInfo => ({
  id: 'fit',
  short: 'Fit',
  label: 'Fit',
  meaning: '',
  min,
  max,
  allowed: null,
  scale: 1,
  decimals: 2,
  direction: 'up',
});
const row = (mean: number | null, ci_low: number | null, ci_high: number | null) => ({ mean, ci_low, ci_high });

test('the axis of a plot ends with the scale, however far intervals reach beyond it', () => {
  const info = criterion(0, 10);
  const { low, high } = printedScale(info);
  expect(Number.isFinite(high - low)).toBe(true);
  expect(ends([row(5, -61.03, 195.92), row(9.5, 7, 12)], info)).toEqual([low, high]);
  expect(ends([row(null, null, null)], info)).toEqual([low, high]);
  expect(ends([], info)).toEqual([low, high]);
});

test('a figure without a scale of its own gets an axis from its means and intervals', () => {
  const info = criterion(0, Infinity);
  expect(ends([row(30, 20, 2462)], info)).toEqual([0, 2462]);
  expect(ends([], info)).toEqual([0, 1]);
});
