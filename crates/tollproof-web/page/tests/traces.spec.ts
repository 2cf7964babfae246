// What the page leaves: drafts in the browser's storage if a person asks for it, and nothing else.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';

import { ADDRESS, begin, expect, FILE, KEEP, open, paste, sampleText, tasks, test } from './fixture';

test('the page leaves nothing, and a reload warns, until a person asks it to keep drafts', async ({ page }) => {
  await page.getByLabel('Business name', { exact: true }).fill('Fernhollow Flowers LLC');
  await page.locator('#language').selectOption('es');
  await page.locator('#language').selectOption('en');
  expect(await stored(page)).toEqual([]);
  await expect(page.locator('.keeping')).toContainText('Not kept: they are gone when you close or reload this page.');
  await expect(page.locator('.keeping')).toContainText('so can other files that you open in it');
  const asked = await reload(page);
  expect(asked).toBe(true);
  await begin(page);
});

test('drafts that are kept survive a reload until they are cleared', async ({ page, context }) => {
  await page.getByLabel('Business name', { exact: true }).fill('Fernhollow Flowers LLC');
  await page.getByLabel(KEEP).check();
  await page.getByLabel('City').fill('Boulder');
  await expect(page.locator('.keeping')).toContainText(/Kept until .*, or until you clear them/);
  expect(await reload(page)).toBe(false);
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Fernhollow Flowers LLC');
  await expect(page.getByLabel('City')).toHaveValue('Boulder');

  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('button', { name: 'Clear everything' }).click();
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('');
  expect(await stored(page)).toEqual([]);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  await page.reload();
  await begin(page);
});

test('answers and the provider survive a reload, and not that drafts are kept no more', async ({ page }) => {
  await paste(page, sampleText('telnyx/ambleside-animal-hospital.json'));
  await page.getByLabel(KEEP).check();
  const no = tasks(page).first().getByRole('radio', { name: 'No', exact: true });
  await no.check();
  await page.reload();
  await expect(page.locator('#provider')).toHaveValue('telnyx');
  await expect(no).toBeChecked();
  await page.getByLabel(KEEP).uncheck();
  expect(await stored(page)).toEqual([]);
  await page.reload();
  await begin(page);
  await expect(page.locator('#to-check')).toHaveCount(0);
});

test('answers survive in a file, and the header says what is kept', async ({ page }, info) => {
  await paste(page, sampleText('twilio/juniper-stage.json'));
  const header = page.locator('header.top');
  await expect(header).toContainText('Not kept');
  const no = tasks(page).first().getByRole('radio', { name: 'No', exact: true });
  await no.check();
  await page.getByRole('button', { name: 'Have the texts read' }).click();
  await page.getByText('No assistant? Answer the questions here').click();
  await page.locator('.own-answers .task').first().getByRole('radio', { name: 'Yes', exact: true }).check();
  await page.getByRole('button', { name: 'Use my answers' }).click();
  await page.keyboard.press('Escape');
  const reader = page.locator('.score dd').nth(1);
  await expect(reader).toHaveText(/^1 of \d+ answered/);
  const read = await reader.textContent();
  const save = async (format?: string) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    if (format !== undefined) await dialog.getByLabel(format, { exact: true }).check();
    const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download' }).click()]);
    const path = info.outputPath(download.suggestedFilename());
    await download.saveAs(path);
    return path;
  };
  await save('JSON');
  await expect(header).toContainText('Answers not kept');
  await expect(page.locator('.keeping')).toContainText('The drafts are in a file, and the answers are not');
  const path = await save();
  expect(path).toMatch(/juniper-stage-company-inc\.tollproof\.json$/);
  await expect(header).not.toContainText(/not kept/i);
  await expect(page.locator('.keeping')).toContainText('All of this is in a file');
  expect(await reload(page)).toBe(false);
  await begin(page);
  await expect(tasks(page)).toHaveCount(0);
  await open(page, path);
  await expect(no).toBeChecked();
  await expect(page.locator('#provider')).toHaveValue('twilio');
  await expect(reader).toHaveText(read ?? '');
  await expect(header).not.toContainText(/not kept/i);
  await tasks(page).nth(1).getByRole('radio', { name: 'Yes', exact: true }).check();
  await expect(header).toContainText('Answers not kept');
});

