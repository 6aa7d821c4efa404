/** What a reader sees first: pictures before numbers, the best model in front, names and turns that can be read. */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Page } from '../../www/node_modules/@playwright/test';
import { LONG_NAMES, copyModels } from './generate';
import { DEMO, goTo, jurorScore, openFolders, openPage, overallTotal, png, settled, showBelow, shown, still, TempFolder } from './helpers';
import { SUITES } from './suites';
import { expect, test } from './visits';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

let many: TempFolder;
test.beforeAll(() => {
  many = new TempFolder();
  copyModels(DEMO, many.path, LONG_NAMES);
});
test.afterAll(() => many.remove());

/** Opens twenty models with long names. */
async function openMany(page: Page, hash = '#/'): Promise<void> {
  await openPage(page);
  await openFolders(page, [many.at('WEAVEBench'), many.at('result')]);
  await goTo(page, hash);
}

/** The first sample of the list. */
async function toFirstSample(page: Page, demo: string): Promise<void> {
  await openPage(page, `#/samples?demo=${demo}`);
  await page.getByTestId('sample-row').first().click();
  await expect(page.locator('juror-output').first()).toBeVisible();
  await shown(page);
  await still(page);
}

for (const demo of ['weave', 'multibanana', 'micon', 'vibe', 'multiref']) {
  for (const [device, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
    test(`${demo}: a sample’s outputs begin within the first screen (${device})`, async ({ page }) => {
      await page.setViewportSize(viewport);
      await toFirstSample(page, demo);
      const box = await page.locator('juror-output').first().boundingBox();
      if (box === null) throw new Error('The output has no place.');
      const limit = viewport === DESK ? 620 : 760;
      expect(box.y).toBeLessThan(limit);
      // On a phone what a model made comes before what was expected.
      expect(box.x).toBeLessThan(viewport === DESK ? 720 : 40);
    });
  }
}

test('the overview shows samples worth a look with the outputs side by side, and a click opens the sample', async ({ page }) => {
  await openPage(page);
  const cards = page.getByTestId('highlight');
  await expect(cards.first()).toBeVisible();
  const scores = (await cards.locator('.value b').allInnerTexts()).map(Number);
  expect(scores).toEqual([...scores].sort((a, b) => a - b));
  await expect(cards.first().locator('juror-picture')).toHaveCount(3);
  await expect(cards.first().locator('.caption b').first()).toHaveText(/^\d\.\d{3}$/);
  const id = await cards.first().getAttribute('data-id');
  await cards.first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Sample ${id}`);
});

test('which samples are worth a look is chosen, and the address says it', async ({ page }) => {
  await openPage(page);
  const ids = async (): Promise<(string | null)[]> => page.getByTestId('highlight').evaluateAll((all) => all.map((one) => one.getAttribute('data-id')));
  await expect(page.getByTestId('highlight').first()).toBeVisible();
  await page.getByText('Models differ most').click();
  await expect(page).toHaveURL(/look=disputed/);
  await expect(page.getByTestId('highlight').first()).toContainText('models differ by');
  await page.getByText('Random', { exact: true }).click();
  await expect(page).toHaveURL(/look=random/);
  await expect(page.getByTestId('highlight').first()).not.toContainText('differ by');
  await shown(page);
  const first = await ids();
  await page.getByRole('button', { name: 'Draw again' }).click();
  await expect(page).toHaveURL(/seed=2/);
  await expect.poll(ids).not.toEqual(first);
  await shown(page);
  const second = await ids();
  await page.reload();
  await expect.poll(ids).toEqual(second);
  await page.goBack();
  await expect.poll(ids).toEqual(first);
});

test('a row of the samples shows the output of each model above its score', async ({ page }) => {
  await openPage(page, '#/samples?demo=weave');
  const row = page.getByTestId('sample-row').first();
  await expect(row.locator('.cell juror-picture')).toHaveCount(3);
  await expect(row.locator('.cell img').first()).toBeVisible();
});

test('of twenty models with long names the table shows both ends of each, and the whole to readers and by keys', async ({ page }) => {
  await page.setViewportSize(DESK);
  // A short name is left as it is.
  await openPage(page);
  await expect(page.getByTestId('overview-table').locator('.name').first()).toBeVisible();
  await expect(page.getByTestId('overview-table').locator('tbody:not(.published) .cut')).toHaveCount(0);
  await openMany(page);
  const names = page.getByTestId('overview-table').locator('tbody:not(.published) .name');
  await expect(names).toHaveCount(LONG_NAMES.length);
  // The text is whole, whatever is drawn of it.
  expect((await names.allTextContents()).sort()).toEqual([...LONG_NAMES].sort());
  await still(page);
  const long = names.filter({ hasText: 'v1.2-fp16-b' });
  await expect(long.locator('.cut')).toHaveAttribute('title', LONG_NAMES[1] ?? '');
  const [whole, end] = [await long.boundingBox(), await long.locator('.end').boundingBox()];
  expect(end !== null && whole !== null && end.x >= whole.x && end.x + end.width <= whole.x + whole.width + 1).toBe(true);
  const low = whole?.height ?? 0;
  await page
    .getByTestId('overview-table')
    .locator('tr')
    .filter({ has: page.locator('.name', { hasText: 'v1.2-fp16-b' }) })
    .locator('button.cell')
    .first()
    .press('Shift');
  await expect.poll(async () => (await long.boundingBox())?.height ?? 0).toBeGreaterThan(low);
});

test('of twenty models with long names a phone shows the first score of each beside its whole name', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await openMany(page);
  for (const [hash, testid] of [
    ['#/', 'overview-table'],
    ['#/compare', 'compare-models'],
  ] as const) {
    await goTo(page, hash);
    const rows = page.getByTestId(testid).locator('tbody tr:has(th.model)');
    await expect(rows).toHaveCount(LONG_NAMES.length);
    const places = await rows.evaluateAll((all) =>
      all.map((row) => {
        const box = (of: Element | null | undefined): DOMRect => of?.getBoundingClientRect() ?? new DOMRect();
        const [name, head] = [row.querySelector('th bdi'), row.querySelector('th')];
        const score = [...row.querySelectorAll('td')].find((cell) => /\d\.\d{3}/.test(cell.textContent));
        return {
          name: box(name).right,
          head: box(head).right,
          score: box(score).right,
          isCut: name !== null && name.scrollWidth > name.clientWidth && name.clientWidth > 0,
        };
      }),
    );
    for (const { name, head, score, isCut } of places) {
      expect(name).toBeLessThanOrEqual(head);
      expect(score).toBeGreaterThan(head);
      expect(score).toBeLessThanOrEqual(PHONE.width);
      expect(isCut).toBe(false);
    }
  }
});

test('of twenty models the outputs to compare with are folded, and what is chosen among them is said', async ({ page }) => {
  await openMany(page, '#/metrics');
  const one = page.getByTestId(`against-model:${LONG_NAMES[0] ?? ''}`);
  await expect(page.getByTestId('against-golden')).toBeVisible();
  await expect(one).toBeHidden();
  const fold = page.getByTestId('fold-outputs');
  await expect(fold).toContainText(`outputs of ${LONG_NAMES.length} models`);
  await fold.click();
  await one.check();
  await expect(fold).toContainText(`chosen: the output of ${LONG_NAMES[0] ?? ''}`);
});

test('of twenty models a plot names those without a score in a group, too, and shows that there is none', async ({ page }) => {
  await openMany(page, '#/plots');
  await page.getByLabel('Groups').selectOption('domain');
  const plot = page.locator('juror-plot-figure');
  await expect(plot).toBeVisible();
  const scores = jurorScore([many.at('WEAVEBench'), many.at('result')]).scores.filter(
    ({ criterion, scope }) => criterion === 'total' && (scope === 'overall' || scope === 'domain'),
  );
  const without = scores.filter(({ mean }) => mean === null).length;
  expect(without).toBeGreaterThan(0);
  await expect(plot.locator('text').filter({ hasText: /^–$/u })).toHaveCount(without);
});

for (const [device, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
  test(`of twenty models with long names no view is wider than its window (${device})`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await openMany(page);
    const beyond = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const views = {
      overview: 'juror-score-table',
      compare: 'juror-compare .matrix',
      incidents: 'juror-incidents',
      metrics: 'juror-metrics .check',
      embed: 'juror-embed-view fieldset',
      rate: 'juror-rate .choices',
      plots: 'juror-plots svg',
    };
    for (const [view, part] of Object.entries(views)) {
      await goTo(page, `#/${view}`);
      await expect(page.locator(part).first()).toBeVisible();
      await still(page);
      expect(await beyond(), view).toBeLessThanOrEqual(0);
    }
    // What is wider is found.
    await page.evaluate(() => {
      const wide = Object.assign(document.createElement('p'), { textContent: 'wide' });
      wide.style.width = '200vw';
      document.body.append(wide);
    });
    expect(await beyond()).toBeGreaterThan(0);
  });
}

