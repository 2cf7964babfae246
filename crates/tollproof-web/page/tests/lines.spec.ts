// What people write line by line: lists with labels and mails.

import { expect, paste, row, sampleText, test } from './fixture';

const LIST = `Nombre de la empresa: Colmado Rivera LLC
Mensaje de ejemplo: Colmado Rivera: su pedido está listo. Responda STOP para cancelar.
Política de privacidad: https://www.colmadorivera.com/privacidad
`;

const MAIL = `De: Ana Rivera <ana@colmadorivera.com>
Para: Luis Ortiz <luis@ortizagencia.com>
Fecha: lun, 23 nov 2026 09:12
Asunto: RV: número gratuito

Hola, Luis:

Aquí va lo que me pediste:

${LIST}Sitio web: https://www.colmadorivera.com
Color favorito: verde

Gracias,
Ana Rivera
787-746-2231
`;

for (const [name, text] of Object.entries({ 'a list': LIST, 'a mail': MAIL })) {
  test(`${name} with labels in Spanish is opened for the provider that was chosen`, async ({ page }) => {
    await page.locator('#provider').selectOption('telnyx');
    await paste(page, text);
    await expect(page.locator('#provider')).toHaveValue('telnyx');
    await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Colmado Rivera LLC');
    await expect(page.getByLabel('Sample message', { exact: true })).toHaveValue(/^Colmado Rivera: su pedido está listo/);
    await expect(page.getByLabel('Privacy policy', { exact: true })).toHaveValue('https://www.colmadorivera.com/privacidad');
    await expect(page.locator('#draft')).not.toContainText(/luis@ortizagencia/);
  });
}

test('a line that is not a field is listed, and can be moved to one', async ({ page }) => {
  await paste(page, MAIL);
  const left = page.locator('#group-whole .field').filter({ hasText: 'Color favorito' });
  await expect(left).toContainText('verde');
  await left.getByRole('combobox', { name: 'Move Color favorito' }).selectOption({ label: 'Trade name' });
  await expect(page.getByLabel('Trade name', { exact: true })).toHaveValue('verde');
  await expect(page.locator('#group-whole')).toHaveCount(0);
  await row(page, 'Trade name').getByRole('button', { name: 'Undo' }).click();
  await expect(left).toHaveCount(1);
});

test('what notes read is not listed again, also where the provider writes it otherwise', async ({ page }) => {
  await page.locator('#provider').selectOption('telnyx');
  await paste(page, `${LIST}Teléfono del contacto: 787-746-2231\nEstado: PR\nCaso de uso: avisos de pedidos\nDescripción: Los clientes marcan una casilla.\n`);
  await expect(page.getByLabel('State or province', { exact: true })).toHaveValue('Puerto Rico');
  await expect(page.getByLabel('Contact, phone number', { exact: true })).toHaveValue('+17877462231');
  await expect(page.locator('#group-whole .label')).toHaveCount(0);
});

