/** Every screen and dialog, light and dark, against axe's rules; and nothing that makes the page itself scroll sideways. */
import type { Page } from '../../www/node_modules/@playwright/test';
import { SCHEMES, axe, type Rules } from './axe';
import { chooseWayIn, closeAll, goTo, openFolders, openPage, showBelow, shown, still, TempFolder, unfold, writeSmallBenchmark } from './helpers';
import { expect, test } from './visits';

/** Selectors from shadow root to shadow root. */
type ShadowPath = [string, string, ...string[]];

/**
 * A place to check: how to get there from the overview of the demo suite, and for a dialog the way to it through the
 * shadow roots, as the view behind it is checked by itself.
 */
type Place = [name: string, go: (page: Page) => Promise<void>, dialog?: ShadowPath];

async function toSample(page: Page): Promise<void> {
  await goTo(page, '#/samples');
  await page.getByTestId('sample-row').first().click();
  await page.getByTestId('turn').first().waitFor();
}

async function toRequest(page: Page): Promise<void> {
  await toSample(page);
  await page.getByTestId('open-request').first().click();
  await page.getByTestId('copy-prompt').waitFor();
}

const REQUEST: ShadowPath = ['juror-app', 'juror-sample', 'juror-request-dialog', 'dialog'];

const PLACES: Place[] = [
  ['overview', async () => undefined],
  ['overview of all criteria, released', (page) => goTo(page, '#/?criterion=all&profile=released')],
  [
    'score of a cell',
    (page) => page.getByTestId('overview-table').locator('td button').first().click(),
    ['juror-app', 'juror-overview', 'juror-cell-dialog', 'dialog'],
  ],
  ['ways in', (page) => page.getByRole('button', { name: 'More ways to open' }).click(), ['juror-app', 'juror-source-menu']],
  ['address of a ZIP', (page) => chooseWayIn(page, 'ZIP from an address…'), ['juror-app', 'juror-source-menu', 'dialog']],
  ['export menu', (page) => page.getByRole('button', { name: /^Export/ }).click(), ['juror-app', 'juror-export-menu']],
  ['keys', (page) => page.keyboard.press('?'), ['juror-app', 'juror-help-dialog', 'dialog']],
  ['samples', (page) => goTo(page, '#/samples')],
  ['samples, none found', (page) => goTo(page, '#/samples?text=nothing+has+this')],
  [
    'sample',
    async (page) => {
      await toSample(page);
      await page.locator('juror-output .toggle').first().click();
    },
  ],
  ['no such sample', (page) => goTo(page, '#/sample/none')],
  ['make a benchmark', (page) => goTo(page, '#/make')],
  [
    'request with an unreadable reply',
    async (page) => {
      await toRequest(page);
      await page.getByTestId('paste-text').fill('I would give it an 8.');
      await expect(page.getByTestId('paste-status')).toHaveAttribute('data-status', 'incident');
      await page.getByTestId('paste-save').click();
    },
    REQUEST,
  ],
  [
    'request with a good reply',
    async (page) => {
      await toRequest(page);
      await page.getByTestId('paste-text').fill('{"score": 8, "reasoning": "Both are met."}');
      await expect(page.getByTestId('paste-status')).toHaveAttribute('data-status', 'ok');
    },
    REQUEST,
  ],
  [
    'generator input',
    async (page) => {
      await toSample(page);
      await page.getByRole('button', { name: 'Generator input' }).first().click();
      await page.getByTestId('input-context').waitFor();
    },
    ['juror-app', 'juror-sample', 'juror-input-dialog', 'dialog'],
  ],
  [
    'picture',
    async (page) => {
      await toSample(page);
      await page.locator('juror-output .picture').first().click();
      await page.locator('juror-sample juror-lightbox dialog').waitFor();
    },
    ['juror-app', 'juror-sample', 'juror-lightbox', 'dialog'],
  ],
  [
    'difference of two pictures',
    async (page) => {
      await toSample(page);
      await page.getByTestId('compare').click();
      await page.keyboard.press('d');
      await page.getByTestId('differing').waitFor();
    },
    ['juror-app', 'juror-sample', 'juror-lightbox', 'dialog'],
  ],
  [
    'map of two pictures',
    async (page) => {
      await toSample(page);
      await page.getByTestId('compare').click();
      await page.keyboard.press('m');
      await page.getByTestId('map-metric').selectOption('changed');
      await page.getByTestId('map-box').click();
      await page.getByTestId('map-facts').getByText('inside the box').waitFor();
    },
    ['juror-app', 'juror-sample', 'juror-lightbox', 'dialog'],
  ],
  ...(['w', 'o', 'b'] as const).map((key): Place => [
    `two pictures ${{ w: 'swiped', o: 'over each other', b: 'in turns' }[key]}`,
    async (page) => {
      await toSample(page);
      await page.getByTestId('compare').click();
      await page.keyboard.press(key);
      await expect(page.locator('juror-sample juror-lightbox').getByTestId(`mode-${{ w: 'swipe', o: 'onion', b: 'blink' }[key]}`)).toBeChecked();
    },
    ['juror-app', 'juror-sample', 'juror-lightbox', 'dialog'],
  ]),
  ['address of files that are not open', (page) => goTo(page, '#/sample/3?bench=multibanana&models=alpha,beta&see=swipe&pictures=p1,o0.alpha')],
  ['incidents', (page) => goTo(page, '#/incidents')],
  [
    'compare with a pair',
    async (page) => {
      await goTo(page, '#/compare?cluster=domain&a=aurora-synth&b=basalt-synth');
      await page.getByTestId('compare-samples').waitFor();
      for (const summary of await page.locator('juror-compare summary').all()) await summary.click();
    },
  ],
  [
    'published results',
    async (page) => {
      await page.getByTestId('published').getByRole('button', { name: 'Published results' }).click();
      await expect(page.getByTestId('published').locator('.mean').first()).toBeVisible();
    },
  ],
  [
    'samples behind a mark',
    async (page) => {
      await goTo(page, '#/plots/distribution');
      await page.locator('juror-plot-figure .mark').nth(1).click();
      await page.getByTestId('behind').waitFor();
    },
  ],
  [
    'judge',
    async (page) => {
      await goTo(page, '#/judge');
      await page.getByRole('heading', { level: 1, name: 'Judge' }).waitFor();
      await unfold(page);
    },
  ],
  ['rate', (page) => goTo(page, '#/rate')],
  ['agreement', (page) => goTo(page, '#/agreement')],
  ['lint', (page) => goTo(page, '#/lint')],
  [
    'statistics',
    async (page) => {
      await goTo(page, '#/statistics');
      await page.getByTestId('statistics-words').waitFor();
    },
  ],
  [
    'experiments',
    async (page) => {
      await goTo(page, '#/experiments');
      await page.getByRole('heading', { level: 1, name: 'Experiments' }).waitFor();
    },
  ],
  ['about', (page) => goTo(page, '#/about')],
  ['manual', (page) => goTo(page, '#/manual/samples')],
  [
    'manual, searched',
    async (page) => {
      await goTo(page, '#/manual');
      await page.getByTestId('manual-search').fill('bootstrap');
    },
  ],
  ['start with nothing open', (page) => closeAll(page)],
];

