// The page of the sandbox in a browser, without scripts: reviews are ended, the clock is moved, a fault is planned, and the
// ledger shows it. `.ci/test-report` runs it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, beforeEach, test } from 'node:test';
import { chromium } from 'playwright-core';

const { TOLLPROOF, DRAFTS, CHROMIUM = '/usr/bin/chromium' } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const sample = JSON.parse(readFileSync(join(DRAFTS, '../../schemas/telnyx/samples/submit-request.json'), 'utf8'));
const requests = 'telnyx/v2/messaging_tollfree/verification/requests';

let browser;
let sandbox;
let address;
before(async () => {
  // Reviews take longer than the test, so that a person ends them.
  sandbox = spawn(TOLLPROOF, ['sandbox', '--listen', '127.0.0.1:0', '--review-after', '30d'], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: sandbox.stdout })) {
    address = /http:\/\/[^ ]*\d/.exec(line)[0];
    break;
  }
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
});
beforeEach(() => control('reset', {}));
after(async () => {
  await browser?.close();
  sandbox?.kill();
});

function control(call, body) {
  return fetch(`${address}/_sandbox/${call}`, { method: 'POST', body: JSON.stringify(body) });
}

/** Submits a number to Telnyx. */
async function submit(number) {
  await control('numbers', { provider: 'telnyx', number });
  const answer = await fetch(`${address}/${requests}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key' },
    body: JSON.stringify({ ...sample, phoneNumbers: [{ phoneNumber: number }] }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

/** Opens the page, and fails if it asks for anything of another server or reports an error. */
async function open(options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const foreign = [];
  const errors = [];
  page.on('request', request => { if (!request.url().startsWith(`${address}/`)) foreign.push(request.url()); });
  page.on('pageerror', error => errors.push(String(error)));
  page.on('console', message => {
    // Without the policy of the page, Chromium looks for an icon.
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico')) errors.push(message.text());
  });
  await page.goto(`${address}/`);
  return {
    page,
    async close(expected = []) {
      assert.deepEqual(foreign, [], 'the page loads nothing from elsewhere');
      assert.deepEqual(errors, expected, 'the page has no other errors');
      await context.close();
    },
  };
}

test('a person approves, rejects, moves the clock, plans a fault and reads the ledger', async () => {
  await submit('+18335550000');
  await submit('+18335550001');
  const { page, close } = await open({ javaScriptEnabled: false });
  const row = number => page.getByRole('row').filter({ hasText: number }).filter({ has: page.getByRole('button') });
  const state = number => row(number).getByRole('cell').nth(3).textContent();
  assert.equal(await state('+18335550000'), 'open');

  await row('+18335550000').getByRole('button', { name: 'Approve' }).click();
  assert.equal(await state('+18335550000'), 'approved');
  assert.equal(await state('+18335550001'), 'open');
  await row('+18335550001').getByLabel('Codes').fill('30513 30446');
  await row('+18335550001').getByRole('button', { name: 'Reject' }).click();
  assert.equal(await state('+18335550001'), 'rejected');
  assert.equal(await row('+18335550001').getByRole('cell').nth(4).locator('div').count(), 2, 'each code has a reason');

  const clock = async () => Date.parse(await page.locator('strong').first().textContent());
  const earlier = await clock();
  await page.getByLabel('Move the clock by').fill('3d');
  await page.getByRole('button', { name: 'Move' }).click();
  const days = (await clock() - earlier) / 86_400_000;
  assert.ok(days >= 3 && days < 3.01, `${days} days`);
  await page.getByLabel('Move the clock by').fill('soon');
  await page.getByRole('button', { name: 'Move' }).click();
  assert.match(await page.getByRole('alert').textContent(), /use a time such as 7d/);

  await page.getByLabel('Fault').selectOption('429');
  await page.getByLabel('Provider').selectOption('telnyx');
  await page.getByLabel('Operation').fill('list');
  await page.getByRole('button', { name: 'Plan' }).click();
  const list = () => fetch(`${address}/${requests}?page=1&page_size=5`, { headers: { authorization: 'Bearer sandbox-key' } });
  assert.deepEqual([(await list()).status, (await list()).status], [429, 200], 'the fault is used up');
  await page.reload();
  const calls = page.getByRole('table').last().locator('tbody tr');
  assert.equal(await calls.count(), 4);
  const cells = at => calls.nth(at).getByRole('cell').allTextContents();
  assert.deepEqual((await cells(1)).slice(1), ['telnyx', 'list', `GET /${requests}`, '429', '429', '1']);
  assert.deepEqual((await cells(3)).slice(1), ['telnyx', 'submit', `POST /${requests}`, '200', '', '1']);

  await page.getByRole('button', { name: 'Forget everything' }).click();
  await page.getByText('None yet.').waitFor();
  await close(['Failed to load resource: the server responded with a status of 400 (Bad Request)']);
});

test('the page is accessible and fits at each width in both color schemes', async () => {
  await submit('+18335550000');
  for (const width of [360, 1400]) {
    for (const colorScheme of ['light', 'dark']) {
      // The policy of the page allows no script, so axe needs this.
      const { page, close } = await open({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
      const found = violations.map(it => `${it.id}: ${it.nodes.slice(0, 3).map(node => `${node.html.slice(0, 200)} ${node.failureSummary}`).join(' ')}`);
      assert.deepEqual(found, [], `${width} ${colorScheme}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} pixels are cut off at ${width}`);
      await close();
    }
  }
});
