// The engine and the reader of workbooks: WebAssembly that is embedded in the page, compressed.

export * from 'tollproof';
import { check, isWorkbook, read, start, startWorkbooks } from 'tollproof';
import type { Read } from 'tollproof';
import { XzReadableStream } from 'xz-decompress';

/** Starts the engine. Everything else of it works after that. */
export async function startEngine(): Promise<void> {
  start(await embedded('engine'));
  // The first check prepares the rules; a person should not wait for it at the first key.
  check({});
}

let workbooks: Promise<void> | undefined;

/** Reads the drafts of a file. The first workbook waits for the end of the page, which has the reader of workbooks. */
export async function readFile(bytes: Uint8Array, name: string): Promise<Read> {
  if (isWorkbook(bytes)) await (workbooks ??= wholePage().then(() => embedded('workbooks')).then(startWorkbooks));
  return read(bytes, name);
}

/** The WebAssembly in an element of the page. */
async function embedded(id: string): Promise<WebAssembly.Module> {
  const element = document.getElementById(id);
  const packed = Uint8Array.from(atob(element?.textContent ?? ''), (it) => it.charCodeAt(0));
  element?.remove();
  const unpacked = new XzReadableStream(new Blob([packed]).stream());
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: { 'Content-Type': 'application/wasm' } }));
}

/** Waits until all of the page has arrived. */
async function wholePage(): Promise<void> {
  if (document.readyState !== 'loading') return;
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
}
