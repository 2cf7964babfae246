// Where things are, on wide and narrow screens, and what is said once.

import type { Page } from '@playwright/test';

import { ADDRESS, begin, expect, open, paste, row, sample, sampleText, test } from './fixture';

const BAD = sampleText('twilio/northgate-storage.json');

test('the header is one row also in French, and says beside Save that nothing is kept', async ({ page }) => {
  await page.setViewportSize({ width: 1100, height: 800 });
  await page.locator('#language').selectOption('fr');
  await page.getByLabel('Ville', { exact: true }).fill('Lévis');
  const header = page.locator('header.top');
  await expect(header).toContainText('Non conservé');
  expect((await header.boundingBox())?.height).toBeLessThan(70);
});

test('on a phone the form comes first, keys fit their fields, and fingers find the buttons', async ({ browser }) => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto(ADDRESS);
  await begin(page);
  const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
  expect(await top('#draft input')).toBeLessThan(760);
  await page.getByLabel('City', { exact: true }).fill('Boulder');
  expect(await top('.score')).toBeGreaterThan(await top('#group-other'));
  for (const [label, keyboard] of [['Contact, e-mail', 'email'], ['Business website', 'url'], ['Contact, phone number', 'tel']] as const) {
    await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('inputmode', keyboard);
  }
  await expect(page.getByLabel('Contact, e-mail', { exact: true })).toHaveAttribute('autocapitalize', 'none');
  const heights = await page.locator('button:visible').evaluateAll((all) => all.map((it) => it.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  await page.close();
});

test('on a phone the header has three lines at most, a long address breaks, and drafts of one name are told apart', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const language of ['fr', 'es', 'en']) {
    await page.locator('#language').selectOption(language);
    await page.locator('#draft input').first().fill('Black Swamp Plumbing LLC');
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    expect((await page.locator('header.top').boundingBox())?.height).toBeLessThan(180);
  }
  await page.locator('#language').selectOption('fr');
  await page.evaluate(() => (document.querySelector('.not-kept')!.textContent = 'Réponses non conservées'));
  expect((await page.locator('header.top').boundingBox())?.height).toBeLessThan(180);
  await page.locator('#language').selectOption('en');
  await page.getByRole('button', { name: 'Find a way that passes' }).first().click();
  await page.getByRole('dialog').getByRole('radio').first().check();
  await page.locator('#guide-place').fill(`blackswampplumbing.com/${'x'.repeat(60)}`);
  expect(await page.locator('dialog').evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
  await page.keyboard.press('Escape');
  const rows = [['Montréal', '12 rue Cartier'], ['Montréal', '9 rue Jarry'], ['Laval', '9 rue Jarry']].map(([city, street]) => `Laurier inc.,${city},${street}`);
  await open(page, { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(['Business_Name,City,Business_Addr1', ...rows].join('\n')) });
  await expect(page.locator('tbody th')).toHaveText(['Laurier inc. (Montréal, 12 rue Cartier)', 'Laurier inc. (Montréal, 9 rue Jarry)', 'Laurier inc. (Laval, 9 rue Jarry)']);
});