/** Ids of sixty characters, one of them of each script, in the place of the demo suite's. */
const LONG_IDS: Record<string, string> = {
  harbour: 'a-harbour-at-dawn-with-two-boats-and-a-balloon-over-the-sea-1',
  meadow: '清晨草地上的猫与树木以及远处山丘和天空中的白云按照边框与说明文字绘制完成的参考图片第二个版本'.padEnd(60, '二'),
  street: 'شارع فيه سيارة زرقاء أمام بيوت ملونة تحت سماء صافية في الصباح'.slice(0, 60),
};

/** A MultiRef-Bench folder of twenty models with long names, whose samples have long ids. */
function writeLong(into: TempFolder): string[] {
  const demo = join(dirname(DEMO), 'multiref');
  const renamed = (text: string): string => Object.entries(LONG_IDS).reduce((now, [from, to]) => now.replaceAll(`/${from}.png"`, `/${to}.png"`), text);
  const copy = (from: string, to: string): void => {
    for (const path of readdirSync(join(demo, from), { recursive: true, encoding: 'utf8' })) {
      const stem = basename(path, '.png');
      if (/\.jsonl?$/.test(path))
        into.write(`${to}/${path}`, renamed(readFileSync(join(demo, from, path), 'utf8')).replaceAll(`"${from}"`, `"${basename(to)}"`));
      else if (path.endsWith('.png')) into.write(`${to}/${path.replace(stem, LONG_IDS[stem] ?? stem)}`, readFileSync(join(demo, from, path)));
    }
  };
  copy('MultiRef', 'MultiRef');
  const models = ['aurora-synth', 'basalt-synth', 'cinder-synth'];
  LONG_NAMES.forEach((name, at) => copy(models[at % models.length] ?? '', `outputs/${name}`));
  return ['MultiRef', 'outputs'].map((name) => into.at(name));
}

