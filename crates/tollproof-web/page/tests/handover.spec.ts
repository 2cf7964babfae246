// The draft as a person types it over into the website of a provider.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Page } from '@playwright/test';

import { CALLS } from '../src/handover/requests';

import { ADDRESS, expect, open, paste, row, sample, sampleText, score, test } from './fixture';

async function handOver(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Copy field by field' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Field by field into Twilio’s website');
}

function entry(page: Page, label: string) {
  return page.locator('.over').filter({ has: page.getByRole('heading', { name: label, exact: true }) });
}

/** What is in the clipboard, as a person finds out. */
async function pasted(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Paste', exact: true }).click();
  const text = page.getByRole('dialog').getByRole('textbox');
  await text.fill('');
  await page.keyboard.press('Control+V');
  const value = await text.inputValue();
  await page.keyboard.press('Escape');
  return value;
}

for (const clipboard of ['allowed', 'refused'] as const) {
  test(`values are copied in words, by keyboard, with the clipboard ${clipboard}`, async ({ page }) => {
    if (clipboard === 'refused') {
      await page.evaluate(() => (Clipboard.prototype.writeText = () => Promise.reject(new DOMException('refused', 'NotAllowedError'))));
    }
    await open(page, sample('twilio/juniper-stage.json'));
    await handOver(page);
    const type = entry(page, 'Business type');
    await expect(type).toContainText('Non profit');
    await expect(type.locator('.what')).toHaveText('Business type');
    await expect(entry(page, 'Contact, e-mail').locator('.what p')).toHaveText('Business contact email');
    await type.getByRole('button').press('Enter');
    await expect(type.getByRole('button')).toHaveText(/^Copied/);
    await expect(type.getByRole('button')).toBeFocused();
    await expect(page.getByRole('status').filter({ hasText: 'Copied: Business type' })).toBeAttached();
    expect(await pasted(page)).toBe('Non profit');
    await page.getByRole('button', { name: 'Copy all as text' }).click();
    const all = await pasted(page);
    expect(all).toContain('BUSINESS\nBusiness name: Juniper Stage Company, Inc.\nBusiness website: https://www.juniperstage.org\n');
    expect(all).toContain('\nUse cases: Events\n');
  });
}

test('the fields are in the order of the provider, and none of the draft is left out', async ({ page }) => {
  await open(page, sample('twilio/juniper-stage.json'));
  await handOver(page);
  await expect(page.locator('.over .what')).toHaveCount(Object.keys(JSON.parse(sampleText('twilio/juniper-stage.json'))).length);
  const titles = await page.locator('.handover > section > h2').allTextContents();
  expect(titles.slice(0, 5)).toEqual(['Have these ready', 'Business', 'Contact person', 'Use case', 'Messages']);
  await expect(page.locator('.over .badge')).toHaveCount(0);
  await expect(page.locator('.ending')).toHaveCount(0);
  for (const box of await page.locator('.over').getByRole('checkbox').all()) await box.check();
  await expect(page.locator('.progress')).toBeInViewport();
  await expect(page.locator('.ending')).toContainText('submit there');
});

