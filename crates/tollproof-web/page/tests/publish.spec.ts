// The page on a website: a server that only has files is enough.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as plain } from '@playwright/test';

import { begin, expect, FILE, open, sample, translated } from './fixture';

plain('a plain file server is enough, and nothing but the page is asked for', async ({ page }) => {
  const asked: string[] = [];
  const server = createServer(({ url, method }, response) => {
    asked.push(`${method} ${url}`);
    if (url !== '/tollproof/') return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(readFileSync(FILE));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/tollproof/`);
  await begin(page);
  await page.locator('#language').selectOption('fr');
  await expect(page.getByLabel(translated('fr', 'fields', 'Business name'), { exact: true })).toBeVisible();
  await open(page, sample('bulk-csv/clients-with-mistakes.csv'));
  await expect(page.locator('tbody tr').first()).toBeVisible();
  await page.reload();
  await expect(page.locator('form')).toBeVisible();
  expect(errors).toEqual([]);
  // Browsers ask for an icon by themselves.
  expect(asked.filter((it) => it !== 'GET /favicon.ico')).toEqual(['GET /tollproof/', 'GET /tollproof/']);
  server.close();
});