/** What is wider than its column or lies upon something else, in the list of samples. */
function spilt(page: Page): Promise<string[]> {
  return page.locator('juror-samples').evaluate((list) => {
    const root = list.shadowRoot ?? list;
    const parts = [...root.querySelectorAll<HTMLElement>('.head > *, .row > :not(.cells), .row .cell, .row .cell > *')];
    const wide = parts
      .filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth)
      .map((part) => `wider: ${part.className} ${part.textContent}`);
    // What is wider on the left is not scrolled to, so its place is asked for.
    const beyond = [...root.querySelectorAll<HTMLElement>('.row .cell > *, .row .text > *')].flatMap((part) => {
      const [own, cell] = [part.getBoundingClientRect(), part.parentElement?.getBoundingClientRect() ?? new DOMRect()];
      return own.width > 0 && (own.left < cell.left - 1 || own.right > cell.right + 1) ? [`beyond its cell: ${part.className} ${part.textContent}`] : [];
    });
    const upon = [...root.querySelectorAll<HTMLElement>('.row, .head')].flatMap((row) => {
      const own = [...row.querySelectorAll<HTMLElement>(':scope > :not(.cells), .cell')].map((part) => ({ part, box: part.getBoundingClientRect() }));
      const frame = row.getBoundingClientRect();
      return own.flatMap(({ part, box }, at) => [
        ...(box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1 || box.top < frame.top - 1
          ? [`outside: ${part.className}`]
          : []),
        ...own
          .slice(at + 1)
          .filter(({ box: other }) => box.right > other.left + 1 && other.right > box.left + 1 && box.bottom > other.top + 1 && other.bottom > box.top + 1)
          .map(({ part: other }) => `${part.className} upon ${other.className}`),
      ]);
    });
    return [...new Set([...wide, ...beyond, ...upon])];
  });
}

