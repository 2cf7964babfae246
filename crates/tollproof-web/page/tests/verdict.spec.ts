// What is green is true: words, a reader, and what only a person can see.

import type { Locator, Page } from '@playwright/test';

import { answerAll, expect, open, paste, row, sampleText, tasks, test } from './fixture';

const GOOD = sampleText('twilio/juniper-stage.json');
const verdict = (page: Page) => page.locator('.score').getByRole('heading');

/** The message for an assistant. */
async function message(page: Page): Promise<string> {
  await page.evaluate(() => (Clipboard.prototype.writeText = (text) => Promise.resolve(void Object.assign(window, { copied: text }))));
  await page.getByRole('button', { name: 'Have the texts read' }).click();
  await page.getByRole('button', { name: 'Copy for your assistant' }).click();
  return page.evaluate(() => (window as unknown as { copied: string }).copied);
}

async function use(page: Page, answer: string): Promise<void> {
  await page.getByLabel('2. Paste what came back, all of it.').fill(answer);
  await page.getByRole('button', { name: 'Use the answer' }).click();
}

/** Questions to which "yes" names a defect; of others, "no" does. */
const DEFECTS = /^(first-text-consent|consent-(bundled|implicit|in-agreement|prechecked|third-party)|person-to-person|personal-use)$/;

/** An answer to each question of a message that there is nothing wrong, as chats write it. */
function harmless(message: string, but: Record<string, string> = {}): string {
  const asked = [...message.matchAll(/^- ([a-z-]+): .*\(([^()]+)\)$/gm)].map(([, id = '', choices = '']) => ({ id, offered: choices.split(';')[0]?.split(' / ') ?? [] }));
  expect(asked.length).toBeGreaterThan(15);
  const right = ({ id, offered }: (typeof asked)[number]) => (offered.length > 2 ? offered.at(-1) : DEFECTS.test(id) ? 'no' : 'yes');
  const lines = asked.map((it, at) => `${at + 1}. **${it.id}**: ${but[it.id] ?? right(it)}`);
  return `Of course:\n\n${/^draft \w+$/m.exec(message)?.[0]}\n${lines.join('\n')}\n\nIs there anything else?`;
}

test('a draft is ready when words, a reader and a person have found nothing', async ({ page }) => {
  await paste(page, GOOD);
  await expect(verdict(page)).toHaveText('The page found nothing. Now have the texts read');
  await answerAll(page, 'Yes');
  await expect(verdict(page)).toHaveText('The page found nothing. Now have the texts read');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('not the answers to questions');
  await page.keyboard.press('Escape');
  const asked = await message(page);
  expect(asked).toContain('Write one line for each question');
  expect(asked).not.toContain(JSON.parse(GOOD).BusinessContactEmail);
  await use(page, 'I think it is fine.');
  await expect(page.getByRole('alert').first()).toContainText('No answers were found');
  await use(page, harmless(asked).replace(/draft \w+/, 'draft 0123456789ab'));
  await expect(page.getByRole('alert').first()).toContainText('about another text');
  await use(page, harmless(asked, { 'consent-prechecked': 'no “not in the draft”' }));
  await expect(page.getByRole('alert').first()).toContainText('1 answer cannot be used');
  await expect(page.getByRole('alert').first()).toContainText('consent-prechecked: the quote is not in the texts of the question.');
  await use(page, harmless(asked));
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(verdict(page)).toHaveText('Ready to send');
  await expect(page.locator('.score')).toHaveClass(/clean/);
  // It is in view also for who answers the last question at the foot of the page, and says what comes next.
  await tasks(page).last().getByRole('button', { name: 'No answer' }).click();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await tasks(page).last().getByRole('radio', { name: 'Yes', exact: true }).check();
  await expect(verdict(page)).toHaveText('Ready to send');
  await expect.poll(() => verdict(page).evaluate((it) => document.elementFromPoint(it.getBoundingClientRect().x + 5, it.getBoundingClientRect().y + 5) === it)).toBe(true);
  await expect(page.locator('.score')).toContainText('Copy it field by field into Twilio’s website, and submit it there.');

  await tasks(page).first().getByRole('button', { name: 'No answer' }).click();
  await expect(tasks(page).first().getByRole('radio', { checked: true })).toHaveCount(0);
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
  await use(page, harmless(await message(page), { 'consent-prechecked': 'yes “unchecked by default”' }));
  await expect(page.getByRole('dialog')).toBeHidden();
  const finding = page.locator('.finding').filter({ hasText: 'Read by an assistant.' });
  await expect(finding.first()).toBeVisible();
  await expect(row(page, 'Additional information')).toContainText('this control agrees for the customer');
  await open(page, { name: 'readings.ndjson', mimeType: 'text/plain', buffer: Buffer.from('{"id":"0","version":1,"at":"2026-11-20T08:00:00Z","reader":"r","answers":{}}') });
  await expect(page.locator('.notice')).toContainText('Opened the answers of a reader about 1 draft.');
  await expect(finding.first()).toBeVisible();
});

