// Keyboard, screen readers, both colour schemes, narrow screens.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { expect, open, paste, row, sample, sampleText, test } from './fixture';

async function violations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap((it) => it.nodes.map((node) => `${it.id}: ${node.target.join(' ')} ${node.failureSummary}`));
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1400]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 } });

      test('every view passes axe and fits the screen', async ({ page }) => {
        test.slow();
        const look = async (name: string) => {
          expect(await violations(page), name).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
        };
        await look('empty');
        await page.reload();
        await expect(page.locator('.finding').first()).toBeVisible();
        await look('example');
        await paste(page, sampleText('twilio/northgate-storage.json'));
        await page.getByRole('combobox', { name: 'Monthly message volume' }).click();
        await look('draft');
        for (const name of ['Paste', 'Explain a rejection', 'Save', 'Clear']) {
          await page.getByRole('button', { name, exact: true }).click();
          await look(name);
          await page.keyboard.press('Escape');
        }
        await page.getByRole('button', { name: 'Find a way that passes' }).first().click();
        await page.getByRole('radio', { name: 'They text you a word' }).check();
        await look('guide');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByRole('dialog').getByLabel('Report to send (HTML)').check();
        await look('save a report');
        await page.getByRole('dialog').getByRole('button', { name: 'Ask for what is missing' }).click();
        await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible();
        await look('ask for what is missing');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Copy field by field' }).click();
        await page.getByText('Show it').click();
        await look('field by field');
        await page.getByRole('button', { name: 'Back to the form' }).click();
        await page.getByRole('button', { name: /^Why/ }).first().click();
        await look('rule');
        await page.keyboard.press('Escape');
        await paste(page, sampleText('twilio/juniper-stage.json'));
        await page.getByRole('button', { name: 'Have the texts read' }).click();
        await page.getByText('No assistant? Answer the questions here').click();
        await page.locator('.own-answers').getByRole('radio', { name: 'No', exact: true }).first().check();
        await look('reader');
        await page.keyboard.press('Escape');
        await open(page, sample('bulk-csv/clients-with-mistakes.csv'));
        await expect(page.locator('.totals')).toContainText('with errors');
        await look('sheet');
        await open(page, { name: 'a.csv', mimeType: '', buffer: Buffer.from(`Nom de l’entreprise,${'x'.repeat(90)}\nA,${'y'.repeat(90)}\n`) });
        await look('columns without a provider');
        await page.getByRole('dialog').getByLabel('Provider').selectOption('twilio');
        await expect(page.getByRole('dialog').locator('.columns')).toBeVisible();
        await look('columns');
      });
    });
  }
}

test('a closed list works with the keyboard alone', async ({ page }) => {
  const type = page.getByRole('combobox', { name: 'Registration type' });
  await type.focus();
  await expect(type).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.type('e');
  await page.keyboard.type('in');
  await expect(type).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowDown');
  const active = await type.getAttribute('aria-activedescendant');
  await expect(page.locator(`[id="${active}"]`)).toHaveText(/EIN/);
  await page.keyboard.press('Enter');
  await expect(type).toHaveValue('EIN');
  await expect(type).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(type).toHaveValue('EIN');
  const useCases = page.locator('.field').filter({ hasText: 'Use cases' });
  await useCases.getByRole('combobox').pressSequentially('two factor');
  await page.keyboard.press('Tab');
  await expect(useCases.getByRole('listitem').first()).toContainText('Two factor authentication');
});

test('a field names its findings, and changes are announced', async ({ page }) => {
  await paste(page, sampleText('twilio/northgate-storage.json'));
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const mail = page.getByLabel('Contact, e-mail', { exact: true });
  await expect(mail).toHaveAccessibleDescription(/free e-mail provider/);
  await expect(mail).not.toHaveAccessibleDescription(/Why\?/);
  // What is left is one key away as well.
  await page.getByRole('link', { name: 'What is left to do' }).press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.locator('aside :focus')).toHaveCount(1);
  await expect(mail).toHaveAttribute('aria-invalid', 'true');
  const live = page.locator('[aria-live=polite].hidden');
  await expect(live).toHaveText(/^\d+ errors, \d+ warnings$/);
  const before = await live.textContent();
  await mail.fill('jolene@northgatestoragepartners.com');
  await expect(live).not.toHaveText(before ?? '');
  await expect(mail).toHaveAttribute('aria-invalid', 'false');
});

test('rows of a list are added and removed with the focus in place', async ({ page }) => {
  await page.getByRole('textbox', { name: 'Opt-in images 1' }).fill('https://www.example.com/a.png');
  await page.getByRole('group', { name: 'Opt-in images' }).getByRole('button', { name: 'Add another' }).click();
  await expect(page.getByRole('textbox', { name: 'Opt-in images 2' })).toBeFocused();
  await page.keyboard.type('https://www.example.com/b.png');
  await page.getByRole('button', { name: 'Remove Opt-in images 1' }).click();
  await expect(page.getByRole('textbox', { name: 'Opt-in images 1' })).toHaveValue('https://www.example.com/b.png');
  await expect(page.getByRole('textbox', { name: 'Opt-in images 2' })).toHaveCount(0);
});

test('the focus stays where a person works', async ({ page }) => {
  await paste(page, sampleText('twilio/northgate-storage.json'));
  await page.getByRole('button', { name: 'Write “+15152778164”' }).press('Enter');
  const here = () => page.evaluate(() => document.activeElement?.closest('.field')?.textContent ?? document.activeElement?.tagName);
  await expect.poll(here).toContain('Contact, phone number');
  await page.getByRole('button', { name: 'Remove Billing' }).press('Enter');
  await expect.poll(here).toContain('Use cases');
  await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Clear everything' }).press('Enter');
  await expect.poll(here).toBe('H1');
});