/** The view on the screen with its heading, and all that is around it: it goes with the finding that there is none. */
function whatIsShown(page: Page): Promise<string> {
  return page.evaluate(() => {
    const main = document.querySelector('juror-app')?.shadowRoot?.querySelector('main');
    const view = main?.firstElementChild;
    const heading = view?.shadowRoot?.querySelector('h1') ?? main?.querySelector('h1');
    const above = (element: Element): Element | null => element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;
    const parts: string[] = [];
    for (let at: Element | null = heading ?? view ?? null; at !== null; at = above(at)) {
      const { display, visibility } = getComputedStyle(at);
      parts.push(`${at.tagName.toLowerCase()} ${display} ${visibility}`);
    }
    return `${location.hash} ${document.documentElement.dataset.phase ?? ''} ${heading?.textContent ?? 'no h1'}: ${parts.join(' < ')}`;
  });
}

/** What axe finds, in one line each. */
async function violations(page: Page, rules: Rules = 'all', dialog?: ShadowPath): Promise<string[]> {
  const checker = axe(page, rules);
  if (dialog !== undefined) checker.include({ fromShadowDom: dialog });
  const { violations: found, passes } = await checker.analyze();
  // A menu that has closed has no targets.
  if (passes.length === 0 && rules !== 'targets') throw new Error('axe checked nothing.');
  const seen = found.some(({ id }) => id === 'page-has-heading-one') ? [`on the screen: ${await whatIsShown(page)}`] : [];
  if (seen.length > 0) console.log(`axe finds no heading; ${seen.join()}`);
  const lines = found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}; ${target.join(' ')}; ${failureSummary ?? ''}`),
  );
  return [...lines, ...seen];
}

/** How far the page itself can be scrolled sideways, and what sticks out. */
async function overhang(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const page_ = document.scrollingElement;
    if (page_ === null || page_.scrollWidth <= width) return [];
    const out: string[] = [`the page is ${page_.scrollWidth} px wide in a window of ${width} px`];
    const above = (element: Element): Element | null => element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;
    /** What scrolls by itself may hold more than fits. */
    const isHeld = (element: Element): boolean => {
      for (let at = above(element); at !== null && at !== document.body; at = above(at)) if (getComputedStyle(at).overflowX !== 'visible') return true;
      return false;
    };
    const walk = (root: Document | ShadowRoot): void => {
      for (const element of root.querySelectorAll('*')) {
        if (element.getBoundingClientRect().right > width + 0.5 && !isHeld(element))
          out.push(`${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`);
        if (element.shadowRoot !== null) walk(element.shadowRoot);
      }
    };
    walk(document);
    return out.slice(0, 12);
  });
}

/** Windows in which nothing may stick out, with the root's font size. */
const WINDOWS = [
  ['390 pixels wide', { width: 390, height: 844 }, ''],
  ['1280 pixels wide with text at 200 %', { width: 1280, height: 800 }, '200%'],
] as const;

async function check(page: Page, dialog?: ShadowPath): Promise<void> {
  for (const [colorScheme, rules] of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await still(page);
    // axe reads the page once, which may be drawn again meanwhile.
    await expect
      .configure({ soft: true })
      .poll(() => violations(page, rules, dialog), colorScheme)
      .toEqual([]);
  }
  for (const [size, viewport, rem] of WINDOWS) {
    await page.setViewportSize(viewport);
    await page.evaluate((value) => document.documentElement.style.setProperty('font-size', value), rem);
    await still(page);
    await expect
      .configure({ soft: true })
      .poll(() => overhang(page), size)
      .toEqual([]);
    if (viewport.width < 500)
      await expect
        .configure({ soft: true })
        .poll(() => violations(page, 'targets', dialog), 'targets')
        .toEqual([]);
  }
}

for (const [name, go, dialog] of PLACES) {
  test(`${name}: no accessibility violation in light and dark, no sideways scrolling`, async ({ page }) => {
    await openPage(page);
    await go(page);
    await shown(page);
    await check(page, dialog);
  });
}

test('problems and notices: no accessibility violation in light and dark, no sideways scrolling', async ({ page }) => {
  const folder = new TempFolder();
  writeSmallBenchmark(folder, 3);
  folder.write('result/m/imgs/d1_2.png', 'no picture');
  folder.write('result/m/metrics.jsonl', '{"idx": 0, ');
  await openPage(page);
  await openFolders(page, [folder.at('bench'), folder.at('result')]);
  folder.remove();
  await page.getByTestId('input-files').setInputFiles({ name: 'broken.zip', mimeType: 'application/zip', buffer: Buffer.from('none') });
  await expect(page.getByRole('alert')).toBeVisible();
  await showBelow(page, 'files');
  await expect(page.getByTestId('problem')).not.toHaveCount(0);
  await shown(page);
  await check(page);
});

test('engine failed: no accessibility violation in light and dark, no sideways scrolling', async ({ page }) => {
  await openPage(page);
  const engineOf = () => page.workers().find((worker) => worker.url().includes('engine.worker'));
  await expect.poll(() => engineOf() !== undefined).toBe(true);
  await engineOf()?.evaluate(() => {
    setTimeout(() => {
      throw new Error('made to fail');
    });
  });
  await expect(page.getByRole('alert')).toContainText('The engine stopped.');
  await check(page);
});

test('a view that did not arrive: no accessibility violation in light and dark, no sideways scrolling', async ({ page }) => {
  await page.route('**/assets/view-incidents-*.js', (route) => route.abort());
  await openPage(page, '#/incidents');
  await page.getByTestId('unloaded').waitFor();
  await check(page);
});

test('axe does find a violation where one is', async ({ page }) => {
  await openPage(page);
  await page.evaluate(() => {
    const image = document.createElement('img');
    image.src = 'icon.svg';
    document.body.append(image);
  });
  expect((await violations(page)).join('\n')).toContain('image-alt');
  expect(await violations(page, 'targets')).toEqual([]);
  await page.evaluate(() => {
    const small = document.createElement('div');
    for (const name of ['a', 'b']) {
      const button = Object.assign(document.createElement('button'), { textContent: name });
      button.style.cssText = 'width:16px;height:16px;padding:0;border:0';
      small.append(button);
    }
    document.body.prepend(small);
  });
  expect((await violations(page, 'targets')).join('\n')).toContain('target-size');
});

test('something that is too wide is noticed', async ({ page }) => {
  await openPage(page);
  await page.evaluate(() => {
    const wide = document.createElement('div');
    wide.className = 'too-wide';
    wide.style.setProperty('width', '5000px');
    wide.style.setProperty('height', '1px');
    document.body.append(wide);
  });
  expect((await overhang(page)).join('\n')).toContain('too-wide');
});
