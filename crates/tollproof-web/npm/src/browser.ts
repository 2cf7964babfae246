// The entry for browsers and bundlers.

import { check, chooseLanguage, loadLanguage, start, startWorkbooks, type Language } from "./index.js";

export * from "./index.js";

let started: Promise<void> | undefined;
let workbooksStarted: Promise<void> | undefined;

/** Loads the engine and prepares its rules; call it once before the other functions. With `workbooks`, loads the reader of workbooks too. */
export async function init(options: { workbooks?: boolean } = {}): Promise<void> {
  const needed = [(started ??= startEngine())];
  if (options.workbooks) {
    needed.push((workbooksStarted ??= compiled(new URL("./workbooks_bg.wasm", import.meta.url)).then(startWorkbooks)));
  }
  await Promise.all(needed);
}

/** Chooses the language of findings, fields, rules and explanations for all calls from now on; it is English at first. */
export async function useLanguage(language: Language): Promise<void> {
  if (language === "es" || language === "fr") {
    const texts = await loaded(new URL(`./${language}.bin`, import.meta.url));
    loadLanguage(language, new Uint8Array(texts));
  }
  chooseLanguage(language);
}

async function startEngine(): Promise<void> {
  const rules = loaded(new URL("./rules.bin", import.meta.url));
  start(await compiled(new URL("./engine_bg.wasm", import.meta.url)), new Uint8Array(await rules));
  check({});
}

async function compiled(url: URL): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await loaded(url));
}

async function loaded(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url.href}: HTTP status ${response.status}`);
  return response.arrayBuffer();
}
