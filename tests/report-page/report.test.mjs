// The HTML report in a browser: accessible, readable at each width, filtered, printed, and safe whatever a draft contains.
// `.ci/test-report` runs it; with SCREENSHOTS=FOLDER it also writes pictures.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const { TOLLPROOF, DRAFTS, CHROMIUM = '/usr/bin/chromium', SCREENSHOTS } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'tollproof-report-'));
const hostile = '</script></style><img src=http://127.0.0.1:9/a onerror="window.hacked=1"><script>window.hacked=1</script>\u202e"\'`';

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Checks files and returns the path of the report. */
function report(name, files, options = []) {
  const path = join(folder, `${name}.html`);
  try {
    const args = ['check', '--no-config', '--now', '2026-11-23T04:00:00Z', `--output-format=html=${path}`, ...options, ...files];
    execFileSync(TOLLPROOF, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    assert.equal(error.status, 1, String(error.stderr));
  }
  return path;
}

function draft(name, content) {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

/** Opens a report, and fails if it asks for anything or reports an error. */
async function open(path, { width = 1400, colorScheme = 'light', javaScriptEnabled = true } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, javaScriptEnabled });
  const page = await context.newPage();
  const asked = [];
  const errors = [];
  page.on('request', request => asked.push(request.url()));
  page.on('pageerror', error => errors.push(String(error)));
  page.on('console', message => { if (message.type() === 'error') errors.push(message.text()); });
  const url = pathToFileURL(path).href;
  await page.goto(url);
  return {
    page,
    async close() {
      assert.deepEqual(asked, [url], 'the page loads nothing');
      assert.deepEqual(errors, [], 'the page has no errors');
      await context.close();
    },
  };
}

const visible = page => page.locator('.group:not([hidden]) .f:not([hidden])').count();
const status = page => page.locator('#shown').textContent();

test('the page is accessible and fits at each width in both color schemes', async () => {
  const path = report('samples', [DRAFTS]);
  if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });
  for (const width of [360, 820, 1400]) {
    for (const colorScheme of ['light', 'dark']) {
      const { page, close } = await open(path, { width, colorScheme });
      if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `report-${width}-${colorScheme}.png`) });
      await page.evaluate(() => document.querySelectorAll('details').forEach(it => { it.open = true; }));
      // axe looks at what is at a place, which moves while groups out of sight are not laid out.
      await page.addStyleTag({ content: '.group { content-visibility: visible !important; }' });
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

test('filters show what was chosen and how many findings match', async () => {
  const { page, close } = await open(report('filters', [DRAFTS]));
  const all = await visible(page);
  assert.ok(all > 100, String(all));
  assert.equal(await status(page), `Showing all ${all} findings in this page`);
  const warnings = await page.locator('.f.warning').count();
  await page.getByRole('checkbox', { name: 'Errors' }).uncheck();
  await page.getByRole('checkbox', { name: 'Infos' }).uncheck();
  assert.equal(await visible(page), warnings);
  assert.equal(await status(page), `Showing ${warnings} of ${all} findings`);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.waitForFunction(() => document.getElementById('shown').textContent.includes('all'));
  assert.equal(await visible(page), all);

  await page.getByRole('button', { name: 'Wrong type of value' }).click();
  const rules = await page.locator('.f:not([hidden]) .rule').allTextContents();
  assert.ok(rules.length > 0 && rules.every(it => it === 'structure/wrong-type'), rules.join());

  await page.getByRole('button', { name: 'Show all' }).click();
  const client = await page.locator('#client option').nth(1).textContent();
  await page.locator('#client').selectOption({ label: client });
  assert.deepEqual(await page.locator('.group:visible h3').count(), 1);
  assert.ok((await page.locator('.group:visible h3').textContent()).startsWith(client));

  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByLabel('Search').fill('stop OPT');
  await page.waitForFunction(() => document.getElementById('shown').textContent.includes(' of '));
  for (const text of await page.locator('.f:not([hidden])').allTextContents()) assert.match(text, /stop[^]*opt|opt[^]*stop/i);
  await page.getByLabel('Search').fill('nothing has these words');
  await page.getByText('No finding matches the filters.').waitFor();
  assert.equal(await visible(page), 0);
  await close();
});

