// The entry for Node, where the engine is loaded at once.

// @ts-expect-error: the types of Node are not needed for this one function
import { readFileSync } from "node:fs";

import { start } from "./index.js";

export * from "./index.js";

start(readFileSync(new URL("./engine_bg.wasm", import.meta.url)));

/** Does nothing: in Node, the engine is loaded already. In browsers, it must be called first. */
export async function init(): Promise<void> {}
