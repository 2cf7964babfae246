// The engine without its WebAssembly and rules: `start` and `startWorkbooks` take the bytes. The entries for Node and
// browsers load them.

import * as engine from "./engine.js";
import * as workbooks from "./workbooks.js";
import type {
  Answers,
  Check,
  CheckOptions,
  Conversion,
  Explanation,
  Field,
  Kind,
  Language,
  Provider,
  Questions,
  Read,
  Rule,
  Sample,
  TextCheck,
  TextOptions,
  Written,
} from "./types.js";

export type * from "./types.js";

/** The bytes of a WebAssembly file, or the compiled module. */
export type Wasm = BufferSource | WebAssembly.Module;

/** Starts the engine with `engine_bg.wasm` and the rules, vocabulary and providers of `rules.bin`. */
export function start(module: Wasm, rules: Uint8Array): void {
  engine.initSync({ module });
  engine.loadPrepared(rules);
}

/** Takes the texts of a language, `es.bin` or `fr.bin`. */
export function loadLanguage(language: Language, texts: Uint8Array): void {
  call(() => engine.loadLanguage(language, texts));
}

/** Chooses a language that was loaded, or English, for all that is said from now on. */
export function chooseLanguage(language: Language): void {
  call(() => engine.chooseLanguage(language));
}

let reader: Wasm | (() => Wasm) = () => {
  throw new Error("call `await init({ workbooks: true })` before you read a workbook");
};

/** Starts the reader of workbooks with `workbooks_bg.wasm`. A function is called when the first workbook is read. */
export function startWorkbooks(module: Wasm | (() => Wasm)): void {
  reader = module;
}

/** Whether the bytes of a file are those of a workbook. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return [0x50, 0x4b, 3, 4].every((byte, at) => bytes[at] === byte);
}

/**
 * Checks a draft, as the call of a provider's SDK takes it, or a list of drafts. Nothing leaves the computer.
 *
 * @throws if a value contains itself, or an option is unknown
 */
export function check(value: unknown, options: CheckOptions = {}): Check {
  return parsed(call(() => engine.check(json(value), written(options))));
}

/** Checks a text in any format: JSON, YAML, NDJSON or CSV. */
export function checkText(text: string, options: TextOptions = {}): TextCheck {
  return parsed(call(() => engine.checkText(text, written(options))));
}

/** The providers. */
export function providers(): Provider[] {
  return parsed(engine.providers());
}

/**
 * The fields of a provider's kind, by default of its submit request, in the provider's order. With a draft, their
 * pointers are spelled as its keys.
 */
export function fields(provider: string, kind?: Kind, value: unknown = {}): Field[] {
  return parsed(call(() => engine.fields(provider, kind ?? "", json(value))));
}

/** The labels of people above columns and before values, in three languages, by the role that they mean. */
export function headings(): Record<string, string[]> {
  return parsed(engine.headings());
}

/**
 * The parts of an address in one line or cell, by the roles of their fields (`businessAddr1`, `businessCity`, `businessState`,
 * `businessZip`, `businessCountry`), as a provider writes them; null if street, city and postal code cannot be told from each other.
 */
export function addressParts(text: string, provider: string): Record<string, string> | null {
  return parsed(call(() => engine.addressParts(text, provider)));
}

/** A rule with its documentation; null if there is none with this id. */
export function rule(id: string): Rule | null {
  return parsed(engine.rule(id));
}

/**
 * Reads the drafts of a file: JSON, YAML, NDJSON, CSV, or a workbook of Excel (.xlsx). In a browser, call
 * `await init({ workbooks: true })` before you read a workbook.
 *
 * @throws if the file is a workbook that cannot be read
 */
export function read(bytes: Uint8Array, fileName: string): Read {
  if (!isWorkbook(bytes)) return parsed(engine.read(bytes, fileName));
  if (typeof reader === "function") reader = reader();
  // Only the first call does something.
  workbooks.initSync({ module: reader });
  return parsed(call(() => engine.readSheets(workbooks.sheets(bytes), fileName)));
}

/**
 * Writes drafts of a provider as a file.
 *
 * @throws if a draft has fields inside fields, which a table cannot hold
 */
export function write(values: unknown[], format: "json" | "yaml" | "csv", provider: string): Written {
  const { text, notes } = parsed<{ text: string; notes: Written["notes"] }>(
    call(() => engine.write(json(values), format, provider)),
  );
  return { bytes: new TextEncoder().encode(text), notes };
}

/** Converts a draft to another provider's. An empty `from` is what its field names show. */
export function convert(value: unknown, from: string, to: string): Conversion {
  return parsed(call(() => engine.convert(json(value), from, to)));
}

/**
 * Explains an answer on the draft that it is about: the body of a response, a record, or the text of an e-mail. With `null` for
 * the draft, it says what the reasons mean.
 */
export function explain(answer: string, value: unknown = null, options: CheckOptions | string = {}): Explanation {
  const chosen = typeof options === "string" ? { provider: options } : options;
  return parsed(call(() => engine.explain(answer, json(value), written(chosen))));
}

/** What a reader is asked about a draft, or a list of drafts, and `readings` do not answer. */
export function questions(value: unknown, options: CheckOptions = {}): Questions {
  return parsed(call(() => engine.questions(json(value), written(options))));
}

/** The answers to `questions` in what a person or an assistant wrote: add the `readings` to the option of `check`. */
export function answers(text: string, value: unknown, options: CheckOptions = {}): Answers {
  return parsed(call(() => engine.answers(text, json(value), written(options))));
}

/** How long a sample message is as a text message, and what makes it longer. */
export function sample(text: string): Sample {
  return parsed(engine.sample(text));
}

function parsed<T>(text: string): T {
  return JSON.parse(text) as T;
}

function json(value: unknown): string {
  // What JSON cannot express is not a draft either.
  return JSON.stringify(value) ?? "null";
}

function written({ now = new Date(), ...options }: TextOptions): string {
  return JSON.stringify({ ...options, now: now instanceof Date ? now.toISOString() : now });
}

/** Calls the engine. Its errors are strings. */
function call<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw typeof error === "string" ? new Error(error) : error;
  }
}