test('the answer of a provider and what is done of it survive in a file', async ({ page }, info) => {
  await paste(page, sampleText('twilio/juniper-stage.json'));
  await page.getByLabel('Sample message', { exact: true }).fill('Juniper Stage: doors open at 6.');
  await page.getByRole('button', { name: 'Explain a rejection' }).click();
  await page.getByLabel('Paste what came back').fill('Rejected by Twilio:\n- The sample message does not say STOP.\n- Privacy policy mentions sharing opt-in data\n- The registration number is missing');
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  await page.getByRole('dialog').getByRole('checkbox').last().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('Escape');
  await page.getByLabel('Sample message', { exact: true }).fill('Juniper Stage: doors open at 6. Reply STOP to opt out.');
  const part = page.locator('.score dl > div').nth(2);
  await expect(part).toContainText('2 of 3 reasons settled');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('dialog').getByRole('button', { name: 'Download' }).click()]);
  const path = info.outputPath('a.tollproof.json');
  await download.saveAs(path);
  expect(await reload(page)).toBe(false);
  await begin(page);
  await open(page, path);
  await expect(part).toContainText('2 of 3 reasons settled');
  await expect(page.locator('header.top')).not.toContainText(/not kept/i);
  await page.getByRole('button', { name: 'Explain a rejection' }).click();
  await expect(page.getByLabel('Paste what came back')).toHaveValue(/^Rejected by Twilio/);
});

test('what others wrote into a file with answers does not break the page', async ({ page }) => {
  const draft = (more: object) => JSON.stringify({ tollproof: 1, provider: 'twilio', readings: [7], drafts: [{ value: { BusinessName: 'Fernhollow Flowers LLC' }, ...more }, null, { value: 7 }] });
  for (const more of [{ answers: [1] }, { answers: { a: 'x' }, ticked: 'x', visited: [{}] }, { optIn: { way: 7 } }, { optIn: { way: 'x', business: '', topic: '', place: '', word: '' } }, { optIn: { way: 'phone', business: '', topic: '', place: '', word: '', source: 7, language: 'x' } }, { aside: [{ pointer: 7 }, { pointer: '/x', value: 1 }], kind: 'x' }, { rejection: { text: 'Rejected by Twilio: no opt-in', assistant: '', done: [7], refused: 7 } }, { rejection: { text: 7 } }]) {
    await open(page, { name: 'a.tollproof.json', mimeType: '', buffer: Buffer.from(draft(more)) });
    await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Fernhollow Flowers LLC');
    await page.getByLabel('Business name', { exact: true }).fill('');
  }
});

test('a later visit opens what an earlier one kept, for some days', async ({ page, context }) => {
  await page.getByLabel('Business name', { exact: true }).fill('Fernhollow Flowers LLC');
  await page.getByLabel(KEEP).check();
  const later = await context.newPage();
  await later.goto(ADDRESS);
  await later.getByRole('button', { name: 'Fernhollow Flowers LLC' }).click();
  await expect(later.getByLabel('Business name', { exact: true })).toHaveValue('Fernhollow Flowers LLC');
  // Now two tabs have it: the first one says so, and does not write over the other.
  await expect(page.locator('.keeping')).toContainText('also open in another tab');
  await page.getByLabel('City').fill('Denver');
  // Browsers may tell late of what the first tab wrote before.
  await later.evaluate(() => {
    for (const key of Object.keys(localStorage)) dispatchEvent(new StorageEvent('storage', { key, newValue: '{}' }));
  });
  await later.getByLabel('City').fill('Boulder');
  await expect(later.locator('.keeping')).toContainText(/Kept until .*, or until you clear them/);
  await later.reload();
  await expect(later.getByLabel('City')).toHaveValue('Boulder');

  await later.clock.install({ time: Date.now() + 15 * 24 * 60 * 60 * 1000 });
  await later.reload();
  await begin(later);
  expect(await stored(later)).toEqual([]);
});

