// Values that a provider's list does not have, where its API takes any text: people do not find them on its website.

import type { Field, Finding } from 'tollproof';
import { get, type Json } from '../draft/pointer';
import { t } from '../words';

/** From this number of values on a list of known values is one to choose from, and has a search. */
export const SEARCHED = 9;

/** A warning for each value that is not known, if nothing else is found in its field. */
export function unlisted(draft: Json, of: readonly Field[], found: readonly Finding[], provider: string): Finding[] {
  return of.flatMap(({ type, values, pointer, role }) => {
    const text = get(draft, pointer);
    const isKnown = typeof text !== 'string' || text.trim() === '' || values.some(({ value }) => value === text);
    if (type !== 'text' || values.length < SEARCHED || isKnown || found.some((it) => it.pointer === pointer)) return [];
    const value = nearest(text, values);
    const message = t('notListed', { provider });
    return {
      ...{ rule: 'use-case/unknown-use-case', title: message, severity: 'warning' as const, message, help: null, document: 0, pointer, role },
      ...{ range: null, related: [], fix: value === undefined ? null : { safety: 'unsafe' as const, edits: [{ pointer, value }] }, prevents: [], fingerprint: `unlisted ${pointer}` },
    };
  });
}

/** The value of which a text has the largest part of the words, and at least half of them. */
function nearest(text: string, values: Field['values']): string | undefined {
  const written = stems(text);
  const share = (name: string) => stems(name).filter((it) => written.includes(it)).length / (stems(name).length || 1);
  const all = values.map(({ value, title }) => ({ value, part: Math.max(share(value), share(title ?? '')) }));
  return all.filter(({ part }) => part >= 0.5).toSorted((a, b) => b.part - a.part)[0]?.value;
}

/** The beginnings of the words of a text. */
function stems(text: string): string[] {
  return (text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? []).map((it) => it.slice(0, 5));
}
