// Tables as CSV (RFC 4180).

/** The rows of a CSV text with commas and quotes. */
export function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[at++];
      else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === ',' || character === '\n') {
      row.push(cell);
      cell = '';
      if (character === '\n') rows.push(row.splice(0));
    } else if (character !== '\r' || text[at + 1] !== '\n') cell += character;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows;
}

/** A table of drafts as CSV. What a sheet would run as a formula gets an apostrophe; telephone numbers stay. */
export function draftsAsCsv(rows: string[][]): Uint8Array {
  return written(rows, (text) => (isFormula(text) ? `'${text}` : text));
}

/** A cell of such a table as it was before. */
export function unguarded(text: string): string {
  return text.startsWith("'") && isFormula(text.slice(1)) ? text.slice(1) : text;
}

/** Whether a spreadsheet program would calculate a cell, as the engine sees it. */
function isFormula(text: string): boolean {
  return /^\s*[=+\-@]|^[\t\r]/.test(text) && !/^[\d+\-.() ]*$/.test(text);
}

/** A table for people as CSV. What a sheet would run as a formula gets an apostrophe. */
export function csvOf(rows: string[][]): Uint8Array {
  return written(rows, (text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text));
}

/** CSV with the byte order mark, without which Excel does not read it as UTF-8. */
function written(rows: string[][], guarded: (text: string) => string): Uint8Array {
  const separator = separatorOf(navigator.language);
  const cell = (text: string) => `"${guarded(text).replaceAll('"', '""')}"`;
  const text = rows.map((row) => `${row.map(cell).join(separator)}\r\n`).join('');
  return new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(text)]);
}

/** What Excel expects between the cells: a semicolon where numbers have a decimal comma. */
function separatorOf(locale: string): ',' | ';' {
  return (1.5).toLocaleString(locale).includes(',') ? ';' : ',';
}
