// Which field a column probably is: by its heading, else by what its cells look like.

import type { Field } from 'tollproof';
import { fields as fieldsOf, headings, inAllLanguages } from '../engine';
import { allProviders } from '../state/session';
import { columnChoices } from '../state/storage';
import { inEachLanguage } from '../words';
import { type ColumnChoice, FULL_NAME, KEEP, LEAVE_OUT, nameFields } from './assign';
import type { SheetColumns } from './sheetColumns';

/** The role of headings of the first and the last name of a person, or of the last name beside the first, and what such cells look like. */
const PERSON = 'businessContactName';
const FULL = /^\p{L}[\p{L}.'’-]*(\s+\p{L}[\p{L}.'’-]*){1,3}$/u;

/** What cells look like, and what their field means then. */
const SHAPES: [RegExp, string][] = [
  [/^[^\s@]+@[^\s@]+\.\w+$/, 'businessContactEmail'],
  [/^(?=.*\D)\+?1?[ .(-]*8([03-8])\1[ .)-]*\d{3}[ .-]*\d{4}$/, 'phoneNumbers'],
  [/^(?=.*\D)\+?1?[ .(-]*[2-9]\d\d[ .)-]*\d{3}[ .-]*\d{4}$/, 'businessContactPhone'],
  [/^PN[0-9a-f]{32}$/, 'phoneNumbers'],
  [/^(https?:\/\/|www\.)[\w.-]+\/?$/, 'corporateWebsite'],
  [/^(https?:\/\/|www\.)\S+\.(png|jpe?g|gif|webp)$/i, 'optInWorkflowImageURLs'],
  [/^(?!\d+000$)\d{5}(-\d{4})?$|^[A-Z]\d[A-Z] ?\d[A-Z]\d$/, 'businessZip'],
  [
    /^(A[BKLRZ]|BC|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ABDEINOST]|N[BCDEHJLMSTUVY]|O[HKNR]|P[AER]|QC|RI|S[CDK]|T[NX]|UT|V[AT]|W[AIVY])$/,
    'businessState',
  ],
  [/^\d\d-\d{7}$/, 'registrationNumber'],
];

/** Words that say nothing about a field. */
const FILLERS = new Set('a the of and your our we d de du des l la le les et votre notre nous del el los las y su nos nuestro nuestra nuestros nuestras'.split(' '));

/** Words that begin a question, those that say nothing in it, and those that are one in it: "How people agree", "Comment le patient donne son accord". */
const ASKS = /^(how|why|what|comment|pourquoi|quoi|como|para)$/;
const ASKED_FILLERS = /^(do|doe|is|are|be|give|their|his|her|est|sont|donne\w*|son|sa|leur|dan|da|esta|sirven)$/;
const ASKED: [RegExp, string][] = [
  [/^(people|person\w*|gen|client\w*|customer|pa[ct]ient\w*|usager|user|usuari\w*|recipient|mem?br?e\w*|miembro|guest)$/, 'people'],
  [/^(agree\w*|a[ck]?cept\w*|accord\w*|consen\w*|permi\w*)$/, 'consent'],
  [/^(texte?|texto|messag\w*|mensaje|sms)$/, 'message'],
];

/** The same heading, whichever letters, accents and signs it is written with. */
export function plain(text: string): string {
  return wordsOf(text).join('');
}

function wordsOf(text: string): string[] {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  const words = letters.replace(/\be-mail/g, 'email').match(/[\p{L}\d]+/gu) ?? [];
  const found = words.filter((it) => !FILLERS.has(it)).map((it) => it.replace(/(?<=...)s$/, ''));
  if (!ASKS.test(found[0] ?? '')) return found;
  return [...new Set(found.filter((it) => !ASKED_FILLERS.test(it)).map((it) => ASKED.find(([is]) => is.test(it))?.[1] ?? it))];
}

/** A field that is called by a name. */
interface Use {
  provider: string;
  name: string;
  role: string | null;
}

interface KnownName {
  words: string[];
  uses: Use[];
}

/** By their plain text. */
export type KnownNames = ReadonlyMap<string, KnownName>;

let names: Promise<KnownNames> | undefined;

/** What fields are called by providers and by people, in all languages. */
export function knownNames(): Promise<KnownNames> {
  return (names ??= collected());
}

async function collected(): Promise<KnownNames> {
  const found = new Map<string, KnownName>();
  const add = (text: string, use: Use) => {
    const key = plain(text);
    const known = found.get(key) ?? { words: wordsOf(text), uses: [] };
    known.uses.push(use);
    found.set(key, known);
  };
  const all = await inAllLanguages(() => allProviders().map(({ name }) => ({ provider: name, fields: fieldsOf(name) })));
  for (const { provider, fields } of all.flat()) {
    for (const { title, name, role } of fields) {
      for (const text of [title, name, name.split('.').at(-1) ?? '', role ?? '']) add(text, { provider, name, role });
    }
  }
  for (const [role, texts] of Object.entries(headings())) for (const text of texts) add(text, { provider: '', name: '', role });
  add('name', { provider: '', name: '', role: PERSON });
  found.delete('');
  return found;
}

