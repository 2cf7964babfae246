// Tables with tabs whose name does not say so: "Unicode text" of Excel, and cells that were copied.

/** Whether a file with the ending `.txt`, or a text without a name, is a table with tabs; in UTF-16 they have the same byte. */
export function isTabbed(bytes: Uint8Array, name: string): boolean {
  return /^$|\.txt$/i.test(name) && /^[^\n[{]*\t/.test(new TextDecoder().decode(bytes.subarray(0, 1 << 14)));
}
