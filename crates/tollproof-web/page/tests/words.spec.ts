// The languages of the page.

import { expect, KEEP, test } from './fixture';

for (const [locale, language, label] of [
  ['fr-FR', 'fr', 'Nom légal de l’entreprise'],
  ['es-US', 'es', 'Nombre legal de la empresa'],
  ['de-DE', 'en', 'Business name'],
] as const) {
  test(`the page begins in the language of the browser (${locale})`, async ({ browser, page }) => {
    const other = await browser.newPage({ locale });
    await other.goto(page.url());
    await expect(other.getByLabel(label, { exact: true })).toBeVisible();
    await expect(other.locator('html')).toHaveAttribute('lang', language);
    await expect(other.locator('#language')).toHaveValue(language);
    await other.close();
  });
}

test('the language is chosen at the top, and kept with the drafts', async ({ page }) => {
  await page.getByLabel('Business name', { exact: true }).fill('Fernhollow Flowers LLC');
  await page.getByLabel(KEEP).check();
  await page.getByLabel('Language').selectOption('Français');
  await expect(page.getByLabel('Nom légal de l’entreprise', { exact: true })).toHaveValue('Fernhollow Flowers LLC');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page).toHaveTitle(/vérifiez/);
  await page.reload();
  await expect(page.getByLabel('Nom légal de l’entreprise', { exact: true })).toHaveValue('Fernhollow Flowers LLC');
  await page.getByLabel('Langue').selectOption('English');
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Fernhollow Flowers LLC');
});