interface Proposal {
  column: string;
  /** The name of the field; absent if it is not sure. */
  field?: string;
  score?: number;
}

/** The scores of a proposal: kept from an earlier sheet, a name of the provider, a name of others; less if it is only like one. */
const KEPT = 4;
const OWN = 3;
const OTHER = 2;
const LIKE = 0.5;

/** The choices that are likely, by column. Fields that only the cells show come last, and go to the only column with such cells. */
export function proposed({ fields, unknown, taken }: SheetColumns, provider: string, names: KnownNames): Map<string, ColumnChoice> {
  // A sheet with findings marked has these beside the fields.
  const added = new Set([...inEachLanguage('row'), ...inEachLanguage('findings')]);
  const parts = nameFields(fields);
  const [first, last] = parts;
  const hasFirst = first !== undefined && (taken.has(first.name) || unknown.some(({ name }) => called(name, provider, fields, names)[0]?.field === first.name));
  const all = unknown.map(({ name: column, texts }): Proposal => {
    const kept = columnChoices.peek().get(`${provider} ${plain(column)}`);
    if (kept !== undefined) return { column, field: kept, score: KEPT };
    if (added.has(column)) return { column, field: LEAVE_OUT, score: OWN };
    const isPerson = names.get(plain(column))?.uses.some((it) => it.role === PERSON) && texts.length > 0;
    const isFull = isPerson && texts.every((it) => FULL.test(it));
    // Whole names beside first names may repeat them, or be last names: a person decides.
    if (isPerson && hasFirst) return isFull ? { column } : { column, field: last?.name ?? '', score: OTHER };
    if (isFull && parts.every((it) => !taken.has(it.name))) return { column, field: FULL_NAME, score: OWN };
    const role = SHAPES.find(([shape]) => texts.length > 0 && texts.every((it) => shape.test(it)))?.[1];
    const shaped = fields.find((it) => it.role === role)?.name;
    const found = called(column, provider, fields, names);
    const [best, second] = found;
    if (best === undefined) return { column, ...(isElsewhere(column, names) ? { field: LEAVE_OUT, score: OTHER } : { field: shaped, score: 0 }) };
    const isSure = best.score !== second?.score && (best.score >= OTHER || shaped === undefined);
    return { column, ...(isSure ? best : found.find((it) => it.field === shaped)) };
  });
  const choices = new Map<string, ColumnChoice>();
  const used = new Set(taken);
  for (const { column, field, score = 0 } of all.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))) {
    const isAlone = score > 0 || all.filter((it) => it.field === field).length === 1;
    const known = fields.find((it) => it.name === field);
    if (field === undefined || !isAlone || (known ? used.has(field) && !isMany(known) : field !== LEAVE_OUT && field !== KEEP && field !== FULL_NAME)) continue;
    if (known) used.add(field);
    choices.set(column, field);
  }
  return choices;
}

/** Whether a heading is a field of other providers, for which this one has no place. */
function isElsewhere(heading: string, names: KnownNames): boolean {
  return names.get(plain(heading))?.uses.some((it) => it.role !== null && it.role !== PERSON) ?? false;
}

/** Whether several columns can be one field. */
export function isMany({ type }: Field): boolean {
  return type === 'list' || type === 'choices';
}

/** A business is registered in its country, where a provider asks for no other one. */
const IN_PLACE_OF: Record<string, string> = { businessCountry: 'registrationCountry' };

/** The names of the fields that are called like a heading, the best first. */
function called(heading: string, provider: string, fields: readonly Field[], names: KnownNames): { field: string; score: number }[] {
  const scores = new Map<string, number>();
  const words = wordsOf(heading);
  const exact = names.get(words.join(''));
  for (const name of exact ? [exact] : names.values()) {
    const like = exact ? 1 : likeness(words, name.words);
    if (like < LIKE) continue;
    for (const use of name.uses) {
      const isOwn = use.provider === provider;
      const field = isOwn ? use.name : (fields.find((it) => use.role && it.role === use.role) ?? fields.find((it) => use.role && it.role === IN_PLACE_OF[use.role]))?.name;
      const score = like * (exact ? (isOwn ? OWN : OTHER) : 1);
      if (field !== undefined) scores.set(field, Math.max(score, scores.get(field) ?? 0));
    }
  }
  return [...scores].map(([field, score]) => ({ field, score })).sort((a, b) => b.score - a.score);
}

/** The share of their words that two texts have in common. A text is like no single word, and single letters say nothing. */
function likeness(heading: readonly string[], name: readonly string[]): number {
  const common = heading.filter((it) => it.length > 1 && name.includes(it)).length;
  return name.length < 2 ? 0 : common / (heading.length + name.length - common);
}