test('the last words of an assistant are no answer, and what a reader finds is counted as its own', async ({ page }) => {
  await paste(page, GOOD);
  const asked = await message(page);
  const last = [...asked.matchAll(/^- ([a-z-]+): /gm)].at(-1)?.[1] ?? '';
  const text = harmless(asked, { 'consent-prechecked': 'yes “unchecked by default”' }).replace('Is there anything else?', 'Note: the words “not in the draft” may need “another look”.');
  expect(text).toContain(`${last}**: `);
  await use(page, text);
  await expect(page.getByRole('dialog')).toBeHidden();
  const [words, reader] = [page.locator('.score dd').nth(0), page.locator('.score dd').nth(1)];
  await expect(words).toHaveText('Nothing found');
  await expect(reader).toHaveText(/1 (error|warning)/);
});

test('answers that are not used yet are there when the dialog opens again, until the draft changes', async ({ page }) => {
  await paste(page, GOOD);
  await page.getByRole('button', { name: 'Have the texts read' }).click();
  await page.getByText('No assistant? Answer the questions here').click();
  const form = page.locator('.own-answers form');
  await page.getByRole('button', { name: 'Use my answers' }).click();
  await expect(form.getByRole('alert')).toHaveText('Answer at least one question first.');
  const first = form.locator('.task').first().getByRole('radio', { name: 'Yes', exact: true });
  await first.check();
  await expect(form).toContainText(/1 of \d+ answered/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Have the texts read' }).click();
  await expect(first).toBeChecked();
  await page.keyboard.press('Escape');
  await page.getByLabel('City', { exact: true }).fill('Taos');
  await page.getByRole('button', { name: 'Have the texts read' }).click();
  await page.getByText('No assistant? Answer the questions here').click();
  await expect(first).not.toBeChecked();
});

test('a part of the answers is used, and all of them stay in sight and can be changed', async ({ page }) => {
  await paste(page, GOOD);
  await page.getByRole('button', { name: 'Have the texts read' }).click();
  await page.getByText('No assistant? Answer the questions here').click();
  const form = page.locator('.own-answers form');
  const questions = form.locator('.task');
  const all = await questions.count();
  const [first, sample] = [questions.filter({ hasText: 'Is the first text sent to people' }), questions.filter({ hasText: 'Is the sample message' })];
  const answer = (question: Locator, name: string) => question.getByRole('radio', { name, exact: true });
  const use = page.getByRole('button', { name: 'Use my answers' });
  for (const question of [first, sample]) await answer(question, 'Yes').check();
  await first.getByLabel('Which words show it?').selectOption({ index: 1 });
  await use.click();
  await expect(form.getByRole('status')).toHaveText(`2 of ${all} used, ${all - 2} left`);
  await expect(questions).toHaveCount(all);
  await answer(first, 'No').check();
  await sample.getByRole('button', { name: 'No answer' }).click();
  await use.click();
  await expect(form.getByRole('status')).toHaveText(`1 of ${all} used, ${all - 1} left`);
  await page.keyboard.press('Escape');
  const reader = page.locator('.score dd').nth(1).getByRole('button');
  await expect(reader).toHaveText(`1 of ${all} answered`);
  await reader.click();
  await expect(answer(first, 'No')).toBeChecked();
  await expect(answer(sample, 'Yes')).not.toBeChecked();
  await expect(form.getByRole('checkbox').first()).toHaveAccessibleName(/^Missing: /);
  await expect(form.getByRole('checkbox').last()).toHaveAccessibleName('All told');
});

test('the next step leads from errors to questions, and the bar of a phone always has it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const bar = page.locator('.status-bar');
  const draft = JSON.parse(GOOD);
  await paste(page, JSON.stringify({ ...draft, BusinessContactPhone: '505-982-3647', BusinessWebsite: 'www.juniperstage.org', TermsAndConditionsUrl: 'www.juniperstage.org/text-terms' }));
  await bar.getByRole('button', { name: 'Go to the next' }).click();
  await expect(page.getByLabel('Business website', { exact: true })).toBeFocused();
  await paste(page, GOOD);
  await tasks(page).first().getByRole('radio', { name: 'No', exact: true }).check();
  await bar.getByRole('button', { name: 'Go to the next' }).click();
  await expect(tasks(page).nth(1).getByRole('radio', { name: 'Yes', exact: true })).toBeFocused();
  await answerAll(page, 'Yes');
  await bar.getByRole('button', { name: 'Have the texts read' }).click();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1400, height: 900 });
  await use(page, harmless(await message(page)));
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(bar.getByRole('button', { name: 'Copy field by field' })).toBeVisible();
});

