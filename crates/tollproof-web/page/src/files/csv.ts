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

/** A table as CSV. */
export function csvOf(rows: string[][]): string {
  return `${rows.map((row) => row.map(quoted).join(',')).join('\r\n')}\r\n`;
}

/** CSV with the byte order mark, without which Excel does not read it as UTF-8. */
export function withMark(csv: Uint8Array): Uint8Array {
  return new Uint8Array([0xef, 0xbb, 0xbf, ...csv]);
}

/** A cell in quotes. What a sheet would run as a formula gets an apostrophe. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