/** What people call fields, with what they write there and the field that has it then. */
const CALLED: Record<string, [label: string, text: string, field: string][]> = {
  English: [
    ['Legal name', 'Fern Cafe LLC', 'Business name'],
    ['Known as', 'Fern Cafe', 'Trade name'],
    ['800 number', '844-746-2231', 'Toll-free numbers 1'],
    ['Municipality', 'Taos', 'City'],
    ['Cell phone', '505-746-2231', 'Contact, phone number'],
    ['Why we text', 'We tell guests that their table is ready.', 'Use case summary'],
    ['Picture of the box', 'https://www.ferncafe.com/box.png', 'Opt-in images 1'],
  ],
  Spanish: [
    ['Nombre legal del negocio', 'Colmado Rivera LLC', 'Business name'],
    ['Número toll-free', '844-746-2231', 'Toll-free numbers 1'],
    ['Página', 'https://www.colmadorivera.com', 'Business website'],
    ['Dirección física', 'Calle Mayor 12', 'Business address'],
    ['Encargada', 'Ana Rivera', 'Contact, first name'],
    ['Seguro social patronal', '66-0543217', 'Registration number'],
    ['Cantidad de mensajes', '1,000', 'Monthly message volume'],
    ['Propósito', 'Avisamos a los clientes cuando su pedido está listo.', 'Use case summary'],
    ['Texto de ejemplo', 'Colmado Rivera: su pedido está listo. Responda STOP para darse de baja.\n\nColmado Rivera: su pedido de mañana está confirmado.', 'Sample message'],
    ['Localidad', 'Caguas', 'City'],
    ['Nombre de la tienda', 'Colmado Rivera', 'Trade name'],
    ['Teléfono móvil', '787-746-2231', 'Contact, phone number'],
    ['Foto del formulario', 'https://www.colmadorivera.com/casilla.png', 'Opt-in images 1'],
    ['Permiso', 'Los clientes marcan una casilla vacía en www.colmadorivera.com/pedidos.', 'Opt-in description'],
  ],
  French: [
    ['Nom de la compagnie', 'Fleurs Tremblay inc.', 'Business name'],
    ['Ligne sans frais', '844-746-2231', 'Toll-free numbers 1'],
    ['Page web', 'https://www.fleurstremblay.ca', 'Business website'],
    ['Adresse civique', '12, rue Principale', 'Business address'],
    ['Responsable', 'Anne Tremblay', 'Contact, first name'],
    ['Cellulaire', '418-746-2231', 'Contact, phone number'],
    ['Nombre de messages', '1,000', 'Monthly message volume'],
    ['Texte du message', 'Fleurs Tremblay : votre bouquet est prêt. Répondez STOP pour vous désabonner.', 'Sample message'],
    ['Comment les clients acceptent', 'Les clients cochent une case vide sur www.fleurstremblay.ca/commande.', 'Opt-in description'],
    ['Municipalité', 'Saguenay', 'City'],
    ['Enseigne', 'Fleurs Tremblay', 'Trade name'],
    ['Photo du formulaire', 'https://www.fleurstremblay.ca/case.png', 'Opt-in images 1'],
    ['Pourquoi nos messages', 'Nous avisons les clients quand leur bouquet est prêt.', 'Use case summary'],
    ['Modalités', 'https://www.fleurstremblay.ca/modalites', 'Terms'],
  ],
};

for (const [language, called] of Object.entries(CALLED)) {
  test(`fields are found by what clerks call them: ${language}`, async ({ page }) => {
    await page.locator('#provider').selectOption('telnyx');
    await paste(page, called.map(([label, text]) => `${label}: ${text}\n`).join(''));
    await expect(page.locator('#group-whole .label')).toHaveCount(0);
    const digits = (text: string) => text.replace(/[^\p{L}\d]/gu, '').slice(-10);
    for (const [label, text, field] of called) {
      const value = await page.getByLabel(field, { exact: true }).first().inputValue();
      expect(digits(field === 'Contact, first name' ? text.split(' ')[0] ?? '' : text), label).toBe(digits(value));
    }
  });
}

test('a list of facts needs no colons, and no fact is lost', async ({ page }) => {
  await page.locator('#provider').selectOption('telnyx');
  await paste(page, `telnyx lo que mande\nCompañía Ortega Baking LLC\nDBA Panaderia La Espiga\ntel 787 746 2231\nYolanda Ortega, dueña\nemail yolanda@laespiga.com
dir: Calle Luna 12, Ponce PR 00730\nEIN 66-0712345\nweb www.laespiga.com\nuso: avisar que el bizcocho esta listo\ncomo dan permiso: nos dan su numero en el counter\ncuando encargan`);
  const whole = page.locator('#group-whole');
  await expect(whole.locator('.label')).toHaveText(['Line 5']);
  await expect(whole).toContainText('Yolanda Ortega, dueña');
  const wanted = {
    'Business name': 'Ortega Baking LLC',
    'Trade name': 'Panaderia La Espiga',
    'Contact, phone number': '787 746 2231',
    'Contact, e-mail': 'yolanda@laespiga.com',
    'Business address': 'Calle Luna 12',
    'ZIP or postal code': '00730',
    'Registration number': '66-0712345',
    'Registration type': 'EIN',
    'Business website': 'www.laespiga.com',
    'Use case summary': 'avisar que el bizcocho esta listo',
    'Opt-in description': 'nos dan su numero en el counter\ncuando encargan',
  };
  for (const [field, text] of Object.entries(wanted)) await expect(page.getByLabel(field, { exact: true }), field).toHaveValue(text);
  // The kind of request stays as it is, whatever is filled in.
  await expect(page.locator('#kind')).toHaveValue('submit-request');
});

