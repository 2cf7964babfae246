// The entry for Node: the engine is loaded at once, the reader of workbooks with the first workbook.

// @ts-expect-error: the types of Node are not needed for this one function
import { readFileSync } from "node:fs";

import { check, chooseLanguage, loadLanguage, start, startWorkbooks, type Language } from "./index.js";

export * from "./index.js";

const file = (name: string) => readFileSync(new URL(name, import.meta.url));
start(file("./engine_bg.wasm"), file("./rules.bin"));
startWorkbooks(() => file("./workbooks_bg.wasm"));

/** Prepares the rules, which the first check does otherwise: about a second. In browsers, it must be called first. */
export async function init(_options: { workbooks?: boolean } = {}): Promise<void> {
  check({});
}

/** Chooses the language of findings, fields, rules and explanations for all calls from now on; it is English at first. */
export async function useLanguage(language: Language): Promise<void> {
  if (language === "es" || language === "fr") loadLanguage(language, file(`./${language}.bin`));
  chooseLanguage(language);
}
