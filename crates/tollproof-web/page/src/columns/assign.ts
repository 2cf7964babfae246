// Writes the columns of a sheet to the places of their fields.

import type { Field } from 'tollproof';
import { addressParts } from '../engine';
import { get, isEmpty, isObject, join, type Json, set } from '../draft/pointer';
import { isSameNumber } from '../files/lines';
import { inWords } from '../draft/values';
import { t } from '../words';
import type { Column } from './sheetColumns';

/** What a column is: the name of a field, `KEEP`, `LEAVE_OUT` or `FULL_NAME`. */
export type ColumnChoice = string;

/** The column stays in the drafts under its heading. */
export const KEEP = '=';
/** The column is removed from the drafts. */
export const LEAVE_OUT = '-';
/** The column has the first and the last name of the contact person. */
export const FULL_NAME = '&';

/** The fields of a full name, if a provider has both. */
export function nameFields(fields: Iterable<Field>): Field[] {
  const all = [...fields];
  const found = ['businessContactFirstName', 'businessContactLastName'].flatMap((role) => all.find((it) => it.role === role) ?? []);
  return found.length === 2 ? found : [];
}

/** The first name in a full name, and the rest. */
export function namesIn(text: string): string[] {
  const [first, ...others] = text.trim().split(/\s+/);
  return [first ?? '', others.join(' ')];
}

/** A draft without the empty cells of some columns, because a person wrote nothing there. */
export function withoutEmpty(value: Json, columns: readonly Column[]): Json {
  if (!isObject(value) || columns.length === 0) return value;
  const empty = columns.flatMap(({ name }) => (isEmpty(value[name]) ? name : []));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !empty.includes(name)));
}

/** A draft with the columns at the places of their fields. */
export function assigned(value: Json, choices: ReadonlyMap<string, ColumnChoice>, fields: ReadonlyMap<string, Field>, provider: string): Json {
  if (!isObject(value)) return value;
  const isMoved = (name: string) => (choices.get(name) ?? KEEP) !== KEEP;
  const cells = Object.entries(value);
  const own = new Map([...fields.values()].map((it) => [it.pointer, it]));
  const kept = Object.fromEntries(cells.flatMap(([name, cell]) => (isMoved(name) ? [] : [[name, known(cell, own.get(join('', name)))]])));
  const written = cells.reduce<Json>((draft, [name, cell]) => {
    if (choices.get(name) === FULL_NAME && !isEmpty(cell)) {
      const parts = namesIn(String(cell));
      return nameFields(fields.values()).reduce((named, field, at) => (parts[at] ? set(named, field.pointer, parts[at]) : named), draft);
    }
    const field = isMoved(name) ? fields.get(choices.get(name) ?? KEEP) : undefined;
    return field === undefined || isEmpty(cell) ? draft : withRegister(write(draft, field, cell), name, field, fields);
  }, kept);
  return [...choices.values()].some((it) => fields.get(it)?.role === 'businessAddr1') ? withAddress(written, [...fields.values()], provider) : written;
}

/** A draft whose street is a whole address, with its parts at their places, if these are empty. */
export function withAddress(draft: Json, fields: readonly Field[], provider: string): Json {
  const at = (role: string) => fields.find((it) => it.role === role)?.pointer;
  const text = (role: string) => get(draft, at(role) ?? '');
  const street = text('businessAddr1');
  if (typeof street !== 'string' || !['businessCity', 'businessState', 'businessZip'].every((role) => isEmpty(text(role)))) return draft;
  return Object.entries(addressParts(street, provider) ?? {}).reduce((filled, [role, part]) => {
    const pointer = at(role);
    return pointer === undefined || (role !== 'businessAddr1' && !isEmpty(text(role))) ? filled : set(filled, pointer, part);
  }, draft);
}

/** Registers whose numbers people call by their names. */
const REGISTERS = ['EIN', 'NEQ', 'CBN'];

/** A draft with the type of its registration number, if the heading of the number is one, such as `NEQ`. */
function withRegister(draft: Json, heading: string, { role }: Field, fields: ReadonlyMap<string, Field>): Json {
  const type = role === 'registrationNumber' ? [...fields.values()].find((it) => it.role === 'registrationType') : undefined;
  const known = type?.values.length === 0 ? REGISTERS : type?.values.map((it) => it.value);
  const register = known?.find((it) => it === heading.trim().toUpperCase());
  return type === undefined || register === undefined || !isEmpty(get(draft, type.pointer)) ? draft : set(draft, type.pointer, register);
}

/** A draft with a text at the place of a field. */
export function write(draft: Json, field: Field, cell: Json): Json {
  if (field.type !== 'list' && field.type !== 'choices') return set(draft, field.pointer, typed(cell, field));
  const before = get(draft, field.pointer);
  const list = Array.isArray(before) ? before : isEmpty(before) ? [] : [before as Json];
  // The same number in another notation is there already.
  const isThere = (text: Json) => field.role === 'phoneNumbers' && list.some((it) => isSameNumber(String(get(it, field.item)), String(text)));
  const items = (Array.isArray(cell) ? cell : itemsOf(String(cell), field)).filter((it) => !isThere(it)).map((it) => set(undefined, field.item, listed(it, field)));
  return set(draft, field.pointer, [...list, ...items]);
}

/** The items of a list in one cell: one a line, or with a sign between them that none of them has. */
function itemsOf(text: string, field: Field): string[] {
  const separator = field.type === 'choices' ? /[\n\r|;,]/ : /[\n\r|]|;(?=\s*(?:http|[+\d]|$))/;
  return text.split(separator).map((it) => it.trim()).filter((it) => it !== '');
}

/** The number that digits in groups mean, such as `1 000`; nothing for other texts. */
export function grouped(text: string): number | undefined {
  return /^\s*\d{1,3}([ ,.'’\u00a0\u202f]\d{3}){1,4}\s*$/.test(text) ? Number(text.replace(/\D/g, '')) : undefined;
}

/** A cell as its field has it, also from a sheet with findings marked. Texts stay as they are, and so do numbers with a leading zero. */
function typed(cell: Json, field: Field): Json {
  const text = String(cell).toLowerCase();
  if (field.type === 'boolean') {
    if (['true', t('yes').toLowerCase()].includes(text)) return true;
    if (['false', t('no').toLowerCase()].includes(text)) return false;
  }
  if (field.type === 'integer' && /^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (field.type === 'integer') return grouped(text) ?? cell;
  return listed(cell, field);
}

/** A cell that is at its place already: a list is written in words as one value is. */
function known(cell: Json, field: Field | undefined): Json {
  if (field === undefined) return cell;
  return Array.isArray(cell) ? cell.map((item) => listed(item, field)) : typed(cell, field);
}

/** The value of a list that is written in the words of a report, or else what is written. */
function listed(cell: Json, field: Field | undefined): Json {
  if (field === undefined || field.values.some((it) => it.value === cell)) return cell;
  return field.values.find((it) => inWords(field, it.value) === cell)?.value ?? cell;
}
