// A file of the page, saved by the browser.

/** The formats in which drafts are saved. */
export type SavedFormat = 'json' | 'yaml' | 'csv' | 'xlsx';

/** These, and those of texts about drafts. */
type FileFormat = SavedFormat | 'html' | 'txt';

const TYPES: Record<FileFormat, string> = {
  json: 'application/json',
  yaml: 'application/yaml',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html;charset=utf-8',
  txt: 'text/plain;charset=utf-8',
};

export function download(bytes: Uint8Array, name: string, format: FileFormat): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: TYPES[format] }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
