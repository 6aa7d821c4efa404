/** The sample list: expression, suggestions, facets, orders, forms, saved views, and the way through the filtered samples. */
import { renameSync } from 'node:fs';
import type { Page } from '../../www/node_modules/@playwright/test';
import { SCHEMES, axe } from './axe';
import { TempFolder, goTo, openFolders, openPage, png, shown, still, writeSmallBenchmark } from './helpers';
import { SUITES } from './suites';
import { expect, test } from './visits';

let folder: TempFolder;
let paths: string[];

/** Writes a small suite; gives its folders. */
function write(id: string, into: TempFolder): string[] {
  const suite = SUITES[id];
  if (suite === undefined) throw new Error('There is no such suite.');
  return suite(into).folders.map((one) => into.at(one));
}

test.beforeAll(() => {
  folder = new TempFolder();
  paths = write('multibanana', folder);
});
test.afterAll(() => folder.remove());

/** Opens MultiBanana's small suite at an address: five samples in four tasks, `alpha` judged twice, `beta` with gaps. */
async function open(page: Page, hash = '#/samples'): Promise<void> {
  await openPage(page);
  await openFolders(page, paths);
  await goTo(page, hash);
  await expect(page.locator('juror-samples .count')).toBeVisible();
}

const filter = (page: Page) => page.getByTestId('filter');
const counted = (page: Page) => page.locator('juror-samples .count');
const ids = async (page: Page): Promise<(string | null)[]> =>
  page.getByTestId('sample-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id')));
const query = (page: Page): string | null => new URLSearchParams(new URL(page.url()).hash.split('?')[1] ?? '').get('q');
const facet = (page: Page, field: string, value: string) => page.locator(`[data-testid="facet"][data-field="${field}"] [data-value="${value}"]`);

test('an expression filters the list and stands in the address', async ({ page }) => {
  await open(page);
  await expect(counted(page)).toContainText('5 of 5 sets');
  await filter(page).fill('references>=2 -task:add');
  await expect(counted(page)).toContainText('2 of 5 sets');
  await expect.poll(() => ids(page)).toEqual(['3_local/006', '4_back/007']);
  await expect.poll(() => query(page)).toBe('references>=2 -task:add');
  await page.goBack();
  await page.goForward();
  await expect(filter(page)).toHaveValue('references>=2 -task:add');
  await page.getByRole('button', { name: 'Clear the filter' }).first().click();
  await expect(counted(page)).toContainText('5 of 5 sets');
});

