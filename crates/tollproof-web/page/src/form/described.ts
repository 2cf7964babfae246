// The values of a closed list with what they mean, taken from the description of the field.

import type { Field } from 'tollproof';
import { inWords } from '../draft/values';
import { labelOf, t } from '../words';

/** A value of a closed list for people. */
export interface Choice {
  value: string;
  title: string;
  /** What it means if the title is a name, else its name; `null` if the title says both. */
  note: string | null;
}

/** What a field is for, without what the values mean. */
export interface Described {
  about: string;
  values: Choice[];
}

/** `VERBAL, CALL: by voice.`, in each language. */
const SENTENCE = /([\w-]+(?:(?:, | and | et | y )[\w-]+)*)\s?: ([^.]+)\.\s*/g;
/** `VERBAL (by voice), ` */
const BRACKETS = /([\w-]+(?: (?:and|et|y) [\w-]+)*) \(([^)]+)\)[,.]?\s*(?:(?:or|ou|o) )?/g;

/** Values that old records have, and that are not to be chosen. */
const OF_RECORDS = /^IMPORT/;

const known = new WeakMap<Field, Described>();

export function described(field: Field): Described {
  const before = known.get(field);
  if (before !== undefined) return before;
  const found = describe(field);
  known.set(field, found);
  return found;
}

function describe(field: Field): Described {
  const description = field.description.replace(NEEDED, '').trim();
  if (field.values.length === 0) return { about: description, values: [] };
  const meanings = new Map<string, string>();
  let about = description;
  for (const pattern of [SENTENCE, BRACKETS]) {
    about = about.replace(pattern, (whole, names: string, meaning: string) => {
      const all = names.split(/, | and | et | y /);
      if (!all.every((name) => field.values.some((it) => it.value === name))) return whole;
      for (const name of all) meanings.set(name, meaning);
      return '';
    });
  }
  const chosen = field.values.filter(({ value }) => !OF_RECORDS.test(value));
  const values = chosen.map(({ value, title }) => choiceOf(field, value, title, meanings.get(value)));
  // What announced the list that was taken away ends its sentence.
  if (meanings.size > 0) about = about.trim().replace(/\s*[:,](?=$|\s+\p{Lu})/gu, '.');
  return { about, values };
}

function choiceOf(field: Field, value: string, title: string | null, described: string | undefined): Choice {
  const name = inWords(field, value);
  const meaning = title ?? described ?? name;
  if (meaning.toLowerCase() === name.toLowerCase()) return { value, title: name, note: null };
  // English names of use cases are words, and people know the abbreviations of registers.
  if (field.role === 'registrationType' || (field.role === 'useCase' && title === null)) return { value, title: name, note: meaning };
  return { value, title: meaning.charAt(0).toLocaleUpperCase() + meaning.slice(1), note: name };
}

/** A value of a field for people, also one that is not in its list. */
export function choiceIn(field: Field, value: string): Choice {
  return described(field).values.find((it) => it.value === value) ?? { value, title: inWords(field, value), note: null };
}

/** What a sentence says to programmers, or about how a fact is known or not known, up to its end. */
const PROGRAMMERS = String.raw`API\b|YAML|JSON|UUID|hexad|\btrue\b|strings?\b|chaîne|cadena|quotes|guillemets|comillas|\bobjec?t|GET \/|(?:the|la) list|[a-z][A-Z]|Only in an? \w+ request|Seulement dans une demande|Solo en una solicitud`;
const SOURCES = String.raw`maximum length|longueur maximale|longitud máxima|IMPORT\b|n upper case\.|n majuscules\.|n mayúsculas\.|not verified|pas (?:\w+ )?vérifi|[Nn]on vérifié|[Nn]o est[áa]n? verificad|no verificado|older (?:guides|research)|anciens guides|recherche plus ancienne|guías antiguas|investigación anterior|documenta(?:tion|ción)|documentés|documentados|Documented`;
const TECHNICAL = new RegExp(`[,:;(]?[^,:;(]*(?:${PROGRAMMERS}|${SOURCES}).*`, 's');

/** A name of a field, or a value of a list, as a payload has it. */
const OF_PAYLOAD = /\b(?:[A-Za-z]+[a-z][A-Z]\w*|[A-Z]+(?:_[A-Z]+)+)\b/g;

/** A text with what it names as payloads do in the words of the form. */
export function named(text: string, of: readonly Field[]): string {
  return text.replace(OF_PAYLOAD, (word) => {
    const field = of.find((it) => it.name === word || it.name.endsWith(`.${word}`));
    if (field !== undefined) return t('quoted', { text: labelOf(field).text });
    const list = of.find((it) => it.values.some(({ value }) => value === word));
    return list === undefined ? word : t('quoted', { text: choiceIn(list, word).title });
  });
}

/** Begins a sentence that says that a field is required, in each language. */
export const REQUIRED = /^(?:Required|Obligatoire|Obligatorio)/;

/** The sentence of a description that says that a field may be left out only for the provider. */
const NEEDED = / ?[^.]*(?:takes a draft without it, but reviewers need it|accepte un brouillon sans ce champ, mais les réviseurs en ont besoin|acepta un borrador sin [^.,]*, pero los revisores [^.]*necesitan)\./;

/** Whether reviewers need a field that the provider takes a draft without. */
export function isNeeded({ description }: Field): boolean {
  return NEEDED.test(description);
}

/** The sentences of a text. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?]) (?=[\p{Lu}\d¿¡«“])/u);
}

/** A sentence without what it says to programmers; empty if that is all. */
export function forPeople(sentence: string): string {
  const text = sentence.replace(TECHNICAL, '').replace(/\s?:$/, '').trim();
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}
