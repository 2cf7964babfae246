// Drafts as the rows of a sheet.

import type { Field } from 'tollproof';
import { fields as fieldsOf, write } from '../engine';
import { get, isEmpty, keys, type Json, set } from '../draft/pointer';
import { extrasOf } from '../state/findings';
import { labelOf } from '../words';
import { rowsOf } from './csv';

/**
 * A head and a row for each draft: as a program reads them if each field of the provider has a cell, and else a column for
 * each field of the form, which "Which name is which field" knows again.
 */
export function draftRows(values: readonly Json[], provider: string): string[][] {
  const text = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));
  if (isFlat(values, provider)) return rowsOf(new TextDecoder().decode(write([...values], 'csv', provider).bytes));
  const columns = new Map<string, string>();
  const cells = values.map((value) => {
    const of = fieldsOf(provider, undefined, value);
    const own = new Map<string, string>();
    const add = (name: string, title: string, entry: Json | undefined) => {
      if (isEmpty(entry)) return;
      columns.set(name, title);
      own.set(name, text(entry as Json));
    };
    for (const field of of) add(field.name, labelOf(field).text, cell(field, get(value, field.pointer)));
    for (const it of extrasOf(value, of)) add(it.pointer, keys(it.pointer).join('.'), it.value);
    return own;
  });
  const names = [...columns.keys()];
  return [[...columns.values()], ...cells.map((own) => names.map((name) => own.get(name) ?? ''))];
}

/** Whether each field of the drafts has a cell in a table of the provider. */
export function isFlat(values: readonly Json[], provider: string): boolean {
  try {
    write([...values], 'csv', provider);
    return true;
  } catch {
    return false;
  }
}

/** The items of a list, one a line, if they are texts or objects with nothing else. */
function cell({ item }: Field, value: Json | undefined): Json | undefined {
  if (!Array.isArray(value)) return value;
  const items = value.filter((it) => !isEmpty(it));
  const texts = items.map((it) => (item === '' ? it : get(it, item)));
  const isWhole = texts.every((it, at) => typeof it === 'string' && (item === '' || JSON.stringify(set(undefined, item, it)) === JSON.stringify(items[at])));
  return isWhole ? texts.join('\n') : value;
}