test('what cannot be read is shown with its place and a mend, and the last list stays', async ({ page }) => {
  await open(page);
  await filter(page).fill('taks:add');
  const fault = page.getByTestId('filter-fault');
  await expect(fault).toContainText('There is no field “taks”.');
  await expect(fault.locator('mark')).toHaveText('taks');
  await expect(filter(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByTestId('sample-row')).toHaveCount(5);
  await fault.getByRole('button', { name: 'Use task' }).click();
  await expect(fault).toBeHidden();
  await expect(counted(page)).toContainText('2 of 5 sets');
  await expect(filter(page)).toHaveValue('task:add');
});

test('an address with a filter that cannot be read shows that, and no empty table', async ({ page }) => {
  await openPage(page, '#/samples?q=taks:add');
  await expect(page.getByTestId('filter-fault')).toContainText('There is no field “taks”.');
  await expect(page.getByRole('heading', { name: 'The filter cannot be read' })).toBeVisible();
  await expect(page.locator('juror-samples .head')).toHaveCount(0);
  await page.locator('juror-samples .empty').getByRole('button', { name: 'Clear the filter' }).click();
  await expect(page.getByTestId('sample-row').first()).toBeVisible();
});

test('fields and values are suggested and chosen by keyboard alone', async ({ page }) => {
  await open(page);
  await page.keyboard.press('/');
  await expect(filter(page)).toBeFocused();
  await page.keyboard.type('tas');
  const options = page.locator('#suggestions').getByRole('option');
  await expect(options).toHaveText([/^\s*task/]);
  await page.keyboard.press('ArrowDown');
  await expect(filter(page)).toHaveAttribute('aria-activedescendant', 'option-0');
  // Suggestions that come once more, as those of a slow answer do, leave what was chosen.
  await filter(page).click();
  await shown(page);
  await expect(filter(page)).toHaveAttribute('aria-activedescendant', 'option-0');
  await page.keyboard.press('Enter');
  await expect(filter(page)).toHaveValue('task:');
  await expect(options).toHaveCount(4);
  await page.keyboard.type('3');
  await expect(options).toHaveText([/^\s*3_local/]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(filter(page)).toHaveValue('task:3_local');
  await expect(counted(page)).toContainText('1 of 5 sets');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(filter(page)).not.toBeFocused();
  await page.keyboard.press('j');
  await expect(page.getByTestId('sample-row').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sample 3_local/006');
});

test('facets count samples, and a click adds a value or takes it out', async ({ page }) => {
  await open(page);
  await expect(facet(page, 'task', 'add')).toContainText('2');
  await expect(facet(page, 'incident', 'missing_output')).toContainText('1');
  await facet(page, 'task', 'add').click();
  await expect(filter(page)).toHaveValue('task:add');
  await expect(facet(page, 'task', 'add')).toHaveAttribute('aria-pressed', 'true');
  await facet(page, 'task', '4_back').click();
  await expect(filter(page)).toHaveValue('task:add,4_back');
  await expect(counted(page)).toContainText('3 of 5 sets');
  await facet(page, 'incident', 'unparsable').click();
  await expect(counted(page)).toContainText('1 of 5 sets');
  await expect.poll(() => ids(page)).toEqual(['4_back/007']);
  await facet(page, 'task', 'add').click();
  await facet(page, 'task', '4_back').click();
  await expect(filter(page)).toHaveValue('incident:unparsable');
});

test('a facet of judges counts what each has scored, and a click looks at one alone', async ({ page }) => {
  await open(page);
  // gemini rates both models; gpt rates alpha alone, all its five.
  await expect(facet(page, 'judge', 'gemini')).toContainText('5');
  await expect(facet(page, 'judge', 'gpt')).toContainText('5');
  const cell = page.getByTestId('sample-row').first().locator('.cell').first();
  await expect(cell).toHaveAttribute('title', /by gemini/);
  await facet(page, 'judge', 'gpt').click();
  await expect(filter(page)).toHaveValue('judge:gpt');
  await expect(facet(page, 'judge', 'gpt')).toHaveAttribute('aria-pressed', 'true');
  await expect(cell).toHaveAttribute('title', /^alpha: 5\.\d+, 1 of 1/);
  await facet(page, 'model', 'beta').click();
  await expect(facet(page, 'judge', 'gpt')).toContainText('0');
  await expect(facet(page, 'judge', 'gemini')).toContainText('4');
  // One judge that is chosen in the page's head leaves nothing to choose.
  await filter(page).fill('');
  await page.getByLabel('Judge whose replies are scored').selectOption('gemini');
  await expect(facet(page, 'model', 'alpha')).toBeVisible();
  await expect(page.locator('[data-testid="facet"][data-field="judge"]')).toHaveCount(0);
});

test('an order by the total shows the mean of the models that it orders by', async ({ page }) => {
  await open(page, '#/samples?sort=score_asc');
  const rows = page.getByTestId('sample-row');
  await expect(rows).toHaveCount(5);
  const found = await rows.evaluateAll((all) =>
    all.map((row) => ({
      value: Number(/(\d+\.\d+)$/.exec(row.querySelector('.chip.accent')?.textContent?.trim() ?? '')?.[1] ?? NaN),
      cells: [...row.querySelectorAll('.cell .score')].map((cell) => Number(cell.textContent)).filter((score) => !Number.isNaN(score)),
    })),
  );
  for (const { value, cells } of found) expect(Math.abs(value - cells.reduce((sum, one) => sum + one, 0) / cells.length)).toBeLessThan(0.011);
  expect(found.map(({ value }) => value)).toEqual(found.map(({ value }) => value).sort((a, b) => a - b));
  expect(found.some(({ cells }) => cells.length === 2 && cells[0] !== cells[1])).toBe(true);
  // Of one model it is that model's own.
  await filter(page).fill('model:alpha');
  await expect(rows.first().locator('.chip.accent')).toHaveAttribute('title', /: alpha$/);
});

test('addresses from before there was an expression still lead to the same samples', async ({ page }) => {
  await open(page, '#/samples?domain=add&incident=any&model=beta');
  await expect(filter(page)).toHaveValue('domain:add incident:any model:beta');
  await expect(counted(page)).toContainText('1 of 5 sets');
  await expect.poll(() => ids(page)).toEqual(['add/005']);
  await goTo(page, '#/samples?text=put+%22add');
  await expect(filter(page)).toHaveValue('put "\\"add"');
});

test('orders by difference, disagreement and seed can be chosen, and stand in the address', async ({ page }) => {
  await open(page);
  const sort = page.getByTestId('sort');
  await sort.selectOption('disagreement');
  await expect(page.getByTestId('sample-row').first()).toContainText('judges differ by');
  await sort.selectOption('difference');
  await expect(page.getByTestId('sample-row').first()).toContainText(/\+\d/);
  await page.getByRole('button', { name: 'Swap' }).click();
  await expect(page.getByTestId('sample-row').first()).toContainText(/−\d/);
  await expect(page).toHaveURL(/a=beta&b=alpha/);
  await sort.selectOption('random');
  await page.getByLabel('Size of the random sample').fill('2');
  await page.getByLabel('Size of the random sample').press('Enter');
  await expect(counted(page)).toContainText('2 drawn at random with seed 1 from 5 of 5 sets');
  await shown(page);
  const drawn = await ids(page);
  expect(drawn).toHaveLength(2);
  const address = page.url();
  await page.getByRole('button', { name: 'Next seed' }).click();
  await expect(counted(page)).toContainText('seed 2');
  await goTo(page, new URL(address).hash);
  await expect(counted(page)).toContainText('seed 1');
  await expect.poll(() => ids(page)).toEqual(drawn);
});

test('an order by the difference of a model that is not open says so', async ({ page }) => {
  await open(page, '#/samples?sort=difference&a=nobody&b=beta');
  await expect(page.getByTestId('absent-models')).toHaveText(/The address also names nobody, which is not open/);
  await page.getByLabel('Model that is ahead').selectOption('alpha');
  await expect(page).toHaveURL(/a=alpha&b=beta/);
  await expect(page.getByTestId('absent-models')).toHaveCount(0);
});

test('with several judges the list and the sample say whose the scores are', async ({ page }) => {
  await open(page);
  const whose = page.getByTestId('list-judges');
  const cell = page.getByTestId('sample-row').first().locator('.cell').first();
  await expect(whose).toHaveText('Scores by gemini; other judges: choose one above.');
  await expect(cell).toHaveAttribute('title', /^alpha: [0-9.]+, by gemini, /);
  await page.getByTestId('sample-row').first().click();
  const total = page.locator('juror-output').first().locator('.total');
  await expect(total).toHaveAttribute('title', /; judge gemini$/);
  const score = await total.innerText();
  await page.getByLabel('Judge whose replies are scored').selectOption('gpt');
  await expect(total).toHaveAttribute('title', /; judge gpt$/);
  await expect(total).not.toHaveText(score);
  await page.getByRole('link', { name: 'Samples', exact: true }).first().click();
  // One judge is chosen: the page’s head says which.
  await expect(cell).toHaveAttribute('title', /^alpha: [0-9.]+, \d+ of /);
  await expect(whose).toHaveCount(0);
});

test('where each model has a judge of its own the list says whose scores are whose', async ({ page }) => {
  const own = new TempFolder();
  const folders = write('declared', own);
  renameSync(own.at('judged/beta_gpt.jsonl'), own.at('judged/beta_gemini.jsonl'));
  try {
    await openPage(page);
    await openFolders(page, folders);
    await goTo(page, '#/samples');
    await expect(page.getByTestId('list-judges')).toHaveText('Scores of alpha by gpt; of beta by gemini. One judge alone: choose it above.');
    await expect(page.getByTestId('sample-row').first().locator('.cell').nth(1)).toHaveAttribute('title', /^beta: [0-9.]+, by gemini, /);
  } finally {
    own.remove();
  }
});

test('next and previous walk through the filtered list in its order', async ({ page }) => {
  await open(page, '#/samples?q=references%3E=2&sort=score_asc');
  await expect(page.getByTestId('sample-row')).toHaveCount(4);
  const order = await ids(page);
  await page.getByTestId('sample-row').first().click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(`Sample ${order[0]}`);
  await expect(page.getByText('1 of 4 sets in this filter')).toBeVisible();
  for (const id of order.slice(1)) {
    await page.keyboard.press('j');
    await expect(heading).toHaveText(`Sample ${id}`);
    await expect(page.getByText(`${order.indexOf(id) + 1} of 4 sets in this filter`)).toBeVisible();
  }
  await page.keyboard.press('k');
  await expect(heading).toHaveText(`Sample ${order[2]}`);
});

test('pictures can be walked by arrow keys, and a view can be saved, renamed and deleted', async ({ page }) => {
  await open(page);
  await page.getByRole('radio', { name: 'Pictures' }).check();
  await expect(page.locator('juror-samples .card')).toHaveCount(5);
  await expect(page).toHaveURL(/look=grid/);
  await page.keyboard.press('Escape');
  await page.locator('juror-samples h1').click();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('juror-samples .card').nth(1)).toBeFocused();

  await filter(page).fill('score<5');
  await expect(counted(page)).toContainText('4 of 5 sets');
  await page.getByRole('button', { name: 'Views' }).click();
  const dialog = page.locator('juror-saved-views dialog');
  await dialog.getByLabel('Name of this view').fill('Low ones');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('button', { name: 'Rename Low ones' }).click();
  await dialog.getByLabel('New name of Low ones').fill('Low');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('link', { name: 'Low' })).toBeVisible();
  await page.keyboard.press('Escape');
  await goTo(page, '#/samples');
  await expect(counted(page)).toContainText('5 of 5');
  await page.getByRole('button', { name: 'Views' }).click();
  await dialog.getByRole('link', { name: 'Low' }).click();
  await expect(filter(page)).toHaveValue('score<5');
  await expect(page.getByRole('radio', { name: 'Pictures' })).toBeChecked();
  await page.getByRole('button', { name: 'Views' }).click();
  await dialog.getByRole('button', { name: 'Delete Low' }).click();
  await expect(dialog.getByRole('link')).toHaveCount(0);
});

test('a long list holds what is in sight, and the last sample can be reached', async ({ page }) => {
  const long = new TempFolder();
  const numSamples = 700;
  const protocol = {
    format: 'juror-protocol/1',
    id: 'long',
    title: 'Long',
    words: { sample: 'case', samples: 'cases' },
    samples: { file: 'samples.csv' },
    outputs: 'outputs/{model}/{id}',
    replies: 'judged/{model}_{judge}.jsonl',
    criteria: [{ id: 'fit', label: 'Fit', range: [1, 10], integer: true }],
    requests: [{ id: 'judge', prompt: ['Asked for: {instruction}', '{output}', 'Rate it.'], reply: { form: 'json', reason: 'why' } }],
  };
  const names = Array.from({ length: numSamples }, (_, at) => String(at).padStart(4, '0'));
  long.write('long/juror.json', JSON.stringify(protocol));
  long.write('long/samples.csv', `id,instruction\n${names.map((id) => `${id},Paint ${id}.`).join('\n')}\n`);
  try {
    await openPage(page);
    await openFolders(page, [long.at('long')]);
    await goTo(page, '#/samples');
    await expect(counted(page)).toContainText('700 of 700');
    await still(page);
    expect(await page.getByTestId('sample-row').count()).toBeLessThan(60);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByTestId('sample-row').last()).toHaveAttribute('data-id', '0699');
    await page.keyboard.press('End');
    await filter(page).fill('id~/0$/');
    await expect(counted(page)).toContainText('70 of 700');
    await expect(page.getByTestId('sample-row').first()).toHaveAttribute('data-id', '0000');
  } finally {
    long.remove();
  }
});