test('the verdict says that there are notes, and an invented draft is never ready to send', async ({ page }) => {
  await paste(page, JSON.stringify({ ...JSON.parse(GOOD), BusinessName: 'Juniper Stage' }));
  await expect(verdict(page)).toHaveText(/^No errors, \d+ notes?$/);
  await page.reload();
  await page.getByRole('button', { name: 'Add “https://”' }).click();
  await page.getByLabel('Sample message', { exact: true }).fill('Quillbrook Bakery: your cake is ready. Reply STOP to opt out.');
  await answerAll(page, 'Yes');
  await use(page, harmless(await message(page)));
  await expect(verdict(page)).toHaveText('The example passes');
  await expect(page.locator('.score')).not.toHaveClass(/clean/);
});

test('the questions are about this draft, and a no says what to do', async ({ page }) => {
  await paste(page, GOOD);
  const draft = JSON.parse(GOOD);
  const all = (await tasks(page).allTextContents()).join('\n');
  for (const said of [draft.BusinessWebsite, draft.PrivacyPolicyUrl, draft.BusinessName, draft.OptInImageUrls[0]]) expect(all).toContain(said);
  const link = tasks(page).first().getByRole('link', { name: draft.BusinessWebsite });
  await expect(link).toHaveAttribute('href', draft.BusinessWebsite);
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  const privacy = tasks(page).filter({ hasText: draft.PrivacyPolicyUrl });
  await expect(privacy.locator('legend')).toHaveText(/This text would do, if all of it is true:$/);
  await privacy.getByRole('radio', { name: 'Yes' }).check();
  await expect(privacy.locator('legend')).toHaveText(/not given to others, with nothing that says otherwise, such as sharing data with partners\?$/);
  await privacy.getByRole('radio', { name: 'No', exact: true }).check();
  // A sentence about sharing stays wrong beside the sentence that would do.
  await expect(privacy.locator('.otherwise')).toContainText('If the policy says that data is shared or sold, adding is not enough');
  await page.getByRole('combobox', { name: 'Opt-in type' }).selectOption('VERBAL');
  await expect(tasks(page).filter({ hasText: 'read on every call' })).toHaveCount(1);
  await expect(tasks(page).filter({ hasText: 'a picture of the written script' })).toHaveCount(1);
});

test('a yes holds for the names and addresses that the question shows, in each language', async ({ page }) => {
  await paste(page, JSON.stringify({ ...JSON.parse(GOOD), DoingBusinessAs: 'Juniper Stage' }));
  await answerAll(page, 'Yes');
  const all = await tasks(page).count();
  await page.locator('#language').selectOption('fr');
  await expect(tasks(page).getByRole('radio', { checked: true })).toHaveCount(all);
  await page.locator('#language').selectOption('en');
  await page.getByLabel('Trade name', { exact: true }).fill('Cedar Hall');
  const site = tasks(page).filter({ hasText: 'show the names Cedar Hall and' });
  await expect(site).toHaveCount(1);
  await expect(site.getByRole('radio', { checked: true })).toHaveCount(0);
  await expect(tasks(page).last().getByRole('radio', { checked: true })).toHaveCount(0);
  // The picture and the terms show the name too.
  await expect(tasks(page).getByRole('radio', { checked: true })).toHaveCount(all - 4);
});