test('no cell of the samples is wider than its column, with long ids and names of three scripts and twenty models', async ({ page }) => {
  const long = new TempFolder();
  try {
    const paths = writeLong(long);
    await openPage(page);
    await openFolders(page, paths);
    const rows = page.getByTestId('sample-row');
    for (const width of [1440, 1000]) {
      await page.setViewportSize({ width, height: 900 });
      for (const cols of ['', `cols=${encodeURIComponent(LONG_NAMES.map(encodeURIComponent).join(','))}`]) {
        await goTo(page, `#/samples?${cols}`);
        await expect(rows.first().locator('.cell')).toHaveCount(cols === '' ? 6 : LONG_NAMES.length);
        for (const id of Object.values(LONG_IDS)) await expect(rows.locator('.id', { hasText: id })).toHaveText(`synthetic/${id}`);
        await still(page);
        expect(await spilt(page), `${width} pixels, ${cols === '' ? 'some' : 'all'} models`).toEqual([]);
        // The list scrolls, and the page does not.
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      }
    }
    // What spills is found.
    await rows
      .first()
      .locator('.score')
      .first()
      .evaluate((score) => (score.style.width = '20rem'));
    expect(await spilt(page)).not.toEqual([]);
  } finally {
    long.remove();
  }
});

test('on a phone a score and its count stand beside each other in a row of the samples', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await openMany(page, '#/samples');
  const cell = page.getByTestId('sample-row').first().locator('.cell').first();
  await expect(cell).toBeVisible();
  await still(page);
  const [score, count] = [await cell.locator('.score').boundingBox(), await cell.locator('.sub').boundingBox()];
  if (score === null || count === null) throw new Error('A part of the cell has no place.');
  expect(score.x + score.width).toBeLessThanOrEqual(count.x);
});

test('which models stand side by side in the samples is picked, and the address keeps it', async ({ page }) => {
  await page.setViewportSize(DESK);
  await openMany(page, '#/samples');
  const cells = page.getByTestId('sample-row').first().locator('.cell');
  await expect(cells).toHaveCount(6);
  const button = page.getByTestId('pick-models');
  await expect(button).toHaveText('Models: 6 of 20');
  await button.press('Enter');
  const box = page.locator('#picker').getByRole('checkbox', { name: LONG_NAMES[19] ?? '' });
  await box.check();
  await expect(cells).toHaveCount(7);
  await expect(page).toHaveURL(/cols=/);
  await page.keyboard.press('Escape');
  await expect(page.locator('#picker')).toBeHidden();
  await page.goBack();
  await expect(cells).toHaveCount(6);
});