test('the first key leads to the draft', async ({ page }) => {
  await page.reload();
  await expect(page.locator('.finding').first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the draft' })).toBeFocused();
});

test('the first field is near the start of the page, and nearer with the link to it', async ({ page }) => {
  await page.reload();
  await expect(page.locator('.finding').first()).toBeVisible();
  const field = page.getByLabel('Business name', { exact: true });
  let keys = 0;
  do await page.keyboard.press('Tab');
  while (++keys < 11 && !(await field.evaluate((it) => it === document.activeElement)));
  expect(keys).toBeLessThan(11);
  await page.locator('.skip').first().focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(field).toBeFocused();
});

test('a fix is undone by keyboard: with the key, and with the button at the field', async ({ page }) => {
  await paste(page, sampleText('twilio/northgate-storage.json'));
  const phone = page.getByLabel('Contact, phone number');
  const fix = page.getByRole('button', { name: 'Write “+15152778164”' });
  await fix.press('Enter');
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(1);
  await row(page, 'Contact, phone number').getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(phone).toHaveValue('515-277-8164');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Contact, phone number');

  await fix.press('Enter');
  await page.getByRole('button', { name: 'Move it to “Registration type”' }).press('Enter');
  await expect(page.getByRole('combobox', { name: 'Registration type' })).toHaveValue('EIN');
  await page.locator('h1').focus();
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('combobox', { name: 'Registration type' })).toHaveValue('');
  await expect(phone).toHaveValue('+15152778164');
  await page.keyboard.press('Control+z');
  await expect(phone).toHaveValue('515-277-8164');
  await expect(page.getByRole('status').filter({ hasText: 'Undone.' })).toBeVisible();

  // In a text the key is the browser's, and what a person writes is not undone with a fix.
  await fix.press('Enter');
  await page.getByLabel('City').fill('Ames');
  await page.getByLabel('City').press('Control+z');
  await expect(phone).toHaveValue('+15152778164');
  await page.locator('h1').focus();
  await page.keyboard.press('Control+z');
  await expect(phone).toHaveValue('+15152778164');
});

test('without the colors of the page, errors and warnings look different', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await paste(page, sampleText('twilio/northgate-storage.json'));
  const border = (selector: string) => page.locator(selector).first().evaluate((it) => getComputedStyle(it).borderInlineStart);
  expect(await border('.badge.error')).not.toBe(await border('.badge.warning'));
  const kinds = await Promise.all(['error', 'warning', 'info'].map((it) => border(`.finding.${it}`)));
  expect(new Set(kinds).size).toBe(3);
  expect(await page.locator('.bars > i > i').first().evaluate((it) => getComputedStyle(it).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)');
  await expect(page.getByRole('link', { name: /^Contact person \d+ errors?/ })).toBeVisible();
  await page.getByRole('button', { name: 'Copy field by field' }).click();
  expect(await border('.over .badge.error')).not.toBe(await border('.over .badge.warning'));
  expect(await border('.handover .hint')).toMatch(/^1px solid rgb/);
});

test('assistive technology gets every heading and field at once, and which are required', async ({ page }) => {
  await paste(page, sampleText('twilio/juniper-stage.json'));
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const count = (...roles: string[]) => nodes.filter((it) => !it.ignored && roles.includes(String(it.role?.value))).length;
  expect(count('heading')).toBe(await page.locator(':is(h1, h2, h3):visible').count());
  const fields = await page.locator('form').locator(':is(input, textarea, select):visible').count();
  expect(fields).toBeGreaterThan(25);
  expect(count('textbox', 'combobox', 'checkbox', 'radio')).toBeGreaterThanOrEqual(fields);
  await expect(page.getByLabel('Business name', { exact: true })).toHaveAttribute('aria-required', 'true');
  await expect(page.getByLabel('Trade name', { exact: true })).not.toHaveAttribute('aria-required', 'true');
  await expect(page.getByRole('group', { name: 'Opt-in images Required' })).toBeVisible();
});

test('a link to a section that is hidden shows it', async ({ page }) => {
  await paste(page, sampleText('twilio/northgate-storage.json'));
  const zip = page.getByLabel('ZIP or postal code', { exact: true });
  await page.getByLabel('Show only fields with findings').check();
  await expect(zip).toBeHidden();
  await page.getByRole('navigation').getByRole('link', { name: 'Address' }).click();
  await expect(zip).toBeInViewport();
});

test('from a finding the next one is one key away', async ({ page }) => {
  await paste(page, sampleText('twilio/northgate-storage.json'));
  const first = row(page, 'Notification e-mail');
  await first.getByRole('button', { name: 'Next one' }).press('Enter');
  await expect(page.getByLabel('Contact, e-mail', { exact: true })).toBeFocused();
  await expect(page.getByRole('link', { name: /^Contact person 2 errors/ })).toHaveAttribute('aria-current', 'location');
});

test('rare fields are folded, and open when they are needed', async ({ page }) => {
  await expect(page.getByLabel('Business address, second line', { exact: true })).toBeHidden();
  await page.locator('#group-address').getByText('1 field that few need').click();
  await page.getByLabel('Business address, second line', { exact: true }).pressSequentially('Suite 4');
  await expect(page.getByLabel('Business address, second line', { exact: true })).toHaveValue('Suite 4');
});
