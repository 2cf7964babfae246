// Which columns of a sheet are fields of a provider, and which are not.

import type { Field } from 'tollproof';
import { fields as fieldsOf } from '../engine';
import { isEmpty, isObject, isWithin, join, type Json } from '../draft/pointer';

/** How many cells of a column are looked at. */
const LOOKED_AT = 50;

export interface Column {
  name: string;
  /** Some texts of it, each once. */
  texts: string[];
}

/** A sheet as one provider would take it. */
export interface SheetColumns {
  /** The fields, spelled as in the sheet. */
  fields: Field[];
  unknown: Column[];
  /** The names of fields that have a column already. */
  taken: Set<string>;
}

/** Which columns of the drafts are fields of a provider, and which are not. */
export function columnsOf(values: readonly Json[], provider: string): SheetColumns {
  const columns: Record<string, Set<string>> = Object.create(null);
  for (const value of values) {
    if (!isObject(value)) continue;
    for (const [name, cell] of Object.entries(value)) {
      const texts = (columns[name] ??= new Set());
      if (texts.size < LOOKED_AT && typeof cell !== 'object' && !isEmpty(cell)) texts.add(String(cell).trim());
    }
  }
  const fields = fieldsOf(provider, undefined, columns);
  const taken = new Set<string>();
  const unknown = Object.entries(columns).flatMap(([name, texts]) => {
    const pointer = join('', name);
    const known = fields.filter((it) => isWithin(pointer, it.pointer) || isWithin(it.pointer, pointer));
    for (const field of known) taken.add(field.name);
    return known.length === 0 ? { name, texts: [...texts] } : [];
  });
  return { fields, unknown, taken };
}