test('a person answers the questions on the page, and chooses the words that show a defect', async ({ page }) => {
  await paste(page, GOOD);
  await page.getByRole('button', { name: 'Have the texts read' }).click();
  await page.getByText('No assistant? Answer the questions here').click();
  const form = page.locator('.own-answers form');
  const questions = form.locator('.task');
  await expect(form).toContainText(JSON.parse(GOOD).UseCaseSummary);
  await expect(form).not.toContainText('WEB_FORM');
  for (const question of await questions.all()) {
    const ask = (await question.locator('legend').textContent()) ?? '';
    const options = question.getByRole('radio').or(question.getByRole('checkbox'));
    if ((await options.count()) > 2) await options.last().check();
    else await question.getByRole('radio', { name: /already on|only a part|no act of consent|not agreed to texts yet|write texts to each other|private use|separate purposes|somebody other/.test(ask) ? 'No' : 'Yes', exact: true }).check();
  }
  const ticked = questions.filter({ hasText: 'already on' });
  await ticked.getByRole('radio', { name: 'Yes', exact: true }).check();
  await page.getByRole('button', { name: 'Use my answers' }).click();
  await expect(form.getByRole('alert')).toContainText('Choose the words that show your answer');
  await ticked.getByLabel('Which words show it?').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Use my answers' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.locator('.finding').filter({ hasText: 'Read by a person.' }).first()).toBeVisible();
  await expect(page.locator('.score')).not.toContainText('Not read yet');
});

test('an address that is not at the domain of the website is looked for there, and a button says where it is', async ({ page }) => {
  await paste(page, GOOD);
  const look = tasks(page).filter({ hasText: 'does it show the address' });
  await expect(look).toHaveCount(0);
  await paste(page, JSON.stringify({ ...JSON.parse(GOOD), BusinessContactEmail: 'juniperstage@gmail.com' }));
  await expect(look).toContainText('juniperstage@gmail.com');
  const more = page.getByLabel('Additional information', { exact: true });
  const before = await more.inputValue();
  await row(page, 'Contact, e-mail').getByRole('button', { name: 'Add “The e-mail address juniperstage@gmail.com is shown on our website.”' }).click();
  await expect(more).toHaveValue(`${before} The e-mail address juniperstage@gmail.com is shown on our website.`);
  await expect(row(page, 'Contact, e-mail').locator('.finding.info')).toHaveCount(1);
  await expect(look).toHaveCount(1);
  // What a person has seen is no note.
  await look.getByRole('radio', { name: 'Yes' }).check();
  await expect(row(page, 'Contact, e-mail').locator('.finding')).toHaveCount(0);
});

test('the message is in the language of the page', async ({ page }) => {
  await paste(page, GOOD);
  await page.getByLabel('Language').selectOption('fr');
  await page.evaluate(() => (Clipboard.prototype.writeText = (text) => Promise.resolve(void Object.assign(window, { copied: text }))));
  await page.getByRole('button', { name: 'Faire lire les textes' }).click();
  await page.getByRole('button', { name: 'Copier pour votre assistant' }).click();
  const asked = await page.evaluate(() => (window as unknown as { copied: string }).copied);
  expect(asked).toMatch(/^Ci-dessous, une entreprise explique/);
  expect(asked).toContain('Le résumé dit-il qui envoie quel type de messages à qui ?');
});

/** The update request of a draft with fields left out. */
const change = (without: string[]) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(GOOD)).filter(([name]) => ![...without, 'TollfreePhoneNumberSid', 'CustomerProfileSid', 'ExternalReferenceId'].includes(name))));

