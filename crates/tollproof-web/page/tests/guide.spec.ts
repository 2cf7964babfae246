// For people who have no opt-in yet: a way to agree, whose texts pass.

import { expect, leaveField, paste, row, sampleText, score, tasks, test } from './fixture';

const PLACES = {
  'A form on your website': ['The address of the page with the form', 'https://www.juniperstage.org/seats'],
  'On the phone': ['The number that customers call', '505-982-3647'],
  'They text you a word': ['Where the sign is: the page or the street address', '418 Agua Fria Street, Santa Fe'],
  'On paper': ['Where people fill in the form', 'our box office, 418 Agua Fria Street, Santa Fe'],
  'At the counter': ['Where the counter is', '418 Agua Fria Street, Santa Fe'],
} as const;

const TYPES = ['WEB_FORM', 'VERBAL', 'VIA_TEXT', 'PAPER_FORM', 'VERBAL'];

for (const [at, [way, [place, where]]] of Object.entries(PLACES).entries()) {
  test(`the texts of a way pass the rules: ${way}`, async ({ page }) => {
    await paste(page, sampleText('twilio/juniper-stage.json'));
    await page.locator('#group-opt-in').getByRole('button', { name: 'Find a way that passes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: way }).check();
    await dialog.getByLabel('What are the texts about?').fill('changes of the event that you booked');
    if (way === 'They text you a word') await dialog.getByLabel('The word, such as JOIN').fill('STAGE');
    await dialog.getByLabel(place).fill(where);
    if (way === 'On the phone') await dialog.getByLabel('The page that shows that number').fill('www.juniperstage.org/contact');
    const texts = await dialog.locator('.example-text').allTextContents();
    expect(texts.join('\n')).not.toMatch(/[[\]]/);
    await dialog.getByRole('button', { name: 'Choose this way' }).click();
    await expect(page.getByLabel('Opt-in type')).toHaveValue(TYPES[at] ?? '');
    // What a person wrote is replaced only after a question.
    const description = page.getByLabel('Additional information', { exact: true });
    const before = await description.inputValue();
    await expect(description).toBeFocused();
    await row(page, 'Additional information').getByRole('button', { name: 'Use this text' }).click();
    await expect(description).toHaveValue(before);
    await row(page, 'Additional information').getByRole('button', { name: 'Replace' }).click();
    await expect(description).toHaveValue(texts.at(-1) ?? '');
    await expect(description).toBeFocused();
    // HELP and the confirmation have a text of the way, too.
    for (const name of ['Answer to HELP', 'Opt-in confirmation']) {
      await page.getByLabel(name, { exact: true }).fill('');
      await row(page, name).getByRole('button', { name: 'Use this text' }).click();
      await expect(page.getByLabel(name, { exact: true })).toHaveValue(/^Juniper Stage: /);
    }
    // The summary of the way is offered where a person has written none.
    await page.getByLabel('Use case summary').fill('');
    await row(page, 'Use case summary').getByRole('button', { name: 'Use this text' }).click();
    await expect(page.getByLabel('Use case summary')).toHaveValue(/^Juniper Stage sends its customers text messages about changes of the event that they booked\. Customers agree /);
    expect(await page.locator('.finding:is(.error, .warning)').allTextContents()).toEqual([]);
    await expect(page.locator('.finding').filter({ hasText: 'name different ways to agree' })).toHaveCount(0);
    expect((await score(page, 'Errors')) + (await score(page, 'Warnings'))).toBe(0);
    // What is in the field is not shown below it again.
    await expect(row(page, 'Additional information').locator('.example')).toHaveCount(0);
  });
}

for (const [code, topic, consent] of [
  ['fr', 'vos rendez-vous et vos factures', 'Répondez STOP pour arrêter'],
  ['es', 'sus citas y facturas', 'Responda STOP para darse de baja'],
] as const) {
  test(`what customers read is in their language, and passes in an English description: ${code}`, async ({ page }) => {
    await paste(page, sampleText('twilio/juniper-stage.json'));
    for (const [way, [place, where]] of Object.entries(PLACES)) {
      await page.locator('#group-opt-in').getByRole('button', { name: 'Find a way that passes' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', { name: way }).check();
      await dialog.getByLabel('The language in which your customers read').selectOption(code);
      await dialog.getByLabel('What are the texts about?').fill(topic);
      await dialog.getByLabel('The same in English').fill('your appointments and invoices');
      if (way === 'They text you a word') await dialog.getByLabel('The word, such as JOIN').fill('STAGE');
      await dialog.getByLabel(place).fill(where);
      if (way === 'On the phone') await dialog.getByLabel('The page that shows that number').fill('www.juniperstage.org/contact');
      expect(await dialog.locator(`.example-text[lang=${code}]`).allTextContents()).toEqual([expect.stringContaining(consent), expect.anything(), expect.stringContaining(consent)]);
      const description = (await dialog.locator('.example-text[lang=en]').last().textContent()) ?? '';
      expect(description).toMatch(/^Customers .*\((in French|in Spanish)\)/);
      expect(description.length, description).toBeLessThanOrEqual(500);
      // The policy and the terms say where to get help.
      for (const text of await dialog.locator(`.example-text[lang=${code}]`).allTextContents().then((all) => all.slice(1))) expect(text).toMatch(/@juniperstage\.org|505-982-3647/);
      await dialog.getByRole('button', { name: 'Choose this way' }).click();
      await row(page, 'Additional information').getByRole('button', { name: 'Use this text' }).click();
      await row(page, 'Additional information').getByRole('button', { name: 'Replace' }).click();
      await expect(row(page, 'Additional information').getByRole('textbox')).toHaveValue(description);
      await page.getByLabel('Use case summary').fill('');
      await row(page, 'Use case summary').getByRole('button', { name: 'Use this text' }).click();
      await expect(page.getByLabel('Use case summary')).toHaveValue(/text messages about their appointments and invoices\. Customers agree /);
      await score(page, 'Errors');
      expect(await page.locator('.finding:is(.error, .warning)').allTextContents(), way).toEqual([]);
      // The sentence is at the question as well, to copy.
      await expect(tasks(page).filter({ hasText: consent }).first()).toContainText(topic);
    }
  });
}

test('a web address gets its scheme, a topic is one purpose, and the way is there when the dialog opens again', async ({ page }) => {
  await paste(page, sampleText('twilio/juniper-stage.json'));
  const open = () => page.locator('#group-opt-in').getByRole('button', { name: 'Find a way that passes' }).click();
  await open();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'A form on your website' }).check();
  const topic = dialog.getByLabel('What are the texts about?');
  await topic.fill('your orders and our offers');
  await expect(dialog).toContainText('These are two purposes');
  await expect(dialog.locator('.example-text').first()).toContainText('about […]');
  await topic.fill('offers on shoes and your appointments');
  await expect(dialog).toContainText('These are two purposes');
  await topic.fill('les commandes prêtes et les spéciaux de la semaine');
  await expect(dialog).toContainText('These are two purposes');
  // A list of what is advertised is one.
  await topic.fill('les promotions sur les semelles et orthèses');
  await expect(dialog).not.toContainText('These are two purposes');
  await topic.fill('your appointments and invoices');
  await expect(dialog).not.toContainText('These are two purposes');
  await dialog.getByLabel('The address of the page with the form').fill('www.juniperstage.org/seats');
  await expect(dialog.locator('.example-text').last()).toContainText('at https://www.juniperstage.org/seats ');
  await page.keyboard.press('Escape');
  await open();
  await expect(topic).toHaveValue('your appointments and invoices');
});

test('the texts for the website are copied without those of the draft, and the summary is in English', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await paste(page, sampleText('twilio/juniper-stage.json'));
  await page.getByLabel('Business name', { exact: true }).fill('Juniper Arts LLC');
  await page.getByLabel('Trade name', { exact: true }).fill('Juniper Stage');
  await page.locator('#group-opt-in').getByRole('button', { name: 'Find a way that passes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'At the counter' }).check();
  await dialog.getByLabel('The language in which your customers read').selectOption('es');
  await dialog.getByLabel('What are the texts about?').fill('sus citas');
  await dialog.getByLabel('The same in English').fill('las citas');
  await expect(dialog).toContainText('This is not in English.');
  await dialog.getByRole('button', { name: 'Copy all for whoever keeps the website' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('that part must go');
  expect(copied).toContain('Juniper Stage es un nombre comercial de Juniper Arts LLC.');
  expect(copied).not.toMatch(/Customers agree/);
  await dialog.getByLabel('The same in English').fill('your appointments');
  await expect(dialog).not.toContainText('This is not in English.');
  await expect(dialog.locator('.example-text[lang=en]').first()).toHaveText(/about their appointments\. Customers agree in person/);
  // Who is asked for the picture gets the texts as well.
  await dialog.getByLabel('Where the counter is').fill('418 Agua Fria Street, Santa Fe');
  await dialog.getByRole('button', { name: 'Choose this way' }).click();
  await page.getByRole('textbox', { name: 'Opt-in images 1' }).fill('');
  await leaveField(page);
  await page.getByRole('button', { name: 'Ask for what is missing' }).first().click();
  const letter = page.getByRole('textbox', { name: 'Ask for what is missing' });
  await expect(letter).toHaveValue(/¿Acepta recibir mensajes de texto de Juniper Stage sobre sus citas\?/);
  await expect(letter).not.toHaveValue(/Customers agree/);
});

test('a text of the page fits its field, and French elides before a name', async ({ page }) => {
  await page.locator('#provider').selectOption('bandwidth');
  await page.getByLabel('Business name', { exact: true }).fill("Optométrie et lunetterie des Quatre-Vents de la Mauricie inc.");
  await page.locator('#group-opt-in').getByRole('button', { name: 'Find a way that passes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'A form on your website' }).check();
  await dialog.getByLabel('The language in which your customers read').selectOption('fr');
  await dialog.getByLabel('What are the texts about?').fill('les rendez-vous et les lunettes qui sont prêtes');
  await dialog.getByLabel('The address of the page with the form').fill('https://www.optoquatrevents.ca/prendre-rendez-vous');
  await expect(dialog.locator('.example-text').first()).toContainText('J’accepte qu’Optométrie');
  const text = (await dialog.locator('.example-text').last().textContent()) ?? '';
  expect(text.length, text).toBeLessThanOrEqual(500);
  expect(text).toMatch(/de l’aide\."$/);
});

test('on the phone, no page is a picture of the script', async ({ page }) => {
  await paste(page, sampleText('twilio/juniper-stage.json'));
  const address = 'https://www.juniperstage.org/contact';
  await page.getByLabel('Additional information', { exact: true }).fill(`Customers call by phone: 505-982-3647, see ${address}.`);
  await page.getByRole('textbox', { name: 'Opt-in images 1' }).fill(address);
  const picture = tasks(page).filter({ hasText: 'is it a picture of' }).filter({ hasText: address });
  await page.getByLabel('Opt-in type').selectOption('WEB_FORM');
  await expect(picture).toHaveCount(0);
  await page.getByLabel('Opt-in type').selectOption('VERBAL');
  await expect(picture).toContainText('the written script');
});

test('the page with the box is that of the description, and not one of other texts', async ({ page }) => {
  await page.locator('#provider').selectOption('telnyx');
  await page.getByLabel('Opt-in description', { exact: true }).fill('Customers order at www.colmadorivera.com/pedidos and may tick a box.');
  await page.getByLabel('Additional information', { exact: true }).fill('Our terms are at https://www.colmadorivera.com/condiciones.');
  await expect(tasks(page).filter({ hasText: 'https://www.colmadorivera.com/pedidos' })).toHaveCount(1);
  await expect(tasks(page).filter({ hasText: 'condiciones' })).toHaveCount(0);
  await page.locator('#provider').selectOption('twilio');
  await page.getByLabel('Opt-in type').selectOption('WEB_FORM');
  await page.getByLabel('Additional information', { exact: true }).fill('Customers may tick a box when they order.');
  await leaveField(page);
  await expect(tasks(page).filter({ hasText: 'Your description has no address of the page' })).toHaveCount(1);
});

test('a sample that begins with another name than the draft is asked about', async ({ page }) => {
  const sender = tasks(page).filter({ hasText: 'The sample begins with' });
  await page.getByLabel('Business name', { exact: true }).fill('Quillbrook Bakery LLC');
  await page.getByLabel('Sample message', { exact: true }).fill('Quillbrook Bakery: your order is ready. Reply STOP to opt out.');
  await leaveField(page);
  await expect(sender).toHaveCount(0);
  await page.getByLabel('Sample message', { exact: true }).fill('Quillbrook Sweets: your order is ready. Reply STOP to opt out.');
  await leaveField(page);
  await expect(sender).toContainText('Quillbrook Sweets');
  await sender.getByRole('radio', { name: 'No' }).check();
  await expect(sender).toContainText('If customers know you as Quillbrook Sweets, write that into the field “Trade name” instead.');
});

test('a name with a legal form is the legal name, and customers read it without the form', async ({ page }) => {
  await page.reload();
  await page.getByRole('button', { name: 'Find a way that passes' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'On the phone' }).check();
  await dialog.getByLabel('Business', { exact: true }).fill('Marlow Plumbing LLC');
  await expect(dialog).toContainText('texts from Marlow Plumbing about');
  await dialog.getByRole('button', { name: 'Choose this way' }).click();
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Marlow Plumbing LLC');
  await expect(page.getByLabel('Trade name', { exact: true })).toHaveValue('');
});

test('who has no page finds a way on the first screen, and the help follows it', async ({ page }) => {
  await page.reload();
  await page.getByRole('button', { name: 'Find a way that passes' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'On the phone' }).check();
  await dialog.getByLabel('Business', { exact: true }).fill('Marlow & Sons');
  await expect(dialog).toContainText('Do you agree to texts from Marlow & Sons about […]?');
  await expect(dialog).toContainText('Beside each phone');
  await dialog.getByRole('button', { name: 'Choose this way' }).click();
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('');
  await expect(page.getByLabel('Trade name', { exact: true })).toHaveValue('Marlow & Sons');
  await expect(page.getByLabel('Opt-in type')).toHaveValue('VERBAL');
  await expect(page.locator('.score')).toContainText('Not read yet');
  await expect(row(page, 'Opt-in images')).toContainText('take a screenshot or photo of the written script');
  const description = row(page, 'Additional information');
  await description.getByRole('button', { name: 'Fill in what is in brackets' }).click();
  await dialog.getByLabel('What are the texts about?').fill('repairs');
  await dialog.getByLabel('The number that customers call').fill('505-982-3647');
  await dialog.getByLabel('The page that shows that number').fill('www.marlowandsons.com/contact');
  await dialog.getByRole('button', { name: 'Choose this way' }).click();
  await description.getByRole('button', { name: 'Use this text' }).click();
  await expect(description.getByRole('textbox')).toHaveValue(/Do you agree to texts from Marlow & Sons about repairs\?.* Without a noted yes, no texts\./);
  // What the description says of the number is looked at.
  await expect(tasks(page).filter({ hasText: 'does it show the number 505-982-3647?' })).toContainText('https://www.marlowandsons.com/contact');
  await description.getByRole('button', { name: 'Undo' }).click();
  await expect(description.getByRole('textbox')).toHaveValue('');
  await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
  await expect(tasks(page).filter({ hasText: 'read on every call' })).toHaveCount(1);
  await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Quillbrook Bakery LLC');
});

test('the address of the form that was chosen is that of the website, and of the look at it', async ({ page }) => {
  await page.getByRole('button', { name: 'Find a way that passes' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'A form on your website' }).check();
  await dialog.getByLabel('The address of the page with the form').fill('www.marlowandsons.com/contact');
  await dialog.getByRole('button', { name: 'Choose this way' }).click();
  await expect(page.getByLabel('Business website', { exact: true })).toHaveValue('https://www.marlowandsons.com');
  await expect(tasks(page).filter({ hasText: 'https://www.marlowandsons.com/contact' })).toHaveCount(1);
  await expect(tasks(page).filter({ hasText: 'has no address of the page' })).toHaveCount(0);
});

test('on a phone, a notice does not cover the field that it is about', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const isClear = () =>
    page.evaluate(() => {
      const place = document.activeElement?.closest('.field')?.getBoundingClientRect();
      const notice = document.querySelector('.notice')?.getBoundingClientRect();
      return place !== undefined && notice !== undefined && place.top >= 0 && place.bottom <= notice.top;
    });
  await page.getByRole('button', { name: 'Find a way that passes' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'At the counter' }).check();
  await dialog.getByLabel('Business', { exact: true }).fill('La Ceiba Boutique');
  await dialog.getByLabel('What are the texts about?').fill('orders');
  await dialog.getByLabel('Where the counter is').fill('418 Agua Fria Street, Santa Fe');
  await dialog.getByRole('button', { name: 'Choose this way' }).click();
  await expect.poll(isClear).toBe(true);
  await row(page, 'Additional information').getByRole('button', { name: 'Use this text' }).click();
  await expect(page.locator('.notice')).toContainText('The text is in the field.');
  await expect.poll(isClear).toBe(true);
  const sample = page.getByLabel('Sample message', { exact: true });
  await sample.fill('La Ceiba Boutique: your order is ready.');
  await row(page, 'Sample message').getByRole('button', { name: /^Add “/ }).first().click();
  await expect(page.locator('.notice')).toContainText('Done:');
  await expect.poll(isClear).toBe(true);
});
