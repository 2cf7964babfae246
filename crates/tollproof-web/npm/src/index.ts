// The engine without its WebAssembly: `start` takes the bytes. The entries for Node and browsers load them.

import * as engine from "./engine.js";
import type { Check, CheckOptions, Field, Kind, Provider, Rule } from "./types.js";

export type * from "./types.js";

/** Starts the engine with the bytes of `engine_bg.wasm`, or with the compiled module. */
export function start(module: BufferSource | WebAssembly.Module): void {
  engine.initSync({ module });
}

/**
 * Checks a draft, as the call of a provider's SDK takes it, or a list of drafts. Nothing leaves the computer.
 *
 * @throws if a value cannot be written as JSON, or an option is unknown
 */
export function check(value: unknown, options: CheckOptions = {}): Check {
  return read(call(() => engine.check(json(value), written(options))));
}

/** The providers. */
export function providers(): Provider[] {
  return read(engine.providers());
}

/** The fields of a provider's kind, by default of its submit request, in the provider's order. */
export function fields(provider: string, kind?: Kind): Field[] {
  return read(call(() => engine.fields(provider, kind ?? "")));
}

/** A rule with its documentation; null if there is none with this id. */
export function rule(id: string): Rule | null {
  return read(engine.rule(id));
}

function read<T>(text: string): T {
  return JSON.parse(text) as T;
}

function json(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("the value cannot be written as JSON");
  return text;
}

function written({ now = new Date(), ...options }: CheckOptions & { fileName?: string }): string {
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
