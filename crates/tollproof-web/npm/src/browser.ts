// The entry for browsers and bundlers.

import { start } from "./index.js";

export * from "./index.js";

let started: Promise<void> | undefined;

/** Loads the engine; call it once before the other functions. */
export function init(): Promise<void> {
  started ??= (async () => {
    const response = await fetch(new URL("./engine_bg.wasm", import.meta.url));
    if (!response.ok) throw new Error(`cannot load the engine: HTTP status ${response.status}`);
    start(await WebAssembly.compile(await response.arrayBuffer()));
  })();
  return started;
}
