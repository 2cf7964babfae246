// Texts of drafts and sentences of the engine as plain text.

import type { Field, Finding } from 'tollproof';
import { get } from '../draft/pointer';
import { fixWords } from '../form/fixWords';
import { valuesOf } from '../draft/values';
import { phrases } from '../parts/phrases';
import { fieldAt } from '../state/findings';
import { t } from '../words';
import type { Collected } from './collect';

/** Characters that are not seen, or that change the order of others. */
const HIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** A text in which hidden characters are seen. */
export function printable(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(HIDDEN, (it) => (it < ' ' ? String.fromCodePoint(0x2400 + it.charCodeAt(0)) : '\ufffd'));
}

/** What a draft has at the place of a finding, as a person reads it. */
export function textAt({ draft, fields }: Collected, { pointer }: Finding): string {
  const field = fieldAt(fields, pointer) ?? { item: '', values: [], role: null };
  return pointer === '' ? '' : valuesOf(field, get(draft.value, pointer)).map((it) => it.text).join(', ');
}

/** A text around the words of a finding, which are the second part. `room` is how much is shown of each part, in characters. */
export function excerpt(text: string, { range }: Finding, room: number): [string, string, string] {
  const { start, end } = range ?? { start: 0, end: 0 };
  const cut = (part: string, most = room) => (part.length > most ? `${part.slice(0, most).replace(/[\ud800-\udbff]$/, '').trimEnd()}…` : part);
  const before = start > room ? `…${text.slice(start - room, start).replace(/^[\udc00-\udfff]/, '')}` : text.slice(0, start);
  return [before, cut(text.slice(start, end), 2 * room), cut(text.slice(end), range === null ? 2 * room : room)];
}

/** A sentence with quotation marks, the names of the form and the full stop. */
export function plain(sentence: string, fields: readonly Field[], word = (text: string) => text): string {
  const text = phrases(sentence, fields)
    .map((it) => (it.is === 'text' ? it.text : t('quoted', { text: it.is === 'value' ? word(it.text) : it.text })))
    .join('')
    .trim();
  return /[.!?…]\s?["”»]?$/.test(text) ? text : `${text}.`;
}

/** What a fix would change, unless the help of the finding says it. */
export function replacement({ fix, help }: Finding, { draft, fields }: Collected): string | null {
  const value = fix?.edits[0]?.value;
  if (fix === null || (typeof value === 'string' && help?.includes(value))) return null;
  return fixWords(fix, draft.value, fields).words;
}
