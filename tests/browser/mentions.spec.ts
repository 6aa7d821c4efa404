/** Where an instruction speaks of a picture, and where it only seems to; no page is needed for it. */
import { expect, test } from '../../www/node_modules/@playwright/test';
import { mentions } from '../../www/src/state/mentions';
import { FIT, fitScale, fitWords, fitted, settledView, viewOf, viewText, zoomedAt } from '../../www/src/components/compare-pictures/geometry';

type Pictures = Parameters<typeof mentions>[1];

const pictures = (labels: string[], answer = false): Pictures =>
  labels.map((label, at) => ({ number: at + 1, label, path: '', file: at, problem: '', produced_by: answer && at === labels.length - 1 ? 0 : null }));

const THREE = pictures(['Reference 0', 'Reference 1', 'Reference 2']);

/** The links of a text, as `words → number`. */
function links(text: string, of = THREE, turns = 1): string[] {
  const found = mentions([{ text, picture: null }], of, turns);
  expect(found.map((one) => one.text).join('')).toBe(text);
  return found.flatMap((one) => (one.picture === null ? [] : [`${one.text} → ${one.picture}`]));
}

const FORMS: [string, string[]][] = [
  ['Put the cat of image 2 into Image #1.', ['image 2 → 2', 'Image #1 → 1']],
  ['As in <image_3> and <img2>, like [Figure 1].', ['<image_3> → 3', '<img2> → 2', '[Figure 1] → 1']],
  ['Reference image 2, fig. 3, photo 1', ['Reference image 2 → 2', 'fig. 3 → 3', 'photo 1 → 1']],
  ['Join images 1, 2 and 3 here.', ['images 1 → 1', '2 → 2', '3 → 3']],
  ['The hat of the first picture on the cat of the second.', ['first picture → 1', 'second → 2']],
  ['Take the first and second reference images and the 3rd photo.', ['first → 1', 'second reference images → 2', '3rd photo → 3']],
];

for (const [text, wanted] of FORMS) test(`“${text}” speaks of pictures`, () => expect(links(text)).toEqual(wanted));

const NONE = [
  'Paint 2 images of a cat.',
  'Draw image 7.',
  'The second floor of the house, on the third.',
  'Make it the first time, of the second.',
  'Imagine 2 cats; imaged 1 time.',
  'The first picturesque village.',
];

for (const text of NONE) test(`“${text}” speaks of none`, () => expect(links(text)).toEqual([]));

test('labels that are names are links, others are not', () => {
  expect(links('Edges of <canny_image>, manner of <style_image>.', pictures(['<canny_image>', '<style_image>']))).toEqual([
    '<canny_image> → 1',
    '<style_image> → 2',
  ]);
  expect(links('RA beside RB, not RAB or ra.', pictures(['RA', 'RB']))).toEqual(['RA → 1', 'RB → 2']);
  expect(links('the source of light', pictures(['source', 'instruction']))).toEqual([]);
});

test('an answer of the data set is no picture that an instruction can speak of', () => {
  expect(links('Image 2 and image 1', pictures(['a', 'answer'], true))).toEqual(['image 1 → 1']);
});

test('in a dialogue only what the engine marks is a link, and a number without a picture is broken', () => {
  expect(links('the first picture', THREE, 2)).toEqual([]);
  expect(mentions([{ text: 'Image #9', picture: 9 }], THREE, 2)).toEqual([{ text: 'Image #9', picture: 9, broken: true }]);
});

test('a picture is laid into the middle of the frame, and the words say how', () => {
  expect(fitted({ width: 512, height: 512 }, { width: 384, height: 288 })).toEqual({ left: 48, top: 0, width: 288, height: 288, scale: 0.5625 });
  expect(fitWords({ width: 512, height: 512 }, { width: 384, height: 288 })).toBe('reduced to 288 × 288 (56.3 %), with room left and right');
  expect(fitWords({ width: 384, height: 288 }, { width: 384, height: 288 })).toBe('');
});

test('fitting enlarges by whole numbers only, and zooming keeps what lies below the cursor', () => {
  const frame = { width: 100, height: 50 };
  const pane = { width: 390, height: 300 };
  expect(fitScale(frame, pane)).toBe(3);
  expect(fitScale({ width: 1000, height: 100 }, pane)).toBe(0.39);
  const view = zoomedAt(FIT, frame, pane, 12, 195, 150);
  expect(view).toEqual({ scale: 12, x: 50, y: 25 });
  const off = zoomedAt(view, frame, pane, 24, 255, 150);
  // 60 px right of the middle at 12 is the frame's 55; at 24 it still is.
  expect(off.x + 60 / 24).toBeCloseTo(55, 9);
  expect(settledView({ scale: 12, x: 0, y: 0 }, frame, pane)).toEqual({ scale: 12, x: 16.25, y: 12.5 });
});

test('a view survives its address; what is no view fits', () => {
  expect(viewOf(viewText({ scale: 4, x: 120.5, y: 88 }))).toEqual({ scale: 4, x: 120.5, y: 88 });
  expect(viewText(FIT)).toBe('');
  for (const text of ['', 'x', '0,1,2', '-5,1,1', '100,1']) expect(viewOf(text)).toEqual(FIT);
});
