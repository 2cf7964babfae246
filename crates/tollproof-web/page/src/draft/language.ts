// The language in which a person wrote.

import type { Language } from '../words/languages';

/** Words that most texts of a language have, and the others have not. */
const COMMON: [Language, string[]][] = [
  ['fr', 'votre vous vos est le les à des pour et nos qui'.split(' ')],
  ['es', 'su sus está el los las para con y por que nuestra'.split(' ')],
  ['en', 'you your is are the at to of for with and our from we by'.split(' ')],
];

/** A quotation, in the marks of each language. */
const QUOTED = /“[^”]*”|«[^»]*»|"[^"]*"/g;

/** How many words of another language show it, and how many if there is none of English: names of places have some. */
const FOREIGN = { beside: 3, alone: 2 };

/** The language of a text: the one with most of its words, or the given one for a text that has none of them. */
export function languageOfText(text: string, otherwise: Language = 'en'): Language {
  const { code, count } = mostCommon(text);
  return count === 0 ? otherwise : code;
}

/** Whether a text for reviewers is in another language than English. What it quotes is in that of customers. */
export function isForeign(text: string): boolean {
  const { code, count, english } = mostCommon(text.replace(QUOTED, ''));
  return code !== 'en' && count >= (english === 0 ? FOREIGN.alone : FOREIGN.beside);
}

function mostCommon(text: string): { code: Language; count: number; english: number } {
  const written = text.toLowerCase().split(/[^\p{L}]+/u);
  const counted = COMMON.map(([code, words]) => ({ code, count: written.filter((word) => words.includes(word)).length }));
  const most = counted.reduce((best, it) => (it.count >= best.count ? it : best));
  return { ...most, english: counted.find((it) => it.code === 'en')?.count ?? 0 };
}