test('what was typed over is ticked off until it changes, and what is missing can be filled in', async ({ page }) => {
  await paste(page, sampleText('twilio/northgate-storage.json'));
  await handOver(page);
  const name = entry(page, 'Business name').getByRole('checkbox');
  await name.check();
  await expect(page.locator('.progress')).toContainText(/^ ?1 of \d+ done$/);
  await expect(entry(page, 'Contact, e-mail')).toContainText('1 error');
  const number = entry(page, 'Registration number');
  await expect(number).toContainText('Missing');
  await expect(number).toContainText('IRS');
  await number.getByRole('button', { name: 'Fill it in' }).click();
  await expect(page.getByLabel('Registration number', { exact: true })).toBeFocused();
  await page.goForward();
  await expect(name).toBeChecked();
  await page.goBack();
  await page.getByLabel('Business name', { exact: true }).fill('Northgate Storage LLC');
  await handOver(page);
  await expect(name).not.toBeChecked();
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('what to attach depends on how people agree, and the draft can be handed to a developer', async ({ page }) => {
  await paste(page, JSON.stringify({ BusinessName: 'Fernhollow Flowers LLC', OptInType: 'VERBAL', UseCaseCategories: ['EVENTS'] }));
  await handOver(page);
  await expect(page.locator('.ready')).toContainText('A picture of the written script');
  await page.locator('.ready').getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Copy JSON' }).click();
  expect(JSON.parse(await pasted(page))).toMatchObject({ BusinessName: 'Fernhollow Flowers LLC', OptInType: 'VERBAL' });
  await expect(page.locator('.ready').getByRole('checkbox').first()).toBeChecked();
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await paste(page, JSON.stringify({ BusinessName: 'Fernhollow Flowers LLC', OptInType: 'WEB_FORM', OptInImageUrls: ['https://www.fernhollowflowers.com/order'] }));
  await handOver(page);
  await expect(page.locator('.ready')).toContainText('The web addresses of your privacy policy');
  await expect(page.locator('.ready')).not.toContainText('A picture');
});

test('a developer gets the request for curl and for the library of the provider', async ({ page }) => {
  await paste(page, JSON.stringify({ BusinessName: "Fern's Flowers LLC", UseCaseCategories: ['EVENTS', 'MARKETING'], AgeGatedContent: false }));
  await handOver(page);
  await page.getByRole('button', { name: 'Copy curl' }).click();
  const curl = await pasted(page);
  expect(curl).toContain(`curl -X POST "https://messaging.twilio.com/v1/Tollfree/Verifications" \\\n  -u "$TWILIO_ACCOUNT_SID:$TWILIO_AUTH_TOKEN"`);
  expect(curl).toContain(`--data-urlencode 'BusinessName=Fern'\\''s Flowers LLC'`);
  expect(curl.match(/UseCaseCategories=/g)).toHaveLength(2);
  await page.getByRole('button', { name: 'Copy Python' }).click();
  expect(await pasted(page)).toContain('    use_case_categories=["EVENTS", "MARKETING"],\n    age_gated_content=False,\n');
  await page.getByRole('button', { name: 'Copy Node' }).click();
  expect(await pasted(page)).toContain(`"businessName": "Fern's Flowers LLC"`);
});

test('requests go where the command line sends them', () => {
  for (const [provider, { url }] of Object.entries(CALLS)) {
    const yaml = readFileSync(fileURLToPath(new URL(`../../../../schemas/${provider}/operations.yaml`, import.meta.url)), 'utf8');
    const path = /^  submit:\n    - call: POST (\S+)/m.exec(yaml)?.[1] ?? '';
    const end = path.replace('{account}', url.match(/\$\w+/)?.[0] ?? '');
    expect(path, provider).not.toBe('');
    expect(yaml, provider).toContain(`url: ${url.slice(0, -end.length)}`);
    expect(url, provider).toMatch(new RegExp(`${end.replace('$', '\\$')}$`));
  }
});

test('from a row of a sheet the way back is the row, and then the table', async ({ page }) => {
  await paste(page, JSON.stringify([JSON.parse(sampleText('twilio/juniper-stage.json')), { BusinessName: 'Fernhollow Flowers LLC' }]));
  await page.getByRole('button', { name: 'Fernhollow Flowers LLC' }).click();
  await handOver(page);
  await expect(entry(page, 'Business name')).toContainText('Fernhollow Flowers LLC');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fernhollow Flowers LLC');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Drafts');
  expect(page.url()).toBe(ADDRESS);
});

test('what is printed can be handed on: where to find what is missing, and no empty parts', async ({ page }) => {
  await paste(page, sampleText('twilio/northgate-storage.json'));
  await handOver(page);
  await page.emulateMedia({ media: 'print' });
  await expect(entry(page, 'Registration number')).toContainText('on the letter with which the IRS gave you the EIN');
  await expect(entry(page, 'Registration number').locator('.about')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'For a developer' })).toBeHidden();
  await expect(page.getByRole('button')).toHaveCount(0);
  await page.emulateMedia({ media: null });
  await page.getByText('Show it').click();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'For a developer' })).toBeVisible();
});

