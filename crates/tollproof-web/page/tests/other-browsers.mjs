// The page in Firefox and WebKit, through WebDriver: a walk from the first visit to saved files. What the page does in detail is
// tested in Chromium, with Playwright.
//
// `.ci/test-browsers` starts the drivers: FIREFOX_DRIVER and WEBKIT_DRIVER are their addresses, WEBKIT is the program of the
// browser, and DOWNLOADS the folder into which both save.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Builder, By, Capabilities, until } from 'selenium-webdriver';

const PAGE = new URL('../dist/tollproof.html', import.meta.url).href;
const DRAFT = fileURLToPath(new URL('../../../../tests/drafts/twilio/juniper-stage.json', import.meta.url));
const CLIENTS = fileURLToPath(new URL('../../../../tests/drafts/bulk-csv/clients.csv', import.meta.url));
const { DOWNLOADS = '', FIREFOX_DRIVER, WEBKIT_DRIVER, WEBKIT } = process.env;

/** How long what was asked for may take, in milliseconds. */
const PATIENCE = 20_000;

const FIREFOX = {
  browserName: 'firefox',
  'moz:firefoxOptions': {
    args: ['-headless'],
    prefs: { 'browser.download.folderList': 2, 'browser.download.dir': DOWNLOADS },
  },
};

const BROWSERS = [
  { name: 'Firefox', driver: FIREFOX_DRIVER, capabilities: FIREFOX },
  {
    name: 'WebKit',
    driver: WEBKIT_DRIVER,
    capabilities: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary: WEBKIT, args: ['--automation'] } },
  },
];

for (const { name, driver, capabilities } of BROWSERS) {
  describe(name, () => {
    /** @type {import('selenium-webdriver').WebDriver} */
    let browser;

    before(async () => {
      assert.ok(driver, `the address of the driver of ${name} is not set`);
      browser = await new Builder().usingServer(driver).withCapabilities(new Capabilities(capabilities)).build();
      await browser.get(PAGE);
    });
    after(async () => await browser?.quit());

    const shown = async (by) => {
      const element = await browser.wait(until.elementLocated(by), PATIENCE, String(by));
      return await browser.wait(until.elementIsVisible(element), PATIENCE, String(by));
    };
    const click = async (by) => {
      const element = await shown(by);
      // What stays at the edges of the window would cover it there.
      await browser.executeScript('arguments[0].scrollIntoView({ block: "center" })', element);
      await element.click();
    };
    const press = async (text) => await click(By.xpath(`//button[normalize-space(.)=${JSON.stringify(text)}]`));
    const field = async (label) => await shown(By.xpath(`//*[@id=//label[normalize-space(.)=${JSON.stringify(label)}]/@for]`));
    const has = async (label, value) => {
      const same = async () => (await (await field(label)).getAttribute('value')) === value;
      await browser.wait(same, PATIENCE, `${label} should be ${value}`);
    };
    const title = async (text) => await shown(By.xpath(`//h1[normalize-space(.)=${JSON.stringify(text)}]`));
    const open = async (path) => await browser.findElement(By.css('input[type=file]')).sendKeys(path);
    const verdict = async (words) => {
      const same = async () => (await browser.findElement(By.css('.score dd')).getText()) === words;
      await browser.wait(same, PATIENCE, `the verdict should be: ${words}`);
    };
    const save = async (format, file) => {
      const path = join(DOWNLOADS, file);
      rmSync(path, { force: true });
      await press('Save');
      await click(By.xpath(`//dialog//label[normalize-space(.)=${JSON.stringify(format)}]`));
      await press('Download');
      await browser.wait(() => existsSync(path) && !existsSync(`${path}.part`), PATIENCE, `${file} should be saved`);
      return path;
    };

    test('a first visit shows an example and its mistakes', async () => {
      await shown(By.css('.finding'));
    });

    test('the page changes its language', async () => {
      const language = await shown(By.css('header select'));
      for (const [code, text] of [['fr', "Commencer avec un formulaire vide"], ['en', 'Start with an empty form']]) {
        await language.findElement(By.css(`option[value=${code}]`)).click();
        await shown(By.xpath(`//html[@lang="${code}"]//button[normalize-space(.)="${text}"]`));
      }
    });

    test('a draft is opened, and checked while it is typed', async () => {
      await open(DRAFT);
      await title('Juniper Stage Company, Inc.');
      await verdict('Nothing found');
      const mail = await field('Contact, e-mail');
      const written = await mail.getAttribute('value');
      for (const [text, words] of [['ticket office', '1 error'], [written, 'Nothing found']]) {
        await browser.executeScript('arguments[0].select()', mail);
        await mail.sendKeys(text);
        await verdict(words);
      }
    });

    test('a value is copied', async () => {
      await press('Copy field by field');
      await click(By.xpath(`//button[starts-with(normalize-space(.), "Copy Business name")]`));
      await shown(By.xpath('//button[starts-with(normalize-space(.), "Copied")]'));
      await browser.navigate().back();
      await field('Business name');
    });

    for (const [format, ending] of [['JSON', 'json'], ['Sheet (Excel)', 'xlsx']]) {
      test(`a draft is saved as ${ending} and opened again`, async () => {
        const path = await save(format, `juniper-stage-company-inc.${ending}`);
        if (ending === 'json') {
          assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), JSON.parse(readFileSync(DRAFT, 'utf8')));
        }
        await press('Clear');
        await press('Clear everything');
        await has('Business name', '');
        await open(path);
        await has('Business name', 'Juniper Stage Company, Inc.');
        await verdict('Nothing found');
      });
    }

    test('a draft that is kept is there after the page was loaded again', async () => {
      await click(By.xpath('//label[normalize-space(.)="Keep my drafts in this browser"]'));
      await pause(1000);
      await browser.navigate().refresh();
      await has('Business name', 'Juniper Stage Company, Inc.');
    });

    test('the rows of a sheet are checked', async () => {
      await open(CLIENTS);
      await shown(By.css('tbody tr'));
      assert.ok((await browser.findElements(By.css('tbody tr'))).length > 1, basename(CLIENTS));
    });
  });
}
