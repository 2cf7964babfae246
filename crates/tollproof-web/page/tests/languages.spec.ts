// What the engine says, in the language of the reader.

import { test as plain } from '@playwright/test';

import { ADDRESS, expect, translated } from './fixture';

interface Told {
  finding: RegExp;
  why: string;
  docs: RegExp;
  task: RegExp;
}

const TOLD: Record<string, Told> = {
  'fr-CA': {
    finding: /https:\/\/ manque au début/,
    why: 'Pourquoi',
    docs: /Les réviseurs|réviseur/,
    task: /Ouvrez .*quillbrookbakery\.com\/order dans une fenêtre privée/,
  },
  'es-MX': {
    finding: /no (?:comienza|empieza) (?:con|por) https/,
    why: 'Por qué',
    docs: /Los revisores|revisor/,
    task: /Abra .*quillbrookbakery\.com\/order en una ventana privada/,
  },
};

/** What people type to find a use case, and what its option says then. */
const SEARCHED = {
  'es-MX': [['atencion', 'Atención al clienteCustomer care'], ['citas', 'Avisos de la cuenta: citas, recordatorios, facturas, reservasAccount notifications']],
  'fr-CA': [['clientele', 'Service à la clientèleCustomer care'], ['rendez-vous', 'Avis du compte : rendez-vous (RDV), rappels, factures, réservationsAccount notifications']],
} as const;

for (const [locale, searches] of Object.entries(SEARCHED)) {
  plain(`use cases are found in the language of the reader (${locale})`, async ({ browser }) => {
    const page = await browser.newPage({ locale });
    await page.goto(ADDRESS);
    const label = translated(locale, 'fields', 'Use cases');
    const field = page.locator('.field').filter({ hasText: label });
    const search = page.getByRole('combobox', { name: label });
    await expect(search).toBeVisible({ timeout: 30_000 });
    for (const [typed, option] of searches) {
      await search.fill(typed);
      await expect(field.getByRole('option').first()).toHaveText(option);
    }
    await search.press('Enter');
    await expect(field.locator('.chosen li').last()).toContainText(searches.at(-1)?.[1] ?? '');
    await page.close();
  });
}

for (const [locale, told] of Object.entries(TOLD)) {
  plain(`labels, findings, rules and the check list are in the language of the reader (${locale})`, async ({ browser }) => {
    const label = translated(locale, 'fields', 'Business name');
    const page = await browser.newPage({ locale });
    await page.goto(ADDRESS);
    await expect(page.getByLabel(label, { exact: true })).toBeVisible({ timeout: 30_000 });
    const finding = page.locator('.finding').filter({ hasText: told.finding }).first();
    await expect(finding).toBeVisible();
    await expect(page.locator('#to-check')).toContainText(told.task);
    await finding.getByRole('button', { name: told.why }).click();
    await expect(page.getByRole('dialog').locator('.docs')).toHaveText(told.docs);
    await page.keyboard.press('Escape');
    // Another language for all of it, and back.
    await page.getByRole('banner').getByRole('combobox').selectOption('en');
    await expect(page.getByLabel('Business name', { exact: true })).toBeVisible();
    await expect(page.locator('.finding').filter({ hasText: 'does not begin with https' }).first()).toBeVisible();
    await page.getByRole('banner').getByRole('combobox').selectOption(locale.slice(0, 2));
    await expect(page.getByLabel(label, { exact: true })).toBeVisible();
    await page.close();
  });
}

plain('a French explanation has French quotation marks, one full stop, and the English title of a reason last', async ({ browser }) => {
  const page = await browser.newPage({ locale: 'fr-CA' });
  await page.goto(ADDRESS);
  const sheet = 'Nom légal,No sans frais,Ville\nPhysio Rive-Sud inc.,833-482-1107,Lévis\nPhysio Est inc.,844-317-9026,Laval\n';
  await page.locator('input[type=file]').setInputFiles({ name: 'cliniques.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) });
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Fournisseur').selectOption('bandwidth');
  await dialog.getByRole('button', { name: /^Appliquer/ }).click();
  await page.getByRole('button', { name: 'Expliquer un refus' }).click();
  await dialog.getByRole('textbox').fill('Votre demande pour le 833-482-1107 est refusée : la politique de confidentialité est introuvable.');
  await dialog.getByRole('button', { name: 'Expliquer', exact: true }).click();
  const reasons = dialog.locator('#reasons');
  await expect(reasons).toContainText('Ce refus concerne Physio Rive-Sud inc.');
  await expect(reasons).not.toContainText('inc..');
  await expect(reasons).not.toContainText(/[“”]/);
  await expect(reasons.locator('.finding').first()).toContainText(/^La réponse dit\s: «\s/);
  await expect(reasons).toContainText(/\(en anglais\s: «\sPrivacy policy or terms URL missing or inaccessible\s»\)\./);
  await page.close();
});
