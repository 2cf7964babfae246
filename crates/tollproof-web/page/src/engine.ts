// The engine, its rules and the reader of workbooks, which are embedded in the page, compressed.

export * from 'tollproof';
import { signal } from '@preact/signals';
import { check, chooseLanguage, isWorkbook, loadLanguage, read, start, startWorkbooks } from 'tollproof';
import type { Language, Read } from 'tollproof';
import { XzReadableStream } from 'xz-decompress';
import { inPauses, pause } from './state/slices';

/** Whether drafts can be checked. Everything else of the engine works before that. */
export const isReady = signal(false);

/** Starts the engine. */
export async function startEngine(): Promise<void> {
  const rules = embedded('rules').arrayBuffer();
  start(await compiled('engine'), new Uint8Array(await rules));
}

/** Prepares the rules when the form has been drawn. `checkFirst` checks what is shown first, whose findings are drawn in another task. */
export function prepareRules(checkFirst: () => void): void {
  requestAnimationFrame(async () => {
    await pause();
    check({});
    await pause();
    checkFirst();
    await pause();
    isReady.value = true;
    performance.mark('ready');
  });
}

let workbooks: Promise<void> | undefined;

/** Reads the drafts of a file. The first workbook waits for the end of the page, which has the reader of workbooks. */
export async function readFile(bytes: Uint8Array, name: string): Promise<Read> {
  if (isWorkbook(bytes)) await (workbooks ??= wholePage().then(() => compiled('workbooks')).then(startWorkbooks));
  return read(bytes, name);
}

/** The language of what the engine says. */
export const spoken = signal<Language>('en');

let wanted: Language = 'en';

/** Chooses the language of what the engine says. */
export async function useLanguage(language: Language): Promise<void> {
  wanted = language;
  await prepareLanguage(language);
  if (wanted !== language) return;
  chooseLanguage(language);
  spoken.value = language;
}

const prepared = new Map<Language, Promise<void>>([['en', Promise.resolve()]]);

/** Loads what the engine says in a language, which is at the end of the page. */
export function prepareLanguage(language: Language): Promise<void> {
  const load = async () => {
    await wholePage();
    loadLanguage(language, new Uint8Array(await embedded(language).arrayBuffer()));
  };
  const known = prepared.get(language) ?? load();
  prepared.set(language, known);
  return known;
}

let lent: Language | null = null;

/** The language that engine and page have lent to `inLanguage`; `null` if each has its own. */
export function lentLanguage(): Language | null {
  return lent;
}

/** Runs something in a language that was prepared. It must not wait: the page does not notice. */
export function inLanguage<T>(language: Language, run: () => T): T {
  chooseLanguage(language);
  lent = language;
  try {
    return run();
  } finally {
    lent = null;
    chooseLanguage(spoken.peek());
  }
}

/** What the engine says in each language. */
export async function inAllLanguages<T>(ask: () => T): Promise<T[]> {
  const all: Language[] = ['en', 'es', 'fr'];
  await Promise.all(all.map(prepareLanguage));
  return all.map((language) => inLanguage(language, ask));
}

/** The WebAssembly in an element of the page. */
async function compiled(id: string): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(embedded(id));
}

/** The content of an element of the page. */
function embedded(id: string): Response {
  const element = document.getElementById(id);
  const packed = decoded(element?.textContent ?? '');
  element?.remove();
  const unpacked = new XzReadableStream(new Response(packed).body as ReadableStream<Uint8Array>).pipeThrough(inPauses());
  return new Response(unpacked, { headers: { 'Content-Type': 'application/wasm' } });
}

/** The bytes of a text in Base64. The function of new browsers is many times faster. */
function decoded(text: string): Uint8Array<ArrayBuffer> {
  const Bytes = Uint8Array as typeof Uint8Array & { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  return Bytes.fromBase64?.(text) ?? Uint8Array.from(atob(text), (it) => it.charCodeAt(0));
}

/** Waits until all of the page has arrived. */
export async function wholePage(): Promise<void> {
  if (document.readyState !== 'loading') return;
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
}