test('a dialog begins where a person writes or chooses', async ({ page }) => {
  await page.getByRole('button', { name: 'Paste', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Find a way that passes' }).first().click();
  await expect(page.getByRole('dialog').getByRole('radio').first()).toBeFocused();
});

test('a field says once that reviewers need it, and choices have no codes', async ({ page }) => {
  await expect(row(page, 'City').locator('.label')).toContainText('Reviewers need it');
  await expect(row(page, 'City').locator('.about')).not.toContainText('reviewers need it');
  expect(await page.getByLabel('Business type', { exact: true }).locator('option').allTextContents()).not.toContainEqual(expect.stringMatching(/[A-Z]_[A-Z]/));
});

test('people read words, and no names of an API or commands', async ({ page }) => {
  for (const file of ['twilio/northgate-storage.json', 'infobip/alderbrook-dental.json']) {
    for (const language of ['en', 'fr', 'es']) {
      await open(page, sample(file));
      await page.locator('#language').selectOption(language);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await page.locator('.about > p > button').first().waitFor();
      await page.locator('.about > p > button[aria-expanded=false]').evaluateAll((all: HTMLElement[]) => all.forEach((it) => it.click()));
      const texts = (await page.locator('main').innerText()).split('\n').filter((it) => !it.includes('://'));
      expect(texts.filter((it) => /\b[A-Z]{2,}_[A-Z_]+\b|tollproof (read|look|rule)|payload|\bIMPORT\b|required in a/.test(it))).toEqual([]);
    }
  }
  await page.locator('#language').selectOption('en');
});

test('a warning of words leads to a reader', async ({ page }) => {
  await paste(page, BAD);
  const button = page.locator('.finding.warning').getByRole('button', { name: 'Have the texts read' });
  await button.first().click();
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Have the texts read' })).toBeVisible();
});

test('help names only what is there, and a limit and what is required where they count', async ({ page }) => {
  await expect(row(page, 'Privacy policy').locator('.about')).not.toContainText('at the end');
  await page.getByLabel('City', { exact: true }).fill('Boulder');
  await expect(row(page, 'Privacy policy').locator('.about')).toContainText('“Look as reviewers do” at the end has a text for it.');
  await expect(page.getByRole('heading', { name: 'Look as reviewers do' })).toBeVisible();
  const country = row(page, 'Registration country').locator('.label');
  await expect(country).not.toContainText('Required');
  await page.getByLabel('Business type', { exact: true }).selectOption('A privately owned company');
  await expect(country).toContainText('Required');
  await page.getByRole('button', { name: 'Ask for what is missing' }).first().click();
  await expect(page.getByRole('textbox', { name: 'Ask for what is missing' })).toHaveValue(/Privacy policy/);
  await expect(page.getByRole('textbox', { name: 'Ask for what is missing' })).not.toHaveValue(/at the end|SID|Toll-free number\n/);
  await page.keyboard.press('Escape');
  await page.locator('#provider').selectOption('bandwidth');
  for (const more of await row(page, 'State or province').locator('.about button').all()) await more.click();
  await expect(row(page, 'State or province')).not.toContainText('500');
});

test('a section is done when nothing is said about it, and the verdict counts once', async ({ page }) => {
  await page.getByLabel('Business name', { exact: true }).fill('Fernhollow Flowers');
  await page.getByLabel('City', { exact: true }).fill('Boulder');
  await expect(row(page, 'Business name').locator('.finding.info')).toBeVisible();
  await expect(page.locator('.contents .done')).toHaveCount(0);
  await expect(page.locator('.score').getByText(/fields to fill in/)).toHaveCount(1);
});

test('a fix says what it did, and in one draft of a sheet only its own are applied', async ({ page }) => {
  await paste(page, BAD);
  await page.getByRole('button', { name: 'Write “+15152778164”' }).click();
  await expect(page.locator('.notice')).toHaveText(/^Done: Write “\+15152778164”\./);
  await open(page, sample('bulk-csv/clients-with-mistakes.csv'));
  const fixes = async () => Number(/\d+/.exec((await page.getByRole('button', { name: /^Apply \d+ safe/ }).textContent()) ?? '')?.[0]);
  await expect(page.locator('.totals')).toContainText('with errors');
  const all = await fixes();
  await openWithFixes(page);
  expect(await fixes()).toBeLessThan(all);
});

test('the box of the verdict has no button of the header again before there is nothing left', async ({ page }) => {
  await paste(page, sampleText('twilio/juniper-stage.json'));
  await expect(page.locator('.score').getByRole('button')).toHaveText(['Have the texts read', 'Go to the next']);
});

/** Opens the first row that has a fix without a change of meaning. */
async function openWithFixes(page: Page): Promise<void> {
  for (const name of await page.locator('tbody th button').all()) {
    await name.click();
    if ((await page.getByRole('button', { name: /^Apply \d+ safe/ }).count()) > 0) return;
    await page.getByRole('button', { name: /^← All/ }).click();
  }
}

test('in Spanish, examples say that they are', async ({ page }) => {
  await page.locator('#language').selectOption('es');
  await page.locator('#group-use-case .about button').first().click();
  await expect(page.locator('#group-use-case .example').first()).toHaveText(/^Ejemplo: /);
});
