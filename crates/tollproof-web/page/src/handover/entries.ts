// What a person types into the website of a provider: the fields in the provider's order, with their values in words.

import type { Field, FieldGroup } from 'tollproof';
import { get, isEmpty, isObject, type Json } from '../draft/pointer';
import { isAsked, placed, waits } from '../state/findings';
import { current, fields } from '../state/session';
import { groupTitle, labelOf, t } from '../words';

/** One value as a person reads it. `raw` is how a payload has it, if that differs. */
export interface Value {
  text: string;
  raw: string | null;
}

export interface Entry {
  field: Field;
  /** Empty if the field is missing. */
  values: Value[];
}

/** Words of closed lists that stay in capital letters. */
const CAPITALS = new Set(['COVID', 'FA', 'HR', 'QR']);

/** The groups in the order in which the provider's fields begin them. Empty fields are left out unless they are missing. */
export function entries(): Map<FieldGroup, Entry[]> {
  const groups = new Map<FieldGroup, Entry[]>();
  for (const field of fields.value) {
    const values = valuesOf(field, get(current.value.value, field.pointer));
    if (values.length === 0 && !field.required && !isAsked(current.value, field) && !waits(placed.value.byField.get(field.pointer) ?? [])) continue;
    groups.set(field.group, [...(groups.get(field.group) ?? []), { field, values }]);
  }
  return groups;
}

export function valuesOf(field: Pick<Field, 'item' | 'values' | 'role'>, value: Json | undefined): Value[] {
  if (isEmpty(value)) return [];
  const all = Array.isArray(value) ? value.filter((it) => !isEmpty(it)) : [value as Json];
  return all.map((it) => {
    const entry = isObject(it) && field.item !== '' ? get(it, field.item) : it;
    if (typeof entry === 'boolean') return { text: t(entry ? 'yes' : 'no'), raw: null };
    const raw = typeof entry === 'string' ? entry : JSON.stringify(entry, null, 2);
    const text = inWords(field, raw);
    return { text, raw: text === raw ? null : raw };
  });
}

/** The texts that a draft has in the fields with a role. */
export function textsOf(draft: Json, of: readonly Field[], role: string): string[] {
  const all = of.filter((it) => it.role === role).flatMap((it) => valuesOf(it, get(draft, it.pointer)));
  return all.map((it) => (it.raw ?? it.text).trim());
}

/** The values as one text to paste. */
export function joined(entry: Entry): string {
  return entry.values.map((it) => it.text).join(entry.field.type === 'choices' ? ', ' : '\n');
}

/** All of it as text: a line for each field, under the titles of the groups. */
export function asText(): string {
  const groups = [...entries()].map(([group, list]) => {
    const lines = list.map((it) => {
      const text = it.values.length === 0 ? `(${t('missing')})` : joined(it);
      return t('labelled', { label: labelOf(it.field).text, text: text.includes('\n') ? `\n${text}` : text });
    });
    return [groupTitle(group).toLocaleUpperCase(), ...lines].join('\n');
  });
  return `${groups.join('\n\n')}\n`;
}

/** A value of a closed list in words: `ACCOUNT_NOTIFICATIONS` is "Account notifications". Abbreviations of registers stay. */
export function inWords(field: Pick<Field, 'values' | 'role'>, value: string): string {
  if (field.values.every((it) => it.value !== value)) return value;
  if ((field.role === 'registrationType' && !value.includes('_')) || !/^[A-Z][A-Z0-9_]+$/.test(value)) return value;
  const text = value.split('_').map((it) => (CAPITALS.has(it) ? it : it.toLowerCase())).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
