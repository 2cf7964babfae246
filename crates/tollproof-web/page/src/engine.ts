// The engine, its rules and the reader of workbooks, which are embedded in the page, compressed.

export * from 'tollproof';
import { check, chooseLanguage, isWorkbook, loadLanguage, read, start, startWorkbooks } from 'tollproof';
import type { Language, Read } from 'tollproof';
import { XzReadableStream } from 'xz-decompress';

/** Starts the engine. Everything else of it works after that. */
export async function startEngine(): Promise<void> {
  const rules = embedded('rules').arrayBuffer();
  start(await compiled('engine'), new Uint8Array(await rules));
  // The first check prepares the rules; a person should not wait for it at the first key.
  check({});
}

let workbooks: Promise<void> | undefined;

/** Reads the drafts of a file. The first workbook waits for the end of the page, which has the reader of workbooks. */
export async function readFile(bytes: Uint8Array, name: string): Promise<Read> {
  if (isWorkbook(bytes)) await (workbooks ??= wholePage().then(() => compiled('workbooks')).then(startWorkbooks));
  return read(bytes, name);
}

/** Chooses the language of what the engine says. Its texts are at the end of the page. */
export async function useLanguage(language: Language): Promise<void> {
  if (language !== 'en') {
    await wholePage();
    if (document.getElementById(language) !== null) {
      loadLanguage(language, new Uint8Array(await embedded(language).arrayBuffer()));
    }
  }
  chooseLanguage(language);
}

/** The WebAssembly in an element of the page. */
async function compiled(id: string): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(embedded(id));
}

/** The content of an element of the page. */
function embedded(id: string): Response {
  const element = document.getElementById(id);
  const packed = Uint8Array.from(atob(element?.textContent ?? ''), (it) => it.charCodeAt(0));
  element?.remove();
  const unpacked = new XzReadableStream(new Blob([packed]).stream());
  return new Response(unpacked, { headers: { 'Content-Type': 'application/wasm' } });
}

/** Waits until all of the page has arrived. */
async function wholePage(): Promise<void> {
  if (document.readyState !== 'loading') return;
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
}