test('a change says once what stays as it was first sent, and asks whether that was right', async ({ page }) => {
  await paste(page, change(['UseCaseCategories', 'OptInType', 'NotificationEmail', 'BusinessRegistrationCountry']));
  await page.locator('#kind').selectOption('update-request');
  const kept = 'Notification e-mail, Use cases, Opt-in type, Registration country';
  await expect(page.locator('.score')).toContainText(`An empty field stays as it was first sent: ${kept}.`);
  await expect(row(page, 'Registration country')).not.toContainText('Required');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Registration' })).not.toContainText('Done');
  const question = tasks(page).filter({ hasText: 'Are these right in the rejected request' });
  await expect(question).toContainText(kept);
  await question.getByRole('radio', { name: 'No', exact: true }).check();
  await expect(verdict(page)).toHaveText('1 thing to put right');
  await question.getByRole('button', { name: 'Go to “Opt-in type”' }).click();
  await expect(page.getByLabel('Opt-in type')).toBeFocused();
  await page.getByLabel('Opt-in type').selectOption('VERBAL');
  await expect(page.locator('.score')).not.toContainText('Opt-in type');
  // A first submission has to have them.
  await page.locator('#kind').selectOption('submit-request');
  await expect(question).toHaveCount(0);
  await expect(row(page, 'Registration country')).toContainText('Required unless “Business type” is “One person without a company”.');
});

test('a change that replaces the whole submission needs what the first one needed', async ({ page }) => {
  await paste(page, GOOD);
  await page.locator('#provider').selectOption('bandwidth');
  await page.locator('#field-2f-useCase').fill('Events & Planning');
  await page.locator('#kind').selectOption('update-request');
  await page.getByLabel('Registration country', { exact: true }).fill('');
  await page.getByLabel('Entity type', { exact: true }).selectOption('');
  await expect(row(page, 'Entity type')).toContainText('Entity type is missing');
  await expect(row(page, 'Registration country').locator('.finding.warning')).toHaveCount(1);
  await expect(verdict(page)).toHaveText('1 error to fix');
  await expect(page.locator('.score')).not.toContainText('An empty field stays');
});

test('all drafts of a table are read with one message, which has the same texts once', async ({ page }) => {
  const draft = JSON.parse(GOOD);
  const other = JSON.parse(GOOD.replaceAll('Juniper Stage', 'Alder Stage'));
  const drafts = [draft, { ...draft, TollfreePhoneNumberSid: `PN${'3'.repeat(32)}` }, { ...other, TollfreePhoneNumberSid: `PN${'4'.repeat(32)}` }];
  await open(page, { name: 'drafts.json', mimeType: '', buffer: Buffer.from(JSON.stringify(drafts)) });
  const asked = await message(page);
  const parts = asked.split(/(?=^A business explains below)/m);
  expect(parts).toHaveLength(2);
  await expect(page.getByRole('dialog').getByText('No assistant?')).toHaveCount(0);
  await use(page, parts[0] === undefined ? '' : harmless(parts[0]));
  await expect(page.getByRole('alert').first()).toContainText('Some questions have no answer');
  await use(page, parts.map((it) => harmless(it)).join('\n\n'));
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.locator('tbody .first b')).toHaveText([/^Read, nothing found/, /^Read, nothing found/, /^(Read, nothing found|No errors)/]);
});

