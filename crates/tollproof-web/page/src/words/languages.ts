// The languages of the page, and which of them a draft is written in.

import { isObject, type Json } from '../draft/pointer';

export type Language = 'en' | 'es' | 'fr';

export const LANGUAGES: { code: Language; name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'es', name: 'Español' },
  { code: 'fr', name: 'Français' },
];

/** Frequent words that only one of the three languages has. */
const FREQUENT: Record<Language, Set<string>> = {
  en: new Set('the and of to our your with for by you they is are will when from that this'.split(' ')),
  es: new Set('el los las y del para con por su sus una nuestro nuestra cuando este esta como más usted envía'.split(' ')),
  fr: new Set('le les des et du pour avec par votre vos une notre nos quand ce cette sur aux vous est sont'.split(' ')),
};

/** How many more frequent words than English a draft must have before the labels change. */
const MARGIN = 6;

/** The language of the texts of a draft, English when in doubt. */
export function languageOf(draft: Json): Language {
  const found: Record<Language, number> = { en: 0, es: 0, fr: 0 };
  for (const word of textOf(draft).toLowerCase().split(/[^\p{L}]+/u)) {
    for (const { code } of LANGUAGES) if (FREQUENT[code].has(word)) found[code]++;
  }
  const other: Language = found.es >= found.fr ? 'es' : 'fr';
  return found[other] >= found.en + MARGIN ? other : 'en';
}

/** The sentences of a draft; short values are names and addresses. */
function textOf(value: Json): string {
  if (typeof value === 'string') return value.includes(' ') && value.length > 40 ? value : '';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return isObject(value) ? Object.values(value).map(textOf).join(' ') : '';
}
