// Texts of drafts and sentences of the engine as plain text.

import type { Field, Finding } from 'tollproof';
import { type Json } from '../draft/pointer';
import { fixWords } from '../form/fixWords';
import { phrases } from '../parts/phrases';
import { t } from '../words';

/** Characters that are not seen, or that change the order of others. */
const HIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** A text in which hidden characters are seen. */
export function printable(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(HIDDEN, (it) => (it < ' ' ? String.fromCodePoint(0x2400 + it.charCodeAt(0)) : '\ufffd'));
}

/** The first characters of a text. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '').trimEnd()}…` : text;
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
export function replacement({ fix, help }: Finding, draft: Json, fields: readonly Field[]): string | null {
  const value = fix?.edits[0]?.value;
  if (fix === null || (typeof value === 'string' && help?.includes(value))) return null;
  return fixWords(fix, draft, fields);
}