test('a line that notes do not take is not lost', async ({ page }) => {
  const notes = 'Business name: Fern Cafe LLC\nFavourite colour: dark green\nWebsite: https://www.ferncafe.com\nUse case: Marketing\nOpt-in description: Guests tick the box.\nSample message: Shoes are 20% off. Reply STOP to opt out.\n';
  await paste(page, notes);
  await expect(page.locator('#group-whole')).toContainText('dark green');
});

test('lines with other labels get their fields in one step, with those filled in that their texts show', async ({ page }) => {
  await paste(page, `${MAIL}Aparato de la jefa: 787-746-2231\nLa cajita: https://www.colmadorivera.com/cajita.png\n`.replace(/Gracias[^]*?2231\n/, ''));
  await page.locator('#group-whole').getByRole('button', { name: 'Which name is which field?' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Aparato de la jefa')).toHaveValue('BusinessContactPhone');
  await expect(dialog.getByLabel('La cajita')).toHaveValue('OptInImageUrls');
  await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page.locator('.notice')).toContainText('2 fixes applied');
  await expect(page.getByLabel('Contact, phone number', { exact: true })).toHaveValue('787-746-2231');
  await expect(page.locator('#group-whole')).not.toContainText('cajita');
});

test('what was copied as text is the same draft again', async ({ page }) => {
  for (const name of ['twilio/juniper-stage.json', 'telnyx/ambleside-animal-hospital.json']) {
    await paste(page, sampleText(name));
    const values = () => page.locator('#draft :is(input, textarea, select)').evaluateAll((all) => all.map((it) => (it as HTMLInputElement).value));
    const before = await values();
    await page.evaluate(() => (Clipboard.prototype.writeText = (text) => Promise.resolve(void Object.assign(window, { copied: text }))));
    await page.getByRole('button', { name: 'Copy field by field' }).first().click();
    await page.getByRole('button', { name: 'Copy all as text' }).click();
    await page.getByRole('button', { name: 'Back to the form' }).click();
    await paste(page, await page.evaluate(() => (window as unknown as { copied: string }).copied));
    await expect.poll(values, name).toEqual(before);
  }
});

test('two addresses of one website are two lines, and a number in another notation is the same', async ({ page }) => {
  await page.locator('#provider').selectOption('telnyx');
  const notes = ['Telnyx - mis notas', 'Nombre legal: Fern Cafe Inc', 'Correo: ana@ferncafe.com', 'Teléfono: 787 743 2816', 'Número: 833 482 1907', 'Página: ferncafe.com', 'Política: ferncafe.com/privacidad', 'Para qué: avisar cuando la mesa está lista', 'Mensaje de ejemplo: Fern Cafe: su mesa está lista. Responda STOP para darse de baja.', 'Mensajes al mes: como 900'];
  await paste(page, notes.join('\n'));
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Fern Cafe Inc');
  const values = await page.locator('.field').getByRole('textbox').evaluateAll((inputs) => inputs.map((it) => (it as HTMLInputElement).value));
  expect([...values, ...(await page.locator('#group-whole').allInnerTexts())].join('\n')).toContain('ferncafe.com/privacidad');
  await expect(page.locator('#group-numbers').getByRole('textbox')).toHaveCount(1);
  expect((await page.locator('#group-whole').allInnerTexts()).join()).not.toContain('787 743 2816');
});