test('the keyboard reaches the findings first and every control', async () => {
  const { page, close } = await open(report('keyboard', [DRAFTS]));
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the findings');
  await page.keyboard.press('Enter');
  assert.equal(new URL(page.url()).hash, '#findings');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'q');
  await close();
});

test('without scripts the page has every finding and no filter', async () => {
  const { page, close } = await open(report('plain', [DRAFTS]), { javaScriptEnabled: false });
  assert.equal(await page.locator('#filters').isVisible(), false);
  assert.equal(await page.locator('tr.more').first().isVisible(), true);
  const folded = await page.locator('details .f').count();
  assert.equal(await page.locator('.f:visible').count(), await page.locator('.f').count() - folded);
  await close();
});

test('no text of a draft becomes markup', async () => {
  const name = draft('hostile.json', {
    businessName: hostile, [hostile]: hostile, useCase: hostile, useCaseSummary: `${hostile} we text customers ${hostile}`,
    corporateWebsite: hostile, phoneNumbers: [hostile],
  });
  const { page, close } = await open(report('hostile', [name]));
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  assert.deepEqual(await page.evaluate(() => [document.images.length, document.scripts.length, document.querySelectorAll('a:not(.skip)').length]), [0, 1, 0]);
  assert.equal(await page.locator('main').count(), 1);
  assert.match(await page.locator('.group h3').first().textContent(), /<img src=http/);
  assert.doesNotMatch(await page.content(), /\u202e/);
  await page.getByLabel('Search').fill('onerror');
  await page.waitForFunction(() => document.getElementById('shown').textContent.includes('Showing'));
  assert.ok(await visible(page) > 0);
  await close();
});

test('ten thousand findings are shown within a limit, errors first', async () => {
  const [head, ...rows] = readFileSync(join(DRAFTS, 'bulk-csv/clients-with-mistakes.csv'), 'utf8').trimEnd().split('\n');
  const client = at => rows[at % rows.length].replace(/^[^,]*/, `Client ${at % 300}`);
  const table = file => [head, ...Array.from({ length: 350 }, (_, at) => client(file * 350 + at))].join('\n');
  const files = Array.from({ length: 10 }, (_, file) => draft(`many-${file}.csv`, table(file)));
  const path = report('many', files);
  assert.ok(statSync(path).size < 8 << 20, `${statSync(path).size} bytes`);
  const { page, close } = await open(path);
  const shown = await page.locator('.f').count();
  assert.equal(shown, 5_000);
  assert.equal(await page.locator('.f:not(.error)').count(), 0);
  assert.match(await page.locator('#findings').textContent(), /This page shows 5000 of \d+ findings, errors first; \d+ are left out/);
  assert.match(await page.locator('.group summary').first().textContent(), /^and \d+ more$/);
  await page.locator('#client').selectOption({ label: 'Client 7' });
  assert.match(await status(page), /^Showing \d+ of 5,000 findings$/);
  assert.ok(await visible(page) > 0);
  await close();
});

test('print has everything that is folded, and no controls', async () => {
  const { page, close } = await open(report('print', [DRAFTS]));
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('#filters').isVisible(), false);
  assert.equal(await page.locator('tr.more').last().isVisible(), true);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.locator('details:not([open])').count(), 0);
  const pdf = await page.pdf({ format: 'A4' });
  assert.ok(pdf.length > 10_000);
  if (SCREENSHOTS) writeFileSync(join(SCREENSHOTS, 'report.pdf'), pdf);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.ok(await page.locator('details:not([open])').count() > 0);
  await close();
});

test('a report without findings says so and lists the drafts', async () => {
  const { page, close } = await open(report('nothing', [join(DRAFTS, 'bulk-csv/clients.csv')]));
  await page.getByText('Nothing to fix was found.').waitFor();
  await page.locator('details.ready > summary').click();
  assert.ok(await page.locator('details.ready li').count() > 1);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map(it => it.id), []);
  await close();
});
