// The page's own words in the chosen language.

import type { Field } from 'tollproof';
import { lentLanguage, spoken, wholePage } from '../engine';
import en from './en.json';
import { language, LANGUAGES } from './languages';
import type { Language } from './languages';

export { language };

type Key = keyof typeof en.page;

interface Words {
  page: Record<string, string>;
  groups: Record<string, string>;
}

const known: Partial<Record<Language, Words>> = { en };

/** The words of a language, which are at the end of the page; English until they have arrived. */
function wordsOf(code: Language): Words {
  const element = document.getElementById(`words-${code}`);
  if (known[code] === undefined && element !== null && isWhole(element)) known[code] = named(JSON.parse(element.textContent) as Words);
  return known[code] ?? en;
}

/** Whether all of an element has arrived. */
function isWhole(element: Element): boolean {
  return element.nextElementSibling !== null || document.readyState !== 'loading';
}

/** Waits for the words of a language. */
export async function wordsArrive(code: Language): Promise<void> {
  if (wordsOf(code) === en && code !== 'en') await wholePage();
}

/** The words with their names. `build/words.ts` has made lists of them, in the order of the English ones. */
function named({ page, groups }: Words): Words {
  const of = (names: object, listed: object) => {
    const texts: string[] = Object.values(listed);
    return Object.fromEntries(Object.keys(names).map((name, at) => [name, texts[at] ?? '']));
  };
  return { page: of(en.page, page), groups: of(en.groups, groups) };
}

/**
 * A text of the page. `{n}` is replaced with a number in the form of the language, other `{names}` as they are. A text
 * `one|other` has a form for one, which is also for none in French, and one for all others. It is in the language of the page, or
 * in one that is named.
 */
export function t(key: Key, values: Record<string, string | number> = {}, code: Language = lentLanguage() ?? language.value): string {
  let text = wordsOf(code).page[key] ?? en.page[key];
  if ('n' in values) {
    const forms = text.split('|');
    const isOne = values.n === 1 || (values.n === 0 && code === 'fr');
    text = (isOne ? forms[0] : forms.at(-1)) ?? text;
  }
  return text.replace(/\{(\w+)\}(\.?)/g, (_, name: string, stop: string) => {
    const value = values[name] ?? '';
    // The browser loads its formats of numbers for 5 ms; small numbers need none.
    const said = typeof value === 'number' && value >= 1000 ? value.toLocaleString(code) : String(value);
    // One full stop is enough after "Fern Inc."
    return said.endsWith('.') ? said : said + stop;
  });
}

/** A text of the page in all languages. */
export function inEachLanguage(key: Key): string[] {
  return LANGUAGES.map((it) => wordsOf(it.code).page[key] ?? en.page[key]);
}

export function groupTitle(group: string): string {
  return wordsOf(lentLanguage() ?? language.value).groups[group] ?? group;
}

/** The label of a field. */
export function labelOf(field: Pick<Field, 'title' | 'name'>): { text: string; lang: Language } {
  return { text: field.title || field.name, lang: spoken.value };
}
