// What is sent to others: the list of what is missing, and the report.

import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';

import { expect, leaveField, open, paste, sample, sampleText, tasks, test } from './fixture';

/** The list of what is missing, in a language. */
async function list(page: Page, language: string): Promise<string> {
  const text = page.getByRole('textbox', { name: 'Ask for what is missing' });
  if (!(await text.isVisible())) await page.getByRole('button', { name: 'Ask for what is missing' }).first().click();
  await page.getByRole('dialog').getByLabel('Language').selectOption(language);
  await expect(text).toHaveAttribute('lang', { English: 'en', Français: 'fr', Español: 'es' }[language] ?? '');
  return text.inputValue();
}

/** What a client does not understand: field names, values of lists, ids of rules, options. */
const TECHNICAL = /\b[a-z]+[A-Z]\w+|\b[A-Z]+_[A-Z_]+\b|`|--\w|\bJSON\b|\bYAML\b|\bAPI\b|^\W*[a-z-]+\/[a-z-]+\W*$/m;

for (const [language, hello, missing, wrong, example] of [
  ['English', 'Hello,', 'Where to find it: in the United States', 'is a free e-mail provider', 'Choose from: '],
  ['Français', 'Bonjour,', 'Où le trouver\u00a0: aux États-Unis', 'est un service de courriel gratuit', 'Au choix\u00a0: '],
  ['Español', 'Buenos días:', 'Dónde encontrarlo: en Estados Unidos', 'es un proveedor de correo gratuito', 'Elija entre: '],
] as const) {
  test(`what is missing is asked for in ${language}, and the page stays in its own`, async ({ page }) => {
    const draft = JSON.parse(sampleText('twilio/northgate-storage.json'));
    delete draft.optInType;
    await paste(page, JSON.stringify(draft));
    const before = await page.locator('main').innerText();
    const text = await list(page, language);
    for (const part of ['Northgate Storage Partners LLC\n\n', hello, missing, wrong, example, 'northgatestorage@gmail.com']) expect(text).toContain(part);
    expect(text).not.toMatch(TECHNICAL);
    expect(await page.locator('main').innerText()).toBe(before);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('dialog').getByRole('button', { name: 'Download' }).click()]);
    expect(download.suggestedFilename()).toBe('northgate-storage-partners-llc-questions.txt');
    expect(readFileSync(await download.path(), 'utf8')).toBe(text);
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Paste', exact: true }).click();
    await page.getByRole('dialog').getByRole('textbox').focus();
    await page.keyboard.press('Control+V');
    await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue(text);
  });
}

test('every provider asks in plain words', async ({ page }) => {
  const names = await page.getByLabel('Provider', { exact: true }).locator('option').allTextContents();
  expect(names.length).toBeGreaterThan(8);
  const found: string[] = [];
  const asked = new Set<string>();
  for (const name of names) {
    await page.getByLabel('Provider', { exact: true }).selectOption(name);
    await page.locator('.marked > :is(input, textarea)').first().fill('Fernhollow Flowers LLC');
    await leaveField(page);
    // An update requires nothing.
    if ((await page.locator('.score').getByRole('button', { name: 'Ask for what is missing' }).count()) === 0) continue;
    asked.add(name);
    for (const language of ['English', 'Français', 'Español']) {
      const text = await list(page, language);
      expect(text, name).toContain('1. ');
      found.push(...text.split('\n').filter((it) => TECHNICAL.test(it)).map((it) => `${name}, ${language}: ${it}`));
    }
    await page.keyboard.press('Escape');
  }
  expect(asked.size).toBeGreaterThan(8);
  expect(found).toEqual([]);
});

test('a sheet is one letter for each client, without those of others', async ({ page }) => {
  await open(page, sample('bulk-csv/clients-with-mistakes.csv'));
  await expect(page.locator('.totals')).toContainText('with errors');
  const names = await page.locator('tbody th').allTextContents();
  const badges = await page.locator('tbody tr').evaluateAll((rows) => rows.map((it) => it.querySelectorAll('.badge').length > 0));
  const letters = (await list(page, 'English')).split(/\n\n_+\n\n/);
  const open_ = names.filter((_, at) => badges[at]);
  expect(letters.map((it) => it.split('\n')[0])).toEqual([...new Set(open_)]);
  for (const letter of letters) {
    expect(letter).toContain('\nHello,\n');
    const others = names.filter((it) => it !== letter.split('\n')[0] && letter.includes(it));
    expect(others).toEqual([]);
  }
  await page.keyboard.press('Escape');
  await page.locator('tbody').getByRole('button').first().click();
  expect((await list(page, 'English')).match(/^Hello,$/gm)).toHaveLength(1);
});

test('a clean draft has nothing to ask for', async ({ page }) => {
  await open(page, sample('twilio/juniper-stage.json'));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ask for what is missing' }).click();
  await expect(page.getByRole('dialog')).toContainText('Nothing is missing, and nothing has to change.');
  await expect(page.getByRole('dialog').getByRole('textbox')).toHaveCount(0);
});

/** Saves the report in a language, and opens it where scripts do not run. `requests` is what the report asked for beside itself. */
async function report(page: Page, browser: Browser, path: string, language = 'English', options: Parameters<Browser['newPage']>[0] = {}) {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Report to send (HTML)').check();
  await dialog.getByLabel('Language').selectOption(language);
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download' }).click()]);
  await download.saveAs(path);
  const opened = await (await browser.newContext({ javaScriptEnabled: false, ...options })).newPage();
  const requests: string[] = [];
  opened.on('request', (it) => requests.push(it.url()));
  await opened.goto(`file://${path}`);
  return { opened, name: download.suggestedFilename(), requests: requests.filter((it) => it !== `file://${path}`) };
}