test('numbers stand under their headers', async ({ page }) => {
  await page.setViewportSize(DESK);
  await openPage(page);
  // Ranks have come: they move the columns.
  await still(page);
  const right = (selector: string, column: number) =>
    page
      .getByTestId('overview-table')
      .locator(selector)
      .nth(column)
      .evaluate((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getBoundingClientRect().right;
      });
  for (const column of [0, 1, 2]) {
    const [head, number] = [await right('thead button.sort bdi', column), await right('tbody tr:first-child .mean', column)];
    expect(Math.abs(head - number), `column ${column}`).toBeLessThan(3);
  }
});

test('on a phone the open tab is in sight and the head of a sample takes a quarter of the screen at most', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await openPage(page);
  for (const name of ['Rate', 'Metrics', 'Overview']) {
    const tab = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true });
    await tab.click();
    await expect(tab).toHaveAttribute('aria-current', 'page');
    await expect(tab).toBeInViewport({ ratio: 0.95 });
  }
  // Who comes by an address has it in sight as well.
  await openPage(page, '#/metrics?demo=weave');
  await expect(page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Metrics' })).toBeInViewport({ ratio: 0.95 });
  await toFirstSample(page, 'weave');
  expect((await page.locator('juror-sample .head').boundingBox())?.height ?? Infinity).toBeLessThanOrEqual(PHONE.height / 4);
});

test('on a phone what stands above a view takes 120 pixels at most, and what is folded in it works', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await openPage(page);
  await still(page);
  const top = async (): Promise<number> => {
    const box = await page.locator('juror-app .context').boundingBox();
    if (box === null) throw new Error('What is open is not said.');
    return box.y + box.height;
  };
  for (const hash of ['#/samples', '#/judge', '#/incidents']) {
    await goTo(page, hash);
    await expect.poll(top, hash).toBeLessThanOrEqual(120);
    await expect(page.locator('juror-app .context')).toContainText('WEAVEBench');
    await expect(page.locator('juror-app .context')).toContainText('Demo suite');
  }
  await expect(page.getByTestId('profile-released')).toBeHidden();
  await page.getByTestId('unfold').click();
  await page.getByTestId('profile-released').check({ force: true });
  await page.getByLabel('Policy: what missing outputs count as').selectOption('exclude');
  await page.getByTestId('unfold').click();
  await expect(page.getByTestId('unfold')).toHaveText('authors’ code, 1 more changed');
  await expect.poll(top).toBeLessThanOrEqual(120);
});

test('the first screen leads to the samples that models differ on, and to what is behind a number', async ({ page }) => {
  await openPage(page);
  const number = page.getByTestId('intro-number');
  const value = await number.innerText();
  expect(value).toBe(overallTotal(jurorScore([DEMO]), 'aurora-synth'));
  await number.click();
  await expect(page.locator('juror-cell-dialog dialog')).toContainText(value);
  await page.keyboard.press('Escape');
  await page.getByTestId('explore').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Samples');
  await expect(page).toHaveURL(/sort=spread/);
});

test('what Juror is and what the demo shows is said in one sentence, and only of the demo', async ({ page }) => {
  await openPage(page);
  await expect(page.getByTestId('intro')).toContainText('Juror scores image-generation benchmarks');
  await expect(page.getByTestId('intro')).toContainText('WEAVEBench');
  await openMany(page);
  await expect(page.getByTestId('overview-table')).toBeVisible();
  await expect(page.getByTestId('intro')).toHaveCount(0);
});

test('criteria have their names beside their codes, and the page’s words are explained under the question mark', async ({ page }) => {
  await openPage(page);
  await expect(page.getByTestId('codes')).toContainText(/KP\s*Key point/i);
  await page.getByRole('button', { name: 'Help (?)' }).click();
  await expect(page.getByTestId('glossary')).toContainText('Incident');
  await expect(page.getByTestId('glossary')).toContainText('Evidence pack');
});

