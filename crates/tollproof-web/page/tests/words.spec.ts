// The languages of the page.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

import { expect, KEEP, test, translated } from './fixture';

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));

/** The words of a language by `SECTION.KEY`. */
function words(language: string, sections: string[]): Map<string, string> {
  const all = JSON.parse(readFileSync(`${SOURCES}words/${language}.json`, 'utf8')) as Record<string, Record<string, string>>;
  return new Map(sections.flatMap((section) => Object.entries(all[section] ?? {}).map(([key, text]) => [`${section}.${key}`, text] as const)));
}

test('all languages have the same words with the same placeholders', () => {
  const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted();
  const forms = (text: string) => text.split('|').length;
  for (const [sections, first, ...others] of [
    [['page', 'groups'], 'en', 'es', 'fr'],
  ] as [string[], string, ...string[]][]) {
    const known = words(first, sections);
    expect(known.size).toBeGreaterThan(5);
    for (const language of others) {
      const found = words(language, sections);
      expect([...found.keys()].toSorted(), language).toEqual([...known.keys()].toSorted());
      for (const [key, text] of known) {
        const other = found.get(key) ?? '';
        expect(placeholders(other), `${key} in ${language}`).toEqual(placeholders(text));
        expect(forms(other), `${key} in ${language}`).toBe(forms(text));
        expect(other.trim(), `${key} in ${language}`).not.toBe('');
      }
    }
  }
});

/** Attributes that a person reads or hears. */
const READ = new Set(['aria-label', 'aria-description', 'aria-roledescription', 'alt', 'label', 'placeholder', 'title', 'words']);
/** What is the same in all languages. */
const NAMES = new Set(['tollproof']);

test('pages of rules are paragraphs, lists and code, which is all that the page draws', () => {
  for (const folder of ['rules', 'languages/fr/rules', 'languages/es/rules']) {
    const root = new URL(`../../../../${folder}/`, import.meta.url);
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((it) => it.includes('/') && it.endsWith('.yaml'));
    const pages = files.map((it) => /^docs: \|-?\n((?: {2}.*\n|\n)+)/m.exec(readFileSync(new URL(it, root), 'utf8'))?.[1]?.replace(/^ {2}/gm, '') ?? '');
    expect(pages.filter((it) => it !== '').length, folder).toBeGreaterThan(50);
    for (const block of pages.flatMap((it) => it.split(/\n{2,}/))) expect(block.replace(/`[^`]*`/g, 'code'), block).not.toMatch(/`|[*_]{2}|\]\(|<\w|^([#>|]|\d+[.)] |[*+] | {1,3}\S)/);
  }
});

test('no text of the page is outside of its words', () => {
  const texts: string[] = [];
  const take = (file: string, text: unknown) => {
    if (typeof text === 'string' && /\p{L}/u.test(text) && !NAMES.has(text.trim())) texts.push(`${file}: ${text.trim()}`);
  };
  /** Takes the literals that an expression may be. */
  const takeAll = (file: string, node: any) => {
    if (node?.type === 'Literal') take(file, node.value);
    else if (node?.type === 'TemplateLiteral') node.quasis.forEach((it: any) => take(file, it.value.cooked));
    else if (node?.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach((it) => takeAll(file, it));
    else if (node?.type === 'LogicalExpression') [node.left, node.right].forEach((it) => takeAll(file, it));
    else if (node?.type === 'BinaryExpression' && node.operator === '+') [node.left, node.right].forEach((it) => takeAll(file, it));
  };
  const look = (file: string, node: any) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach((it) => look(file, it));
    if (node.type === 'JSXText') take(file, node.value);
    if (node.type === 'JSXAttribute' && READ.has(node.name.name)) takeAll(file, node.value?.expression ?? node.value);
    for (const child of node.children ?? []) if (child.type === 'JSXExpressionContainer') takeAll(file, child.expression);
    for (const value of Object.values(node)) look(file, value);
  };
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.tsx'));
  for (const file of files) look(file, parseSync(file, readFileSync(SOURCES + file, 'utf8')).program);
  expect(files.length).toBeGreaterThan(30);
  expect(texts).toEqual([]);
});

for (const [locale, language] of [
  ['fr-FR', 'fr'],
  ['es-US', 'es'],
  ['de-DE', 'en'],
] as const) {
  test(`the page begins in the language of the browser (${locale})`, async ({ browser, page }) => {
    const other = await browser.newPage({ locale });
    await other.goto(page.url());
    const label = language === 'en' ? 'Business name' : translated(locale, 'fields', 'Business name');
    await expect(other.getByLabel(label, { exact: true })).toBeVisible();
    await expect(other.locator('html')).toHaveAttribute('lang', language);
    await expect(other.locator('#language')).toHaveValue(language);
    await other.close();
  });
}

test('the language is chosen at the top, and kept with the drafts', async ({ page }) => {
  await page.getByLabel('Business name', { exact: true }).fill('Fernhollow Flowers LLC');
  await page.getByLabel(KEEP).check();
  const label = translated('fr', 'fields', 'Business name');
  await page.getByLabel('Language').selectOption('Français');
  await expect(page.getByLabel(label, { exact: true })).toHaveValue('Fernhollow Flowers LLC');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page).toHaveTitle(/contrôlez/);
  await page.reload();
  await expect(page.getByLabel(label, { exact: true })).toHaveValue('Fernhollow Flowers LLC');
  await page.getByLabel('Langue').selectOption('English');
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('Fernhollow Flowers LLC');
});
