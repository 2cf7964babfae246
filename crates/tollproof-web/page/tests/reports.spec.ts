// What is sent to others: the list of what is missing.

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

import { expect, open, paste, sample, sampleText, test } from './fixture';

/** The list of what is missing, in a language. */
async function list(page: Page, language: string): Promise<string> {
  const text = page.getByRole('textbox', { name: 'The list' });
  if (!(await text.isVisible())) await page.getByRole('button', { name: 'Ask for what is missing' }).first().click();
  await page.getByLabel('Language of the text').selectOption(language);
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