test('every view that few need is in one menu and says what it needs', async ({ page }) => {
  await openPage(page);
  await page.getByTestId('tools').click();
  const menu = page.locator('#tools');
  for (const name of ['Output check', 'Agreement', 'Embed', 'Agents', 'Attention'])
    await expect(menu.getByRole('link', { name: new RegExp(`^${name}`) })).toContainText('needs');
  await expect(menu.getByRole('link', { name: /^Agents/ })).toContainText('which is not open');
  await expect(menu.getByRole('link', { name: /^Output check/ })).not.toContainText('which is not open');
  await menu.getByRole('link', { name: /^Output check/ }).click();
  await expect(page).toHaveURL(/#\/lint/);
  await expect(menu).toBeHidden();
});

test('Arabic and Hebrew instructions read from the right, and others do not', async ({ page }) => {
  const folder = new TempFolder();
  try {
    const suite = SUITES['multibanana']?.(folder);
    if (suite === undefined) throw new Error('There is no such suite.');
    folder.write('rtl/data/add/900_prompt.txt', 'ارسم موزة على الطاولة (Image 1).');
    folder.write('rtl/data/add/900_0.jpg', png(4, 4, [1, 2, 3]));
    folder.write('rtl/data/add/900_1.jpg', png(4, 4, [1, 2, 3]));
    folder.write('rtl/data/add/901_prompt.txt', 'Paint a banana.');
    folder.write('rtl/data/add/901_0.jpg', png(4, 4, [1, 2, 3]));
    folder.write('rtl/data/add/901_1.jpg', png(4, 4, [1, 2, 3]));
    await openPage(page);
    await openFolders(page, [folder.at('rtl')]);
    await goTo(page, '#/samples');
    await expect(page.locator('.instruction', { hasText: 'موزة' })).toHaveCSS('direction', 'rtl');
    await expect(page.locator('.instruction', { hasText: 'banana' })).toHaveCSS('direction', 'ltr');
    await page.locator('.instruction', { hasText: 'موزة' }).click();
    await expect(page.locator('juror-turn .said')).toHaveCSS('direction', 'rtl');
  } finally {
    folder.remove();
  }
});

test('turns begin at 1 wherever they are named', async ({ page }) => {
  await openPage(page, '#/sample/0?demo=weave');
  await expect(page.getByTestId('turn').first().getByRole('heading', { level: 2 })).toHaveText('Turn 1');
  await expect(page.getByTestId('turn').nth(1).getByRole('heading', { level: 2 })).toHaveText('Turn 2');
  await expect(page.locator('.pictures')).toContainText('asked for in turn 1');
  await goTo(page, '#/?scope=turn');
  await expect(page.getByTestId('overview-table').getByRole('columnheader', { name: 'Turn 1', exact: true })).toBeVisible();
  await expect(page.getByTestId('overview-table').getByRole('columnheader', { name: 'Turn 0', exact: true })).toHaveCount(0);
});

test('a broken test.json is named at the top, above the word that there is no benchmark', async ({ page }) => {
  const folder = new TempFolder();
  try {
    folder.write('broken/test/test.json', '[{"idx": 1, "domain": ');
    await openPage(page);
    await openFolders(page, [folder.at('broken')]);
    const why = page.getByTestId('why-none').first();
    await expect(why).toContainText('test.json');
    await still(page);
    const [first, other] = [await why.boundingBox(), await page.getByText('What Juror looks for').boundingBox()];
    expect(first !== null && other !== null && first.y < other.y).toBe(true);
  } finally {
    folder.remove();
  }
});

test('the example of a filter is within the scale of the benchmark', async ({ page }) => {
  await openPage(page, '#/samples?demo=weave');
  await expect(page.getByTestId('filter')).toHaveAttribute('placeholder', /score<0\.4 /);
  await page.getByTestId('filter').fill('model:aurora-synth score<0.4');
  await expect(page.locator('juror-samples .count')).toContainText('0 of 12');
  await openPage(page, '#/samples?demo=vibe');
  await expect(page.getByTestId('filter')).toHaveAttribute('placeholder', /score<40 /);
});

test('Agents without MultiBanana leads to it', async ({ page }) => {
  await openPage(page, '#/agents?demo=weave');
  await page
    .getByTestId('agents-none')
    .getByRole('link', { name: /demo suite of MultiBanana/ })
    .click();
  await expect(page.getByTestId('benchmark')).toHaveText('MultiBanana');
});

test('a report as HTML is off where the page in one file is absent, and the menu says why', async ({ page }) => {
  await openPage(page);
  await page.getByRole('button', { name: /^Export/ }).click();
  const item = page.getByTestId('export-html');
  await expect(item).toHaveAttribute('aria-disabled', 'true');
  await expect(item).toContainText('Not offered: The page in one file');
  // Pressed all the same, it opens nothing, and its sentence stays.
  await item.press('Enter');
  await expect(item).toBeVisible();
  await expect(page.getByTestId('pack-write')).toHaveCount(0);
  await page.keyboard.press('Escape');
  // A copy that has it beside it offers it.
  await page.route('**/juror.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><script type="application/octet-stream" id="juror-payload-report"></script>' }),
  );
  await page.reload();
  await settled(page, 'Demo suite');
  await page.getByRole('button', { name: /^Export/ }).click();
  await expect(item).toHaveText('Report as HTML…');
  await item.click();
  await expect(page.getByTestId('pack-write')).toBeVisible();
  await expect(item).not.toHaveAttribute('aria-disabled');
});