test('a person who types into the website needs no identifier of the number, and is asked for it once', async ({ page }) => {
  const draft = JSON.parse(sampleText('twilio/juniper-stage.json'));
  const name = Object.keys(draft).find((it) => /sid$/i.test(it) && String(draft[it]).startsWith('PN')) as string;
  await paste(page, JSON.stringify({ ...draft, [name]: '+1 833 472 6150' }));
  const finding = page.locator('.finding').filter({ hasText: 'is a phone number' });
  await expect(finding).toBeVisible();
  const before = await score(page, 'Errors');
  await finding.getByRole('button', { name: 'I choose the number on Twilio’s website' }).click();
  await expect(finding).toHaveCount(0);
  expect(await score(page, 'Errors')).toBe(before - 1);
  await expect(page.getByText('so the phone number is enough here').first()).toBeVisible();

  await page.getByRole('button', { name: 'A program sends the draft' }).click();
  await expect(finding).toBeVisible();
  expect(await score(page, 'Errors')).toBe(before);

  await handOver(page);
  const number = page.locator('.over').filter({ hasText: '+1 833 472 6150' });
  await expect(number).toContainText('1 error');
  await number.getByRole('button', { name: 'I choose the number on Twilio’s website' }).click();
  await expect(number).not.toContainText('1 error');
  await expect(page.getByText('The provider needs the identifier of the number in place of the phone number.')).toBeVisible();
  await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
  await expect(number).toContainText('1 error');

  // Another wrong identifier stays an error for everybody.
  await paste(page, JSON.stringify({ ...draft, [name]: 'PN123' }));
  await expect(page.getByRole('button', { name: /I choose the number/ })).toHaveCount(0);
  await expect(page.locator('.finding').filter({ hasText: 'PN123' })).toBeVisible();
});

test('in another language, the English labels of the website are beside those of the page', async ({ page }) => {
  await paste(page, JSON.stringify({ ...JSON.parse(sampleText('twilio/juniper-stage.json')), AgeGatedContent: true }));
  await page.locator('#language').selectOption('es');
  await page.getByRole('button', { name: 'Copiar campo por campo' }).first().click();
  const name = page.locator('.over').filter({ hasText: 'Juniper Stage Company, Inc.' });
  await expect(name.locator('[lang=en]').first()).toHaveText('Business name');
  // What is ticked off stays so, also where a value is shown in words.
  for (const box of await page.locator('.over .box input').all()) await box.check();
  const progress = page.locator('.progress progress');
  const done = await progress.getAttribute('value');
  await page.locator('#language').selectOption('en');
  await expect(name.locator('.what [lang=en]')).toHaveCount(1);
  await expect(progress).toHaveAttribute('value', done ?? '');
});
test('what the documentation of a provider requires is asked for in each language, though its API takes a draft without it', async ({ page }) => {
  const { BusinessType, ...draft } = JSON.parse(sampleText('twilio/juniper-stage.json'));
  expect(BusinessType).toBe('NON_PROFIT');
  await paste(page, JSON.stringify(draft));
  for (const [language, left] of [['fr', '1 champ à remplir'], ['es', '1 campo por completar'], ['en', '1 field to fill in']] as const) {
    await page.locator('#language').selectOption(language);
    await expect(page.locator('#score')).toHaveText(left);
  }
  await page.getByRole('button', { name: 'Go to the next' }).first().click();
  await expect(page.getByLabel('Business type', { exact: true })).toBeFocused();
  await expect(row(page, 'Business type').locator('.label')).toContainText('Required');
  await handOver(page);
  await expect(entry(page, 'Business type')).toContainText('Missing');
});
