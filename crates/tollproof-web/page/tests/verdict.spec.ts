// What is green is true: words, a reader, and what only a person can see.

import type { Page } from '@playwright/test';

import { answerAll, expect, open, paste, row, sampleText, tasks, test } from './fixture';

const GOOD = sampleText('twilio/juniper-stage.json');
const verdict = (page: Page) => page.locator('.score').getByRole('heading');

/** What an assistant is given. */
async function questions(page: Page): Promise<{ fields: Record<string, string>; questions: { ask: { id: string; answers?: string[] }[] }[] }> {
  await page.evaluate(() => (Clipboard.prototype.writeText = (text) => Promise.resolve(void Object.assign(window, { copied: text }))));
  await page.getByRole('button', { name: 'Let an assistant read it' }).click();
  await page.getByRole('button', { name: 'Copy for your assistant' }).click();
  const [task, request] = (await page.evaluate(() => (window as unknown as { copied: string }).copied)).split('\n');
  expect(JSON.parse(task ?? '').task).toContain('Answer with JSON only');
  return JSON.parse(request ?? '');
}

async function use(page: Page, answer: string): Promise<void> {
  await page.getByLabel('2. Paste what it answered.').fill(answer);
  await page.getByRole('button', { name: 'Use the answer' }).click();
}

/** Questions to which "yes" names a defect; of others, "no" does. */
const DEFECTS = /^(first-text-consent|consent-(bundled|implicit|in-agreement|prechecked|third-party)|person-to-person|personal-use)$/;

/** An answer to each question that there is nothing wrong. */
function harmless(request: Awaited<ReturnType<typeof questions>>, but: Record<string, object> = {}): string {
  const right = (id: string, offered: string[] | undefined) => offered?.at(-1) ?? (DEFECTS.test(id) ? 'no' : 'yes');
  const all = request.questions.flatMap(({ ask }) => ask);
  const answers = Object.fromEntries(all.map(({ id, answers }) => [id, but[id] ?? { answer: right(id, answers), quote: '', sure: true }]));
  return `Of course:\n\`\`\`json\n${JSON.stringify({ answers }, null, 2)}\n\`\`\`\n`;
}

test('a draft is ready when words, a reader and a person have found nothing', async ({ page }) => {
  await paste(page, GOOD);
  await expect(verdict(page)).toHaveText('Nothing found by words');
  await answerAll(page, 'Yes');
  await expect(verdict(page)).toHaveText('Nothing found by words');
  const request = await questions(page);
  expect(JSON.stringify(request.fields)).not.toContain(JSON.parse(GOOD).BusinessContactEmail);
  await use(page, 'I think it is fine.');
  await expect(page.getByRole('alert')).toContainText('No answers were found');
  await use(page, harmless(request).replace('"answers"', '"id": "of another draft", "answers"'));
  await expect(page.getByRole('alert')).toContainText('about another text');
  const answer = harmless(request);
  await use(page, answer.replace(/"quote": ""/, '"quote": "not in the draft"'));
  await expect(page.getByRole('alert')).toContainText('1 answer cannot be used');
  await use(page, answer);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(verdict(page)).toHaveText('Ready to send');
  await expect(page.locator('.score')).toHaveClass(/clean/);

  await tasks(page).first().getByRole('radio', { name: 'Not yet' }).check();
  await expect(verdict(page)).toHaveText('Read, nothing found. 1 question for you');
  await tasks(page).first().getByRole('radio', { name: 'No', exact: true }).check();
  await expect(verdict(page)).toHaveText('1 thing to put right');
  await expect(tasks(page).first()).toContainText('Finish the website first');
  await page.getByRole('button', { name: 'Go to the next' }).first().click();
  await expect(tasks(page).first().getByRole('radio', { name: 'No', exact: true })).toBeFocused();
  await answerAll(page, 'Yes');

  // An answer is about what the draft said; another text is not read.
  const text = page.getByLabel('Additional information', { exact: true });
  await text.fill(`${await text.inputValue()} Guests may also ask at the door.`);
  await expect(verdict(page)).not.toHaveText('Ready to send');
});

test('what a reader finds is a finding, and readings of a file are used', async ({ page }) => {
  await paste(page, GOOD);
  const request = await questions(page);
  await use(page, harmless(request, { 'consent-prechecked': { answer: 'yes', quote: 'unchecked by default', sure: true } }));
  await expect(page.getByRole('dialog')).toBeHidden();
  const finding = page.locator('.finding').filter({ hasText: 'Read by assistant.' });
  await expect(finding.first()).toBeVisible();
  await expect(row(page, 'Additional information')).toContainText('this control agrees for the customer');
  await open(page, { name: 'readings.ndjson', mimeType: 'text/plain', buffer: Buffer.from('{"id":"0","version":1,"at":"2026-11-20T08:00:00Z","reader":"r","answers":{}}') });
  await expect(page.locator('.notice')).toContainText('Opened the answers of a reader about 1 draft.');
  await expect(finding.first()).toBeVisible();
});

test('the questions are about this draft, and a no says what to do', async ({ page }) => {
  await paste(page, GOOD);
  const draft = JSON.parse(GOOD);
  const all = (await tasks(page).allTextContents()).join('\n');
  for (const said of [draft.BusinessWebsite, draft.PrivacyPolicyUrl, draft.BusinessName, draft.OptInImageUrls[0]]) expect(all).toContain(said);
  await page.getByRole('combobox', { name: 'Opt-in type' }).selectOption('VERBAL');
  await expect(tasks(page).filter({ hasText: 'read on every call' })).toHaveCount(1);
  await expect(tasks(page).filter({ hasText: 'a picture of the written script' })).toHaveCount(1);
});
