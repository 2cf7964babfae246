// The entry for Node: the engine is loaded at once, the reader of workbooks with the first workbook.

// @ts-expect-error: the types of Node are not needed for this one function
import { readFileSync } from "node:fs";

import { check, start, startWorkbooks } from "./index.js";

export * from "./index.js";

start(readFileSync(new URL("./engine_bg.wasm", import.meta.url)));
startWorkbooks(() => readFileSync(new URL("./workbooks_bg.wasm", import.meta.url)));

/** Prepares the rules, which the first check does otherwise: about a second. In browsers, it must be called first. */
export async function init(_options: { workbooks?: boolean } = {}): Promise<void> {
  check({});
}
