// How people agree to text messages, as far as a draft says it.

import type { Field } from 'tollproof';
import type { Way } from '../draft/choices';
import { isEmpty, type Json } from '../draft/pointer';
import { textsOf } from '../draft/values';

const TYPES: [RegExp, Way][] = [
  [/VERBAL|VOICE|PHONE|IVR/i, 'phone'],
  [/PAPER/i, 'paper'],
  [/QR/i, 'code'],
  [/WEB|ONLINE|DIGITAL/i, 'web'],
  [/TEXT|KEYWORD|SMS/i, 'text'],
  [/SALE|STORE|PERSON/i, 'counter'],
];

const PAGE = /(?:https?:\/\/|www\.)[^\s"'“”«»<>()]+[^\s"'“”«»<>().,;:!?]/g;
const PICTURE = /\.(png|jpe?g|gif|webp|pdf)(\?|$)/i;

/** The way that a draft names by its type, or by an address in its description; `null` if neither says it. */
export function wayOf(draft: Json, fields: readonly Field[], chosen: Way | undefined): Way | null {
  const type = textsOf(draft, fields, 'optInType').join(' ');
  const byType = TYPES.find(([pattern]) => pattern.test(type))?.[1];
  // Providers have no type for people who agree at a counter: they count as agreeing by voice.
  if (byType === 'phone' && chosen === 'counter') return chosen;
  return byType ?? chosen ?? (formOf(draft, fields) === null ? null : 'web');
}

/** The value of a closed list that names a way; nothing if none does. */
export function typeOf(way: Way, values: Field['values']): string | undefined {
  const wanted = way === 'counter' ? 'phone' : way;
  return values.find(({ value }) => TYPES.find(([pattern]) => pattern.test(value))?.[1] === wanted)?.value;
}

/** The address of the page with the form: not the home page, a picture or a policy. */
export function formOf(draft: Json, fields: readonly Field[]): string | null {
  const policies = ['privacyPolicyUrl', 'termsUrl'].flatMap((role) => textsOf(draft, fields, role));
  const texts = ['optInWorkflowDescription', 'optInWorkflowImageURLs'].flatMap((role) => textsOf(draft, fields, role));
  const all = texts.flatMap((text) => text.match(PAGE) ?? []).map(webAddress);
  return all.find((it) => /^https?:\/\/[^/]+\/[^?]/.test(it) && !PICTURE.test(it) && !policies.includes(it)) ?? null;
}

/** A web address as people write it, such as `www.example.com/order`, with its scheme; other texts stay. */
export function webAddress(text: string): string {
  return /^[\w-]+(\.[\w-]+)*\.\p{L}{2,}(\/\S*)?$/u.test(text.trim()) ? `https://${text.trim()}` : text;
}

/** The addresses that have to be pictures: where people agree on a page, not that page. */
export function picturesOf(draft: Json, fields: readonly Field[], way: Way | null): string[] {
  const form = way === null || way === 'web' || way === 'code' ? formOf(draft, fields) : null;
  return textsOf(draft, fields, 'optInWorkflowImageURLs').filter((it) => !isEmpty(it) && it !== form);
}