test('a look at the same page is answered in all drafts that ask the same', async ({ page }) => {
  const draft = JSON.parse(GOOD);
  const drafts = [draft, { ...draft, TollfreePhoneNumberSid: `PN${'3'.repeat(32)}` }, { ...draft, BusinessName: 'Alder Stage LLC' }];
  await open(page, { name: 'drafts.json', mimeType: '', buffer: Buffer.from(JSON.stringify(drafts)) });
  await page.locator('tbody button').first().click();
  await answerAll(page, 'Yes');
  const answered = page.locator('.score dd').last();
  const all = (await tasks(page).count()).toString();
  await expect(answered).toHaveText(`${all} of ${all} answered`);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(answered).toHaveText(`${all} of ${all} answered`);
  await tasks(page).last().getByRole('button', { name: 'No answer' }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  // The site and the legal name are asked about with the name of the business.
  await expect(answered).toHaveText(`${Number(all) - 3} of ${all} answered`);
});

test('the table says how far each draft is, and the next one that is not ready is one click', async ({ page }) => {
  const draft = JSON.parse(GOOD);
  const drafts = [draft, { ...draft, TollfreePhoneNumberSid: `PN${'3'.repeat(32)}`, PrivacyPolicyUrl: `${draft.PrivacyPolicyUrl}-2`, TermsAndConditionsUrl: `${draft.TermsAndConditionsUrl}-2` }, { ...draft, BusinessPostalCode: '1' }];
  await open(page, { name: 'drafts.json', mimeType: '', buffer: Buffer.from(JSON.stringify(drafts)) });
  const states = page.locator('tbody .first b');
  await expect(states).toHaveText(['The page found nothing. Now have the texts read', 'The page found nothing. Now have the texts read', '2 errors to fix']);
  await expect(page.locator('.totals')).toHaveText('3 drafts · 1 with errors · 0 ready to send · Checked for Twilio.');
  const next = page.getByRole('button', { name: 'Next draft that is not ready' });
  await next.click();
  await expect(page.getByText('1 of 3')).toBeVisible();
  await use(page, harmless(await message(page)));
  await answerAll(page, 'Yes');
  await expect(verdict(page)).toHaveText('Ready to send');
  await page.getByRole('button', { name: 'All 3 drafts' }).click();
  await expect(states).toHaveText(['Ready to send', /^Read, nothing found\. \d+ questions for you$/, '2 errors to fix']);
  await expect(page.locator('.totals')).toContainText('1 ready to send');
  // On a phone, the state is beside the name.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(states.first()).toBeInViewport();
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.locator('tbody button').first().click();
  await next.click();
  await expect(page.getByText('2 of 3')).toBeVisible();
});

test('the number of an earlier submission is left out of a change, and kept and shown', async ({ page }) => {
  const number = JSON.parse(GOOD).TollfreePhoneNumberSid;
  await paste(page, GOOD);
  await page.locator('#kind').selectOption('update-request');
  await expect(page.locator('.notice')).toContainText('Twilio does not take this with “Change of an earlier submission”, so it is kept and left out of the request:');
  await expect(page.locator('.notice li')).toHaveText([/Toll-free number/]);
  await expect(page.locator('.finding.error')).toHaveCount(0);
  const aside = page.locator('.start').getByText(/^Kept, and not sent with this request: /);
  await expect(aside).toContainText(number);
  await page.getByRole('button', { name: 'Copy field by field' }).first().click();
  await expect(aside).toContainText(number);
  await expect(page.locator('pre')).not.toContainText(number);
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await page.locator('#kind').selectOption('submit-request');
  await expect(aside).toHaveCount(0);
  await expect(row(page, 'Toll-free number').locator('input').first()).toHaveValue(number);
  await page.locator('#kind').selectOption('update-request');
  await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('#kind')).toHaveValue('submit-request');
  await expect(row(page, 'Toll-free number').locator('input').first()).toHaveValue(number);
});

test('a yes about a policy is open until its address is in the draft', async ({ page }) => {
  for (const [provider, file] of [['telnyx', 'telnyx/ambleside-animal-hospital.json'], ['twilio', 'twilio/juniper-stage.json']] as const) {
    await paste(page, sampleText(file));
    await expect(page.locator('#provider')).toHaveValue(provider);
    for (const label of [/^Privacy policy/, /^Terms/]) await page.locator('#group-links').getByLabel(label).fill('');
    await page.getByLabel('Additional information', { exact: true }).fill('Customers ask at the counter.');
    await answerAll(page, 'Yes');
    const open = tasks(page).filter({ hasText: 'Write its address into the draft: reviewers open it.' });
    await expect(open).toHaveCount(2);
    await expect(page.locator('.score dd').last()).toHaveText(/^(\d+) of \d+ answered$/);
    const [, done, all] = /(\d+) of (\d+)/.exec((await page.locator('.score dd').last().textContent()) ?? '') ?? [];
    expect(Number(all) - Number(done)).toBe(2);
    await open.last().getByRole('button', { name: /^Go to “Terms/ }).click();
    await page.keyboard.insertText('https://www.juniperstage.org/text-terms');
    await expect(open).toHaveCount(1);
  }
});

