// What the page leaves: drafts in the browser's storage until they are cleared, and nothing else.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { END, expect, FILE, paste, sampleText, test } from './fixture';

test('a draft survives a reload until it is cleared', async ({ page, context }) => {
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.getByLabel('Business name', { exact: true }).fill('Fernhollow Flowers LLC');
  await page.getByLabel('City').fill('Boulder');
  await page.reload();
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Fernhollow Flowers LLC');
  await expect(page.getByLabel('City')).toHaveValue('Boulder');

  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('button', { name: 'Clear everything' }).click();
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  await page.reload();
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('');
});

test('ticks and the provider survive a reload', async ({ page }) => {
  await paste(page, sampleText('telnyx/ambleside-animal-hospital.json'));
  await page.locator('#to-check').getByRole('checkbox').first().check();
  await page.reload();
  await expect(page.locator('#provider')).toHaveValue('telnyx');
  await expect(page.locator('#to-check').getByRole('checkbox').first()).toBeChecked();
});

test('what others wrote into the storage does not break the page', async ({ page }) => {
  for (const text of ['{', '{"drafts":[null]}', '{"drafts":["x"],"view":"sheet","position":-1}', '[]', '7']) {
    await page.evaluate((text) => {
      localStorage.setItem('tollproof.session', text);
      localStorage.setItem('tollproof.draft.x', '{"id":"x"}');
    }, text);
    await page.reload();
    await expect(page.getByLabel('Business name', { exact: true })).toBeVisible();
  }
});

test('the policy of the page forbids every connection', async ({ page }) => {
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'none'");
  expect(policy).not.toMatch(/https?:|unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')/);
  expect(await page.locator('script[src], link[href]:not([href^="data:"]), img[src^="http"]').count()).toBe(0);
});

/** How many bytes the page may have, compressed, and the part of it that must arrive before it works. */
const LIMITS = { page: 1_700_000, first: 1_500_000 };

test('the page is not larger than it may be, compressed', () => {
  const html = readFileSync(FILE, 'utf8');
  const size = (text: string) => gzipSync(text, { level: 9 }).length;
  expect(html).toContain(END);
  expect(size(html)).toBeLessThan(LIMITS.page);
  expect(size(html.slice(0, html.indexOf(END)))).toBeLessThan(LIMITS.first);
});
