/** Foreign names in CSV and HTML that the page writes itself: the same vectors hold the core's escapers; no page is needed for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../../www/node_modules/@playwright/test';
import { csvField, html } from '../../www/src/state/escape';
import { ROOT } from './helpers';

const VECTORS = JSON.parse(readFileSync(join(ROOT, 'tests/golden/escapes.json'), 'utf8')) as Record<'csv_field' | 'html', [string, string][]>;

test('names are escaped in CSV and in HTML as the core escapes them', () => {
  for (const [text, expected] of VECTORS.csv_field) expect(csvField(text), JSON.stringify(text)).toBe(expected);
  for (const [text, expected] of VECTORS.html) expect(html(text), JSON.stringify(text)).toBe(expected);
  expect(VECTORS.csv_field.length + VECTORS.html.length).toBeGreaterThan(40);
});

test('an escaper that leaves every text as it is fails the vectors', () => {
  expect(VECTORS.csv_field.some(([text, expected]) => text !== expected)).toBe(true);
  expect(VECTORS.html.some(([text, expected]) => text !== expected)).toBe(true);
});