test('what reviewers read is asked for in English, and what it quotes is not', async ({ page }) => {
  await paste(page, GOOD);
  const question = tasks(page).filter({ hasText: 'Not in English: Use case summary.' });
  const summary = page.getByLabel('Use case summary');
  await summary.fill('El teatro Juniper Stage avisa de cambios a las personas que reservaron una entrada para su evento.');
  await expect(row(page, 'Use case summary')).toContainText('Most reviewers read English: write this in English');
  await expect(question).toHaveCount(1);
  await question.getByRole('radio', { name: 'No', exact: true }).check();
  await expect(question).toContainText('quote what customers read as it is shown');
  await summary.fill('Juniper Stage tells people who booked a seat about changes: “El evento de su entrada cambia: la nueva hora es a las 8 de la tarde, con el mismo asiento.”');
  await expect(question).toHaveCount(0);
  await expect(row(page, 'Use case summary')).not.toContainText('Most reviewers');
  await summary.fill('Le garage et son atelier : la même personne répond des deux.');
  await expect(row(page, 'Use case summary')).toContainText('Most reviewers');
  await summary.fill('Texts from Los Angeles, Las Vegas.');
  await expect(row(page, 'Use case summary')).not.toContainText('Most reviewers');
});

test('a reason that no rule checks has no page to open', async ({ page }) => {
  await paste(page, GOOD);
  await page.getByRole('button', { name: 'Explain a rejection' }).click();
  await page.getByLabel('Paste what came back').fill('Rejected by Twilio:\n- The moon was in the wrong house when your business name was typed\n- The sample message does not say STOP.');
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.locator('.finding.advice').filter({ hasText: 'does not understand' }).first()).toBeVisible();
  await expect(page.locator('.finding.advice').filter({ hasText: 'does not understand' }).getByRole('button', { name: /^Why/ })).toHaveCount(0);
});

test('a reason of a field that was not changed is done after one question, and answers no other, in every language', async ({ page }) => {
  await paste(page, GOOD);
  // A rejection is news: what was said before it is asked again.
  await tasks(page).filter({ hasText: 'does this privacy policy say' }).getByRole('radio', { name: 'Yes', exact: true }).check();
  await page.getByRole('button', { name: 'Explain a rejection' }).click();
  await page.getByLabel('Paste what came back').fill('Rejected by Twilio:\n- Privacy policy mentions sharing opt-in data\n- The sample message does not say STOP.');
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  await page.keyboard.press('Escape');
  const part = page.locator('.score dl > div').nth(2);
  await expect(part).toContainText('0 of 2 reasons settled');
  const question = tasks(page).filter({ hasText: 'does this privacy policy say' });
  const box = row(page, 'Privacy policy').locator('.advice').getByRole('checkbox', { name: /^Done/ });
  const section = page.getByRole('navigation').getByRole('link', { name: 'Links' });
  await expect(section).not.toContainText('Done');
  const asked = row(page, 'Privacy policy').getByRole('group', { name: /has not changed since the rejection\. Is this settled elsewhere/ });
  await box.click();
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(box).not.toBeChecked();
  await expect(box).toBeFocused();
  await box.click();
  await asked.getByRole('button', { name: 'Done' }).click();
  await expect(box).toBeChecked();
  await expect(part).toContainText('1 of 2 reasons settled');
  await expect(section).toContainText('Done');
  await expect(question.getByRole('radio', { checked: true })).toHaveCount(0);
  await box.uncheck();
  await expect(part).toContainText('0 of 2 reasons settled');
  // A yes to the question about the page settles the reason.
  await question.getByRole('radio', { name: 'Yes', exact: true }).check();
  await expect(box).toBeChecked();
  await question.getByRole('radio', { name: 'No', exact: true }).check();
  await expect(box).not.toBeChecked();
  await expect(part).toContainText('0 of 2 reasons settled');
  await question.getByRole('radio', { name: 'Yes', exact: true }).check();
  const sample = page.getByLabel('Sample message', { exact: true });
  await sample.fill(`${await sample.inputValue()} Thank you.`);
  await row(page, 'Message').locator('.advice').getByRole('checkbox', { name: /^Done/ }).first().check();
  await expect(part).toContainText('2 of 2 reasons settled');
  await page.locator('#language').selectOption('es');
  await expect(page.locator('.advice').first()).toContainText('La respuesta dice');
  await expect(part).toContainText('2 de 2 motivos');
});