test('a report has verdict, date, counts, boxes and findings by business, errors first', async ({ page, browser }, info) => {
  await open(page, sample('bulk-csv/clients-with-mistakes.csv'));
  await expect(page.locator('.totals')).toContainText('with errors');
  const badges = await page.locator('tbody .badge.error').allTextContents();
  const errors = badges.reduce((sum, it) => sum + Number(it), 0);
  const { opened, name, requests } = await report(page, browser, info.outputPath('r.html'));
  expect(name).toBe('clients-with-mistakes-report.html');
  expect(requests).toEqual([]);
  await expect(opened).toHaveTitle(`clients-with-mistakes.csv: ${errors} errors to fix`);
  await expect(opened.getByRole('heading', { level: 1 })).toHaveText(await opened.title());
  await expect(opened.locator('header')).toContainText(String(new Date().getFullYear()));
  await expect(opened.getByRole('checkbox')).toHaveCount(6);
  await expect(opened.locator('article.error')).toHaveCount(errors);
  const groups = await opened.locator('section').evaluateAll((all) => all.map((it) => [...it.querySelectorAll('article')].map((one) => one.className)));
  const order = ['error', 'warning', 'info'];
  for (const group of groups) expect(group).toEqual(group.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
  const counts = groups.map((it) => it.filter((severity) => severity === 'error').length);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  await expect(opened.locator('mark').first()).not.toBeEmpty();
  // Neither rules nor options nor names of an API.
  expect(await opened.locator('body').innerText()).not.toMatch(/\b[a-z]+\/[a-z]+-[a-z]+\b(?<!https?:.*)|--\w/);
  await opened.close();
});

test('drafts without errors are listed, and what was ticked off is', async ({ page, browser }, info) => {
  const good = JSON.parse(sampleText('twilio/juniper-stage.json'));
  await paste(page, JSON.stringify([good, { ...good, BusinessWebsite: 'juniper' }]));
  const two = await report(page, browser, info.outputPath('two.html'));
  await expect(two.opened.getByRole('heading', { name: 'Drafts without errors' })).toBeVisible();
  await expect(two.opened.getByRole('listitem').filter({ hasText: 'Juniper Stage Company, Inc. Row 1' })).toBeVisible();
  await two.opened.close();
  await paste(page, JSON.stringify(good));
  await tasks(page).first().getByRole('radio', { name: 'Yes' }).check();
  const one = await report(page, browser, info.outputPath('one.html'));
  await expect(one.opened.getByRole('heading', { level: 1 })).toHaveText(/^Juniper Stage Company, Inc\.: The page found nothing. Now have the texts read/);
  await expect(one.opened.locator('input[checked]')).toHaveCount(1);
  await one.opened.close();
});

test('hostile texts of a draft and of a file name are text in the report and in the list', async ({ page, browser }, info) => {
  const hostile = `</title></style></script><img src="https://evil.example/x" onerror="alert(1)"><svg onload=alert(1)>\u202e\u2066"'&amp;`;
  const draft = JSON.parse(sampleText('twilio/northgate-storage.json'));
  for (const key of Object.keys(draft)) draft[key] = Array.isArray(draft[key]) ? [hostile] : hostile;
  draft[`<b>${hostile}`] = hostile;
  // Slashes cannot be in the name of a file.
  const name = `<img src=x onerror=alert(1)>\u202e&lt;.json`;
  await open(page, { name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify([draft, draft])) });
  await expect(page.locator('.totals')).toContainText('with errors');
  for (const language of ['English', 'Français', 'Español']) {
    const { opened, requests } = await report(page, browser, info.outputPath('hostile.html'), language, { javaScriptEnabled: true });
    expect(requests).toEqual([]);
    await expect(opened.locator('article').first()).toBeVisible();
    await expect(opened.locator('img, svg, script, iframe, [onerror], [onload], style ~ style')).toHaveCount(0);
    expect(await opened.locator('body').innerText()).toContain('<img src="https://evil.example/x" onerror="alert(1)">');
    await expect(opened).toHaveTitle(/^<img src=x onerror=alert\(1\)>�&lt;\.json/);
    expect(readFileSync(info.outputPath('hostile.html'), 'utf8')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(await opened.locator('body').innerText()).toContain('�');
    await opened.close();
  }
  expect(await list(page, 'English')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});

test('a report is in the language of its reader', async ({ page, browser }, info) => {
  await paste(page, sampleText('twilio/northgate-storage.json'));
  const before = await page.locator('main').innerText();
  const { opened } = await report(page, browser, info.outputPath('fr.html'), 'Français');
  await expect(opened.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(opened.getByRole('heading', { level: 1 })).toHaveText(/^Northgate Storage Partners LLC\u00a0: \d+ erreurs à corriger$/);
  await expect(opened.locator('article').filter({ hasText: 'service de courriel gratuit' })).toContainText('Courriel du contact');
  await expect(opened.locator('mark', { hasText: 'gmail.com' })).toBeVisible();
  expect(await page.locator('main').innerText()).toBe(before);
  await opened.close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1100]) {
    test(`the report passes axe and fits the screen (${colorScheme}, ${width} px)`, async ({ page, browser }, info) => {
      await open(page, sample('bulk-csv/clients-with-mistakes.csv'));
      await expect(page.locator('.totals')).toContainText('with errors');
      const look = { javaScriptEnabled: true, bypassCSP: true, colorScheme, viewport: { width, height: 900 } };
      const { opened } = await report(page, browser, info.outputPath('r.html'), 'Español', look);
      const { violations } = await new AxeBuilder({ page: opened }).analyze();
      expect(violations.map((it) => `${it.id}: ${it.nodes[0]?.target} ${it.nodes[0]?.failureSummary}`)).toEqual([]);
      expect(await opened.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await opened.close();
    });
  }
}

test('a report of many drafts says how many findings are left out', async ({ page, browser }, info) => {
  test.setTimeout(180_000);
  const [header = '', ...rows] = sampleText('bulk-csv/clients-with-mistakes.csv').trim().split('\n');
  const many = Array.from({ length: 1_600 }, (_, at) => (rows[at % rows.length] ?? '').replace(/^/, `${at} `));
  await open(page, { name: 'many.csv', mimeType: 'text/csv', buffer: Buffer.from([header, ...many].join('\n')) });
  await expect(page.locator('.totals')).toContainText('with errors', { timeout: 60_000 });
  const { opened } = await report(page, browser, info.outputPath('many.html'));
  await expect(opened.locator('article')).toHaveCount(5_000);
  await expect(opened.getByText(/^[\d,]+ findings are left out\. At most 5,000 are shown, errors first\.$/)).toBeVisible();
  await opened.close();
});

test('a marked workbook has drafts with marks, and findings, in the language of the reader', async ({ page }) => {
  const drafts = ['twilio/northgate-storage.json', 'twilio/juniper-stage.json'].map((it) => JSON.parse(sampleText(it)));
  drafts[1].BusinessName = '<b>&"\u0001';
  await paste(page, JSON.stringify(drafts));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Sheet with findings marked (Excel)').check();
  await dialog.getByLabel('Language').selectOption('Français');
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download' }).click()]);
  expect(download.suggestedFilename()).toMatch(/-marked\.xlsx$/);
  const files = unzipped(readFileSync(await download.path()));
  const marked = files['xl/worksheets/sheet1.xml'] as string;
  const findings = files['xl/worksheets/sheet2.xml'] as string;
  expect(files['xl/workbook.xml']).toContain('name="Constats"');
  expect(marked.match(/<row>/g)).toHaveLength(3);
  expect(marked).toContain('&lt;b&gt;&amp;&quot;\u2401');
  expect(marked).toContain('Nom légal de l’entreprise');
  // The address of a free provider is marked: the look of an error or a warning, with wrapped text.
  const looks = ['plain', 'head', 'error', 'warning', 'info'];
  const [, style] = /<c s="(\d+)" t="inlineStr"><is><t [^>]*>northgatestorage@gmail\.com</.exec(marked) ?? [];
  expect(['error', 'warning']).toContain(looks[Number(style) - looks.length]);
  expect(findings).toContain('est un service de courriel gratuit');
  expect(findings).not.toContain('`');
});

/** The files of an archive that the page wrote, whose local headers have all sizes. */
function unzipped(archive: Buffer): Record<string, string> {
  const files: Record<string, string> = {};
  for (let at = 0; archive.readUInt32LE(at) === 0x04034b50; ) {
    const name = at + 30;
    const data = name + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
    const end = data + archive.readUInt32LE(at + 18);
    files[archive.toString('utf8', name, name + archive.readUInt16LE(at + 26))] = inflateRawSync(archive.subarray(data, end)).toString();
    at = end;
  }
  return files;
}
