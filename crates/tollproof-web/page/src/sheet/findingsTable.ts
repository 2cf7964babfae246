// The findings of all drafts as a table, one a row, for people who work in a sheet.

import { csvOf } from '../files/csv';
import { bySeverity, fieldAt, nameAt } from '../state/findings';
import { drafts, fields, found, nameOf, rowName, rowOf } from '../state/session';
import { labelOf, t } from '../words';

/** The table as CSV. */
export function findingsTable(): Uint8Array {
  const rows = [[t('row'), t('businessName'), t('severity'), t('field'), t('finding'), t('toDo')]];
  drafts.value.forEach((draft, at) => {
    const name = nameOf(draft, at, fields.value);
    for (const { severity, pointer, message, help, related } of bySeverity(found.value.get(draft.id)?.findings ?? [])) {
      const field = fieldAt(fields.value, pointer);
      const others = related.flatMap(({ file }) => (file === null ? [] : t('otherRow', rowName(file))));
      const finding = [message, ...others].join('. ');
      rows.push([String(rowOf(draft, at)), name, t(severity), field ? labelOf(field).text : nameAt(pointer), finding, help ?? '']);
    }
  });
  return csvOf(rows);
}
