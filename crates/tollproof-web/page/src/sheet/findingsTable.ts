// The findings of all drafts as a table, one a row, for people who work in a sheet.

import { bySeverity, fieldAt, nameAt } from '../state/findings';
import { drafts, fields, found, nameOf } from '../state/session';
import { labelOf, t } from '../words';

/** The table as CSV. Sheets read it with the byte order mark as UTF-8. */
export function findingsTable(): Uint8Array {
  const rows = [[t('row'), t('businessName'), t('severity'), t('field'), t('finding'), t('toDo')]];
  drafts.value.forEach((draft, at) => {
    const name = nameOf(draft, at, fields.value);
    for (const { severity, pointer, message, help } of bySeverity(found.value.get(draft.id)?.findings ?? [])) {
      const field = fieldAt(fields.value, pointer);
      rows.push([String(at + 1), name, t(severity), field ? labelOf(field).text : nameAt(pointer), message, help ?? '']);
    }
  });
  return new TextEncoder().encode(`\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`);
}

/** A cell in quotes. What a sheet would run as a formula gets an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
