// A file of the page, saved by the browser.

/** The formats in which drafts are saved. */
export type SavedFormat = 'json' | 'yaml' | 'csv' | 'xlsx';

const TYPES: Record<SavedFormat, string> = {
  json: 'application/json',
  yaml: 'application/yaml',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export function download(bytes: Uint8Array, name: string, format: SavedFormat): void {
  const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: TYPES[format] }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
