// The entry for browsers loads the reader of workbooks when it is asked to.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { check, init, isWorkbook, read } from "../dist/browser.js";

test("a browser loads the reader of workbooks when it is asked to", async () => {
  const loaded = [];
  globalThis.fetch = async (url) => {
    loaded.push(url.pathname.split("/").at(-1));
    return new Response(readFileSync(url));
  };
  await init();
  assert.ok(check({}).findings.length > 0);
  const damaged = new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]);
  assert.ok(isWorkbook(damaged) && !isWorkbook(new Uint8Array([0x50])));
  assert.throws(() => read(damaged, "drafts.xlsx"), /init\({ workbooks: true }\)/);
  await init({ workbooks: true });
  await init({ workbooks: true });
  assert.throws(() => read(damaged, "drafts.xlsx"), /it is not a workbook/);
  assert.deepEqual(loaded.sort(), ["engine_bg.wasm", "rules.bin", "workbooks_bg.wasm"]);
});
