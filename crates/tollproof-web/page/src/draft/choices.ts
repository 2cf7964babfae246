// What a person says of a draft beside its fields.

import type { Language } from '../words/languages';

/** The answer to a task about a draft. */
export type TaskAnswer = 'yes' | 'no';

/** The way in which people agree. */
export type Way = 'web' | 'phone' | 'text' | 'paper' | 'counter' | 'code';

/** How people will agree, as a person chose it. */
export interface OptIn {
  way: Way;
  /** The name of the business, for a draft that has none yet. */
  business: string;
  /** What the messages are about. */
  topic: string;
  /** The same in English, where customers read another language. */
  english?: string;
  /** Where it happens: a web address, a telephone number, a place. */
  place: string;
  /** Where a telephone number is published. */
  source?: string;
  /** The word that people send. */
  word: string;
  /** The language in which customers read; that of the page if it was not chosen. */
  language?: Language;
}

/** Words that a button adds to a text. */
export interface AddedWords {
  /** What the button says. */
  words: string;
  /** Where the text is, and the text with the words. */
  pointer: string;
  text: string;
}
