// Tables as a workbook of Excel (ECMA-376). All cells are texts, so that no zero is lost.

import { zip } from './zip';

/** How a cell looks. */
export type Look = 'plain' | 'head' | 'error' | 'warning' | 'info';

/** A text, or a text with a look. */
export type Cell = string | { text: string; look: Look };

export interface Table {
  name: string;
  /** The first row is the head, which stays in view and is printed on each page. */
  rows: Cell[][];
  /** The widths of columns, in characters; with them, texts are wrapped. */
  widths?: number[];
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
/** The colours of looks. */
const FILLS: Record<Look, string> = { plain: '', head: 'FFE8ECEF', error: 'FFF9D6D2', warning: 'FFFCE9C0', info: 'FFDCE9F7' };
const LOOKS = Object.keys(FILLS) as Look[];

/** The workbook with a sheet for each table. */
export function workbook(tables: Table[]): Promise<Uint8Array> {
  const numbered = tables.map((table, at) => ({ ...table, at, id: at + 1, name: sheetName(table.name) }));
  const each = (write: (it: (typeof numbered)[number]) => string) => numbered.map(write).join('');
  const styles = tables.length + 1;
  return zip({
    '[Content_Types].xml': `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${each(({ id }) => `<Override PartName="/xl/worksheets/sheet${id}.xml" ContentType="${TYPE}.worksheet+xml"/>`)}</Types>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${each(({ id, name }) => `<sheet name="${name}" sheetId="${id}" r:id="rId${id}"/>`)}</sheets><definedNames>${each(({ at, name }) => `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">'${name.replaceAll("'", "''")}'!$1:$1</definedName>`)}</definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${RELATIONS}">${each(({ id }) => `<Relationship Id="rId${id}" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet${id}.xml"/>`)}<Relationship Id="rId${styles}" Type="${DOCUMENT}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': stylesheet(),
    ...Object.fromEntries(numbered.map((it) => [`xl/worksheets/sheet${it.id}.xml`, worksheet(it)])),
  });
}

function worksheet({ rows, widths }: Table): string {
  // The styles for wrapped texts follow the others.
  const first = widths === undefined ? 0 : LOOKS.length;
  const cell = (it: Cell) => {
    const { text, look } = typeof it === 'string' ? { text: it, look: 'plain' as const } : it;
    const style = first + LOOKS.indexOf(look);
    const attribute = style === 0 ? '' : ` s="${style}"`;
    return text === '' ? `<c${attribute}/>` : `<c${attribute} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
  };
  const data = rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('');
  const columns = widths?.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('');
  const view = '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>';
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>${view}${columns === undefined ? '' : `<cols>${columns}</cols>`}<sheetData>${data}</sheetData><pageSetup orientation="landscape" fitToHeight="0"/></worksheet>`;
}

/** Each look twice: without and with wrapped texts. The first two fills are reserved. */
function stylesheet(): string {
  const fill = (look: Look) => `<fill><patternFill patternType="solid"><fgColor rgb="${FILLS[look]}"/></patternFill></fill>`;
  const filled = LOOKS.filter((it) => FILLS[it] !== '');
  const formats = (alignment: string) =>
    LOOKS.map((it) => `<xf numFmtId="0" fontId="${it === 'head' ? 1 : 0}" fillId="${filled.includes(it) ? filled.indexOf(it) + 2 : 0}" borderId="0" xfId="0" applyFont="1" applyFill="1"${alignment}</xf>`).join('');
  const all = `${formats('>')}${formats(' applyAlignment="1"><alignment vertical="top" wrapText="1"/>')}`;
  return `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="${filled.length + 2}"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${filled.map(fill).join('')}</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${2 * LOOKS.length}">${all}</cellXfs></styleSheet>`;
}

/** A name as Excel takes it for a sheet, in XML. */
function sheetName(name: string): string {
  return escaped(name.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31));
}

/** Text as XML. Characters that XML cannot contain are left out. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
