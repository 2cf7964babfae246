// The values of a draft as people read them, and its texts by their roles.

import type { Field } from 'tollproof';
import { t } from '../words';
import { get, isEmpty, isObject, type Json } from './pointer';

/** One value as a person reads it. `raw` is how a payload has it, if that differs. */
export interface Value {
  text: string;
  raw: string | null;
}

/** Words of closed lists that stay in capital letters. */
const CAPITALS = new Set(['COVID', 'FA', 'HR', 'QR']);

/** The values of a field. */
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

/** A value of a closed list in words: `ACCOUNT_NOTIFICATIONS` is "Account notifications". Abbreviations of registers stay. */
export function inWords(field: Pick<Field, 'values' | 'role'>, value: string): string {
  if (field.values.every((it) => it.value !== value)) return value;
  if ((field.role === 'registrationType' && !value.includes('_')) || !/^[A-Z][A-Z0-9_]+$/.test(value)) return value;
  const text = value.split('_').map((it) => (CAPITALS.has(it) ? it : it.toLowerCase())).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
