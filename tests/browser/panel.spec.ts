/** Several judges scored together as one: chosen in the page's head, told behind each number, and equal to the command line's. */
import { TempFolder, cell, exported, goTo, juror, openFolders, openPage, png } from './helpers';
import { expect, test } from './visits';

const LABELS = ['Instruction Alignment', 'Reference Consistency', 'Background-Subject Match', 'Physical Realism', 'Visual Quality'];

/** One set and what each judge gives on all five criteria. */
const SETS: [string, string, Record<string, number>][] = [
  ['3_local', '006', { gpt: 2, gemini: 9, qwen: 9 }],
  // All different: a tie, and the middle one counts.
  ['3_local', '007', { gpt: 3, gemini: 5, qwen: 8 }],
  ['add', '002', { gpt: 4, gemini: 4 }],
];

function write(folder: TempFolder): void {
  for (const [task, number, scores] of SETS) {
    folder.write(`data/${task}/${number}_prompt.txt`, 'Put them together.');
    for (const at of [0, 1, 2]) folder.write(`data/${task}/${number}_${at}.png`, png(8, 8, [40 * at, 90, 90]));
    folder.write(`out/m/${task}/${number}_generated.png`, png(8, 8, [200, 90, 20]));
    for (const [judge, score] of Object.entries(scores))
      folder.write(`out/m/${task}/${number}_${judge}_judge.txt`, `Reasoning: fine.\n\n${LABELS.map((label) => `${label}: ${score}`).join('\n')}`);
  }
}

test('judges are chosen to be scored together, and the number behind it tells who, how many and how many ties', async ({ page }) => {
  const folder = new TempFolder();
  try {
    write(folder);
    await openPage(page);
    await openFolders(page, [folder.at('data'), folder.at('out')]);
    const judge = page.getByLabel('Judge whose replies are scored');
    await judge.selectOption('together');
    const dialog = page.getByRole('dialog', { name: 'Judges together' });
    await expect(dialog.getByRole('checkbox')).toHaveCount(3);
    // One judge is no panel, which is said and changes nothing.
    await dialog.getByLabel('Majority').check();
    for (const name of ['gemini', 'qwen']) await dialog.getByRole('checkbox', { name }).uncheck();
    await dialog.getByTestId('panel-score').click();
    await expect(dialog.getByRole('alert')).toContainText('one judge only');
    for (const name of ['gemini', 'qwen']) await dialog.getByRole('checkbox', { name }).check();
    await dialog.getByTestId('panel-score').press('Enter');
    await expect(dialog).toBeHidden();
    await expect(judge).toHaveValue('.panel:majority(gemini,gpt,qwen)');
    const csv = (await exported(page, 'export-csv')).toString('utf8');
    expect(csv).toBe(juror(['score', folder.at('data'), folder.at('out'), '--panel', 'majority', 'gpt', 'gemini', 'qwen', '--format', 'csv']).toString('utf8'));
    // (9 + 5) / 2 of two sets; ten answers, five of them ties; the third set was not rated by qwen.
    expect(csv).toContain(',domain,3_local,total,7.0,2,2,');
    expect(csv.split('\n').find((line) => line.includes(',domain,3_local,total,'))).toMatch(/,2,2,10,5$/);
    expect(csv.split('\n').find((line) => line.includes(',domain,add,total,'))).toMatch(/,0,1,0,0$/);
    await cell(page, 'm').getByRole('button').click();
    await expect(page.getByTestId('row-panel')).toContainText('gemini, gpt, qwen');
    await expect(page.getByTestId('row-panel')).toContainText(/Requests that all of them answered: 2 of 3/);
    await page.keyboard.press('Escape');
    // The paper's own pair is a choice by its name, as in the tables, and on the command line.
    await judge.selectOption({ label: 'gemini + gpt (mean)' });
    await expect(judge).toHaveValue('.panel:mean(gemini,gpt)');
    const pair = (await exported(page, 'export-csv')).toString('utf8');
    expect(pair).toBe(juror(['score', folder.at('data'), folder.at('out'), '--judge', 'gemini + gpt', '--format', 'csv']).toString('utf8'));
    expect(pair).toContain(',domain,3_local,total,4.75,2,2,');
    await judge.selectOption('all');
    await expect(page).not.toHaveURL(/panel/);
  } finally {
    folder.remove();
  }
});

test('a sample says which scores of a panel were a tie, and none where one answer was in front', async ({ page }) => {
  const folder = new TempFolder();
  try {
    write(folder);
    await openPage(page);
    await openFolders(page, [folder.at('data'), folder.at('out')]);
    await goTo(page, '#/sample/3_local%2F007?judge=panel%3Amajority(gemini,gpt,qwen)');
    const verdict = page.locator('juror-output .verdict');
    await expect(verdict).toHaveCount(1);
    // The request and its five criteria.
    await expect(verdict.getByTestId('tie')).toHaveCount(6);
    await goTo(page, '#/sample/3_local%2F006?judge=panel%3Amajority(gemini,gpt,qwen)');
    await expect(verdict).toContainText('9');
    await expect(verdict.getByTestId('tie')).toHaveCount(0);
  } finally {
    folder.remove();
  }
});
