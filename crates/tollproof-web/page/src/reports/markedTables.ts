// The drafts as a table in which cells with findings are marked, and the findings as a second one.

import type { Finding } from 'tollproof';
import { get, isEmpty } from '../draft/pointer';
import { valuesOf } from '../draft/values';
import { joined } from '../handover/entries';
import type { Cell, Look, Table } from '../files/workbook';
import { bySeverity, fieldAt, nameAt } from '../state/findings';
import { rowName, rowOf } from '../state/session';
import { labelOf, t } from '../words';
import type { Collected } from './collect';
import { plain, printable, replacement } from './plain';

/** The most characters that a cell of Excel takes. */
const LONGEST = 32_767;

export function markedTables(all: readonly Collected[]): Table[] {
  return [drafts(all), findings(all)];
}

/** A row for each draft, a column for each field in which one has a value or a finding. */
function drafts(all: readonly Collected[]): Table {
  const used = new Set<string>();
  const rows = all.map((it) => ({ ...it, cells: cellsOf(it) }));
  for (const { cells } of rows) for (const name of cells.keys()) used.add(name);
  const shown = (all[0]?.fields ?? []).filter((it) => used.has(it.name));
  const titles = [t('row'), t('findings'), ...shown.map((it) => labelOf(it).text)];
  return {
    name: t('drafts'),
    rows: [
      head(titles),
      ...rows.map(({ draft, at, findings, cells }) => [
        String(rowOf(draft, at)),
        { text: counts(findings), look: lookOf(findings) },
        ...shown.map(({ name }) => cells.get(name) ?? ''),
      ]),
    ],
    widths: [6, 16, ...shown.map((it) => (it.type === 'long-text' ? 48 : 24))],
  };
}

/** The cells of a draft by the names of their fields. */
function cellsOf({ draft, fields, findings }: Collected): Map<string, Cell> {
  const places = findings.map((finding) => ({ finding, field: fieldAt(fields, finding.pointer) }));
  const cells = new Map<string, Cell>();
  for (const field of fields) {
    const value = get(draft.value, field.pointer);
    const own = places.filter((it) => it.field === field).map((it) => it.finding);
    if (own.length === 0 && isEmpty(value)) continue;
    cells.set(field.name, { text: cell(joined({ field, values: valuesOf(field, value) })), look: lookOf(own) });
  }
  return cells;
}

function findings(all: readonly Collected[]): Table {
  const rows = all.flatMap((it) =>
    bySeverity(it.findings).map((finding): Cell[] => {
      const { severity, pointer, message, help, related } = finding;
      const field = fieldAt(it.fields, pointer);
      const others = related.flatMap(({ file }) => (file === null ? [] : t('otherRow', rowName(file))));
      const place = field === undefined ? nameAt(pointer) : labelOf(field).text;
      const instead = [help === null ? '' : plain(help, it.fields), replacement(finding, it) ?? ''].filter(Boolean).join(' ');
      const texts = [place === '' ? t('wholeDraft') : place, [plain(message, it.fields), ...others].join(' '), instead];
      return [String(rowOf(it.draft, it.at)), cell(it.name), { text: t(severity), look: severity }, ...texts.map(cell)];
    }),
  );
  const titles = [t('row'), t('businessName'), t('severity'), t('field'), t('finding'), t('toDo')];
  return { name: t('findings'), rows: [head(titles), ...rows], widths: [6, 24, 12, 24, 60, 60] };
}

function head(titles: string[]): Cell[] {
  return titles.map((text) => ({ text, look: 'head' }));
}

/** How many errors and warnings there are, in words. */
function counts(findings: readonly Finding[]): string {
  const of = (severity: string) => findings.filter((it) => it.severity === severity).length;
  const [errors, warnings] = [of('error'), of('warning')];
  return [errors > 0 ? t('nErrors', { n: errors }) : '', warnings > 0 ? t('nWarnings', { n: warnings }) : ''].filter(Boolean).join('\n');
}

function lookOf(findings: readonly Finding[]): Look {
  return bySeverity(findings)[0]?.severity ?? 'plain';
}

function cell(text: string): string {
  return printable(text).slice(0, LONGEST);
}
