// The engine: WebAssembly that is embedded in the page, compressed.

export * from 'tollproof';
import { check, start } from 'tollproof';

/** Starts the engine from the element of the page that contains it. Everything else of it works after that. */
export async function startEngine(): Promise<void> {
  const element = document.getElementById('engine');
  const packed = Uint8Array.from(atob(element?.textContent?.trim() ?? ''), (it) => it.charCodeAt(0));
  element?.remove();
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const type = { headers: { 'Content-Type': 'application/wasm' } };
  await start(await WebAssembly.compileStreaming(new Response(unpacked, type)));
  // The first check prepares the rules; a person should not wait for it at the first key.
  check({});
}
