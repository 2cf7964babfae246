// What a fix changes, in few words for its button.

import type { Field, Finding } from 'tollproof';
import { get, type Json } from '../draft/pointer';
import { fieldAt, nameAt } from '../state/findings';
import { labelOf, t } from '../words';
import { choiceIn } from './described';

/** The longest quotation on a button, in characters. */
const LONGEST = 60;

export interface FixWords {
  /** The words that others replace; empty if there are none. */
  old: string;
  /** What the button says. */
  words: string;
}

export function fixWords(fix: NonNullable<Finding['fix']>, draft: Json, fields: readonly Field[]): FixWords {
  const [edit, ...others] = fix.edits;
  if (edit === undefined) return { old: '', words: t('fix') };
  const before = get(draft, edit.pointer);
  const moved = others.length === 1 && [edit, ...others].find((it) => it.value !== undefined);
  if (moved && fix.edits.some((it) => it.value === undefined)) {
    const field = fieldAt(fields, moved.pointer);
    return { old: '', words: t('fixMove', { name: field === undefined ? nameAt(moved.pointer) : labelOf(field).text }) };
  }
  const after = edit.value as Json | undefined;
  const list = fieldAt(fields, edit.pointer);
  const { old, words } =
    list?.values.some(({ value }) => value === after)
      ? { old: short(before), words: t('fixWrite', { text: choiceIn(list, String(after)).title }) }
      : after === undefined
      ? { old: '', words: t('fixRemove', { text: short(before) }) }
      : changed(before === undefined ? '' : show(before), show(after));
  return { old, words: others.length === 0 ? words : `${words} +${others.length}` };
}

/** The words in which two texts differ. */
function changed(before: string, after: string): FixWords {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  // Whole words are quoted, not the letters in which they differ.
  while (start > 0 && /[^\s]/.test(before[start - 1] ?? ' ')) start--;
  while (end > 0 && /[^\s]/.test(before[before.length - end] ?? ' ')) end--;
  const [old, replacement] = [before.slice(start, before.length - end).trim(), after.slice(start, after.length - end).trim()];
  if (replacement === '') return { old: '', words: t('fixRemove', { text: cut(old) }) };
  // An address is long: what is added to it says enough.
  if (replacement === `https://${old}`) return { old: '', words: t('fixAdd', { text: 'https://' }) };
  return { old: cut(old), words: t(before === '' || old !== '' ? 'fixWrite' : 'fixAdd', { text: cut(replacement) }) };
}

/** A value as a short text; empty if there is none. */
export function short(value: Json | undefined): string {
  return value === undefined ? '' : cut(show(value));
}

function show(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1).trimEnd()}…` : text;
}