test('key points that nobody judged have no tick', async ({ page }) => {
  await openPage(page, '#/sample/0?demo=weave');
  await expect(page.locator('.points li').first()).toBeVisible();
  await expect(page.locator('.points .icon')).toHaveCount(0);
});

test('what a facet says is what its click leaves', async ({ page }) => {
  await openPage(page, '#/samples?demo=weave&q=incident:any');
  const values = page.locator('[data-testid="facet"][data-field="model"] .value');
  for (const at of [0, 1, 2]) {
    await shown(page);
    const said = /(\d+)\s*$/.exec(await values.nth(at).innerText())?.[1];
    await values.nth(at).click();
    await expect(page.locator('juror-samples .count')).toContainText(`${said} of 12`);
    await values.nth(at).click();
    await expect(page).toHaveURL(/q=incident:any(&|$)/);
  }
});

test('in a sentence each name stands by itself, so that numbers after one from right to left keep their order', async ({ page }) => {
  await openMany(page, '#/plots');
  await page.getByLabel('Groups').selectOption('domain');
  const sentence = page.getByTestId('sentence');
  await expect(sentence).toContainText('and 14 more');
  // Each of the six names that are told, and nothing of the numbers.
  const names = await sentence.locator('bdi').allTextContents();
  expect(names).toHaveLength(6);
  for (const name of names) expect(LONG_NAMES).toContain(name);
  await goTo(page, '#/compare');
  const groups = page.getByTestId('compare-groups');
  await expect(groups.locator('bdi')).toHaveCount(LONG_NAMES.length);
  expect(new Set(await groups.locator('bdi').allTextContents())).toEqual(new Set(LONG_NAMES));
});

test('of twenty models a rule names those whose numbers it changes and counts the others', async ({ page }) => {
  await openMany(page);
  await showBelow(page, 'rules');
  const rule = page.getByTestId('difference').first();
  await expect(rule.locator('li.still')).toHaveText(/^no effect on the other \d+ models$/);
  const [, others] = /(\d+)/.exec((await rule.locator('li.still').textContent()) ?? '') ?? [];
  expect((await rule.locator('li:not(.still)').count()) + Number(others)).toBe(LONG_NAMES.length);
  // Of three models each is named.
  await openPage(page);
  await showBelow(page, 'rules');
  await expect(page.getByTestId('difference').first().locator('li')).toHaveCount(3);
});
