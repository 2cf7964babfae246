// The page in a browser, and what every test asserts of it: it sends nothing and reports no error.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test as base, expect, type Locator, type Page } from '@playwright/test';

export const FILE = fileURLToPath(new URL('../dist/tollproof.html', import.meta.url));
export const ADDRESS = `file://${FILE}`;

/** How the last part of the page begins: the reader of workbooks. The page works without it. */
export const END = '<script type="application/x-xz" id="workbooks">';

/** The label of the box with which drafts are kept. */
export const KEEP = 'Keep my drafts in this browser';

/** The program that the page is compared with; by default, that of a debug build. */
export const PROGRAM = process.env.TOLLPROOF ?? fileURLToPath(new URL('../../../../target/debug/tollproof', import.meta.url));

/** The path of a sample draft of the repository. */
export function sample(name: string): string {
  return fileURLToPath(new URL(`../../../../tests/drafts/${name}`, import.meta.url));
}

export function sampleText(name: string): string {
  return readFileSync(sample(name), 'utf8');
}

/** What `languages/` has for a text of the engine. */
export function translated(locale: string, file: string, english: string): string {
  const path = new URL(`../../../../languages/${locale.slice(0, 2)}/${file}.yaml`, import.meta.url);
  const line = readFileSync(path, 'utf8').split('\n').find((it) => it.startsWith(`"${english}": `)) ?? '';
  return JSON.parse(line.slice(english.length + 4));
}

export const test = base.extend<{ page: Page }>({
  page: async ({ page }, use) => {
    const requests: string[] = [];
    const errors: string[] = [];
    page.on('request', (it) => requests.push(it.url()));
    page.on('websocket', (it) => requests.push(it.url()));
    page.on('pageerror', (it) => errors.push(it.message));
    page.on('console', (it) => it.type() === 'error' && errors.push(it.text()));
    await page.goto(ADDRESS);
    await begin(page);
    await use(page);
    expect(errors).toEqual([]);
    // Data and blob addresses are inside the page; the only file is the page.
    expect(requests.filter((it) => !/^(data|blob):/.test(it) && it.split('#')[0] !== ADDRESS)).toEqual([]);
  },
});

/** Waits until drafts are checked, and takes away the example of a first visit. */
export async function begin(page: Page): Promise<void> {
  await expect(page.locator('.finding').or(page.getByRole('heading', { name: /^The page found nothing\. Now have the texts read/ })).first()).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Start with an empty form' }).click();
  await expect(page.getByLabel('Business name', { exact: true })).toHaveValue('');
}

/** Pastes a payload as a person does. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Paste', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(text);
  await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

/** Opens a file as a person does. */
export async function open(page: Page, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(files);
}

/** The row of a field, with its findings. */
export function row(page: Page, label: string): Locator {
  return page.locator('.field').filter({ has: page.locator('.label', { hasText: label }) });
}

/** Leaves the field: what was typed in it is checked then, or when a person pauses. */
export async function leaveField(page: Page): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

/** How many errors or warnings words found, as the verdict says it. */
export async function score(page: Page, name: 'Errors' | 'Warnings'): Promise<number> {
  await leaveField(page);
  const text = (await page.locator('.score dd').first().textContent()) ?? '';
  return Number(new RegExp(`(\\d+) ${name.toLowerCase().slice(0, -1)}`).exec(text)?.[1] ?? 0);
}

/** The questions that only a person can answer. */
export function tasks(page: Page): Locator {
  return page.locator('#to-check').getByRole('group');
}

export async function answerAll(page: Page, answer: 'Yes' | 'No'): Promise<void> {
  for (const task of await tasks(page).all()) await task.getByRole('radio', { name: answer, exact: true }).check();
}

/** The rows and messages of all findings, as the list of findings has them. */
export async function findings(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('List of findings (CSV)').check();
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download' }).click()]);
  const text = (await bytes(await download.createReadStream())).toString();
  const rows = [...text.matchAll(/^"(\d+)","(?:[^"]|"")*","\w+","(?:[^"]|"")*","((?:[^"]|"")*)"/gm)];
  return rows.map(([, row, message]) => `${row} ${message?.replaceAll('""', '"').replace(/\. Row \d+: .*$/s, '')}`).toSorted();
}

/** What a stream has. */
export async function bytes(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

export { expect };