test('two tabs do not remove or replace each other’s drafts', async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto(ADDRESS);
  await begin(other);
  const write = async (in_: Page, name: string) => {
    await in_.getByLabel('Business name', { exact: true }).fill(name);
    await in_.getByLabel(KEEP).check();
  };
  await write(page, 'Fernhollow Flowers LLC');
  await other.locator('#language').selectOption('fr');
  await other.locator('#language').selectOption('en');
  await write(other, 'Juniper Stage LLC');
  await other.getByRole('button', { name: 'Clear', exact: true }).click();
  await other.getByRole('button', { name: 'Clear everything' }).click();
  await write(other, 'Copper Basin Dental LLC');
  for (const [tab, name] of [[page, 'Fernhollow Flowers LLC'], [other, 'Copper Basin Dental LLC']] as const) {
    await tab.reload();
    await expect(tab.getByLabel('Business name', { exact: true })).toHaveValue(name);
  }
});

test('a sheet that is too large for the browser is not kept in part', async ({ page }) => {
  const rows = Array.from({ length: 1_500 }, (_, at) => `Shop ${at},${'x'.repeat(4_000)}`);
  await open(page, { name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.from(['Business_Name,Use_Case_Summary', ...rows].join('\n')) });
  await page.getByLabel(KEEP).click();
  await expect(page.locator('.keeping')).toContainText('has no room for all of these drafts, so it keeps none');
  await expect(page.getByLabel(KEEP)).not.toBeChecked();
  expect(await stored(page)).toEqual([]);
  await page.reload();
  await begin(page);
});

test('the page works without storage, and says so', async ({ browser }) => {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    const blocked = { get: () => { throw new DOMException('blocked', 'SecurityError'); } };
    Object.defineProperty(window, 'localStorage', blocked);
    Object.defineProperty(window, 'sessionStorage', blocked);
  });
  await page.goto(ADDRESS);
  await page.getByLabel('Business name', { exact: true }).fill('Fernhollow Flowers LLC');
  await expect(page.locator('.keeping').getByRole('status')).toHaveText('This browser does not let the page keep drafts. Save them before you close it.');
  await page.close();
});

test('what others wrote into the storage does not break the page', async ({ page }) => {
  for (const text of ['{', '{"drafts":[null],"saved":9e15,"name":"a"}', '{"drafts":["x"],"saved":9e15,"name":"a","view":"sheet"}', '[]', '7']) {
    await page.evaluate((text) => {
      localStorage.setItem('tollproof.a', text);
      localStorage.setItem('tollproof.a.x', '{"id":"x"}');
      sessionStorage.setItem('tollproof.', 'a');
    }, text);
    await page.reload();
    await expect(page.getByLabel('Business name', { exact: true })).toBeVisible();
  }
});

/** The keys of the page in the browser's storage. */
async function stored(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).filter((it) => it.startsWith('tollproof.')));
}

/** Reloads the page, and returns whether the browser asked before. */
async function reload(page: Page): Promise<boolean> {
  let asked = false;
  page.once('dialog', (it) => {
    asked = it.type() === 'beforeunload';
    void it.accept();
  });
  await page.reload();
  page.removeAllListeners('dialog');
  return asked;
}

test('the policy of the page forbids every connection', async ({ page }) => {
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'none'");
  expect(policy).not.toMatch(/https?:|unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')/);
  expect(await page.locator('script[src], link[href]:not([href^="data:"]), img[src^="http"]').count()).toBe(0);
});

/** How the part of the page begins that only readers of Spanish and French need. */
const LANGUAGES = '<script type="application/x-xz" id="es">';

/** How many bytes the page may have, compressed, and the part of it that must arrive before it works. */
const LIMITS = { page: 2_000_000, first: 1_500_000 };

test('the page is not larger than it may be, compressed', () => {
  const html = readFileSync(FILE, 'utf8');
  const size = (text: string) => gzipSync(text, { level: 9 }).length;
  expect(html).toContain(LANGUAGES);
  expect(size(html)).toBeLessThan(LIMITS.page);
  expect(size(html.slice(0, html.indexOf(LANGUAGES)))).toBeLessThan(LIMITS.first);
});