test('the table’s head holds a model’s whole name', async ({ page }) => {
  const named = new TempFolder();
  const name = 'gemini-2.5-flash-image-preview';
  for (const { idx } of writeSmallBenchmark(named, 2)) named.write(`result/${name}/imgs/d${idx}_2.png`, png(8, 8, [40, 120, 30]));
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openPage(page);
    await openFolders(page, [named.at('bench'), named.at('result')]);
    await goTo(page, '#/samples');
    const head = page.locator('juror-samples .head .cell').filter({ hasText: name });
    await expect(head).toBeVisible();
    await still(page);
    const isCut = await head.evaluate((cell) => cell.scrollHeight > cell.clientHeight || cell.scrollWidth > cell.clientWidth);
    expect(isCut).toBe(false);
  } finally {
    named.remove();
  }
});

for (const [colorScheme, rules] of SCHEMES) {
  test(`the list is fit for assistive technology, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await open(page);
    const check = async (): Promise<void> => {
      await shown(page);
      await still(page);
      const { violations, passes } = await axe(page, rules).analyze();
      expect(passes.length).toBeGreaterThan(0);
      expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))).toEqual([]);
    };
    await check();
    await filter(page).fill('task:');
    await expect(page.locator('#suggestions').getByRole('option').first()).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByTestId('filter-fault')).toBeVisible();
    await check();
    await goTo(page, '#/samples?q=task:add&look=grid&sort=random&n=1');
    await expect(page.locator('juror-samples .card')).toHaveCount(1);
    await check();
    await page.getByRole('button', { name: 'Views' }).click();
    await check();
  });
}

test('thumbnails show whole pictures, so that no drawn instruction is cut off or covered', async ({ page }) => {
  for (const look of ['table', 'grid']) {
    await openPage(page, `#/samples?demo=vibe&look=${look}`);
    const first = page.getByTestId('sample-row').first();
    await expect(first.locator('juror-picture img').first()).toBeVisible();
    await still(page);
    const cut = await page.locator('juror-samples').evaluate((list) => {
      const pictures = [...(list.shadowRoot?.querySelectorAll('.row juror-picture') ?? [])];
      const images = pictures.flatMap((picture) => [...(picture.shadowRoot?.querySelectorAll('img') ?? [])].map((image) => ({ picture, image })));
      return images.filter(({ picture, image }) => {
        const [outer, inner] = [picture.getBoundingClientRect(), image.getBoundingClientRect()];
        const isInside = inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
        return !isInside || getComputedStyle(image).objectFit !== 'contain';
      }).length;
    });
    expect(cut, look).toBe(0);
  }
  // How many more there are is said below the pictures.
  await openPage(page, '#/samples?demo=micon');
  const row = page
    .getByTestId('sample-row')
    .filter({ has: page.locator('.more') })
    .first();
  await expect(row).toBeVisible();
  const [words, picture] = [await row.locator('.more').boundingBox(), await row.locator('.thumbs juror-picture').last().boundingBox()];
  expect(words !== null && picture !== null && words.y >= picture.y + picture.height - 1).toBe(true);
});

test('ids are unique in both looks: where tasks count their samples alike, the task is in them', async ({ page }) => {
  const first = { weave: '0', multibanana: 'single/001', micon: 'object_composition/case_0001', vibe: 'Addition/animation_1', multiref: 'synthetic/harbour' };
  const rows = page.getByTestId('sample-row');
  for (const look of ['table', 'grid'])
    for (const [demo, id] of Object.entries(first)) {
      await openPage(page, `#/samples?demo=${demo}&look=${look}`);
      await expect(rows.first().locator('.id')).toHaveText(id);
      await expect(rows.nth(5).locator('.id')).toBeVisible();
      const shown = await rows.evaluateAll((all) => all.map((row) => [row.querySelector('.id')?.textContent, row.getAttribute('data-id')]));
      expect(shown.map(([text]) => text)).toEqual(shown.map(([, own]) => own));
      expect(new Set(shown.map(([text]) => text)).size, `${demo}, ${look}`).toBe(shown.length);
    }
});
