// What the page knows: the drafts, which one is open, and what the engine found in it.

import { computed, signal } from '@preact/signals';

import { check, fields as fieldsOf, isReady, lentLanguage, providers, spoken } from '../engine';
import type { Check, DraftReading, Field, Finding, Kind, Provider } from 'tollproof';
import type { OptIn, TaskAnswer } from '../draft/choices';
import { get, isEmpty, isObject, type Json, set } from '../draft/pointer';
import { language } from '../words/languages';
import { unlisted } from './unlisted';

export { language };

/** One draft. It is replaced, never changed, so that `===` says whether it is the same. */
export interface Draft {
  id: string;
  value: Json;
  /** Its row in the sheet that was opened. */
  row?: number | null;
  /** What a person has ticked off: what is typed over and ready to attach. */
  ticked: string[];
  /** What a person has answered, by the keys of tasks. */
  answers?: Record<string, TaskAnswer>;
  /** How people will agree, as a person chose it. */
  optIn?: OptIn;
  /** Pointers of fields that a person has visited; findings about empty ones are shown only then. */
  visited: string[];
  /** Which kind of request it is, as a person chose it. */
  kind?: Kind | undefined;
  /** What its kind of request does not take, such as the number of an earlier submission: it is kept, and not sent. */
  aside?: { pointer: string; value: Json }[] | undefined;
  /** Whether it was opened and not begun in the form: then all its findings are shown. */
  opened: boolean;
  /** Whether it is the example of a first visit. When a person has changed it, it is a draft like others. */
  example?: 'untouched' | 'edited';
}

/** `handover` is the open draft, to be typed over into the website of its provider. */
export type View = 'form' | 'sheet' | 'handover';

/** What was found in a draft of a sheet. */
export interface Found {
  errors: number;
  warnings: number;
  notes: number;
  /** Whether words alone judged it. */
  byWords: boolean;
  findings: Finding[];
  /** The toll-free numbers that the draft names. */
  numbers: string[];
}

let made = 0;

export const provider = signal('');
/** Whether a person or a file named the provider. */
export const isProviderChosen = signal(false);
/** The id of the first draft of a sheet whose provider is asked for: it is checked when that is chosen. */
export const waiting = signal<string | undefined>(undefined);
export const fileName = signal('');
/** What readers answered, from files that were opened and what assistants wrote. */
export const readings = signal<DraftReading[]>([]);
/** Whether a person types drafts into the provider's website, which shows numbers and asks for no identifiers of them. */
export const isTyped = signal(false);
export const drafts = signal<Draft[]>([newDraft()]);
export const position = signal(0);
export const view = signal<View>('form');

/** What was found in the drafts of a sheet, by id. */
export const found = signal<ReadonlyMap<string, Found>>(new Map());
/** Of each number in a sheet, the position of the first draft that names it. */
export const firstNamed = signal<ReadonlyMap<string, number>>(new Map());
/** Counts up when a draft is replaced by other means than typing, so that the form is laid out again. */
export const layout = signal(0);

/** The kinds of documents that are drafts; others are answers, and numbers to buy. */
export const DRAFTS: Kind[] = ['submit-request', 'update-request'];
/** What is known of a draft before the rules are prepared. */
const UNCHECKED: Check = { provider: null, kind: null, findings: [], summary: { errors: 0, warnings: 0, infos: 0 }, numbers: [], notChecked: [], byWords: null };
const now = new Date().toISOString();

export const current = computed(() => drafts.value[position.value] ?? newDraft());
export const kind = computed(() => current.value.kind);

/** How long a person pauses before what was typed is checked, in milliseconds. */
const PAUSE = 120;
const isTyping = signal(false);
let pause: ReturnType<typeof setTimeout> | undefined;
let last: Draft | undefined;

/** The open draft without what a person is typing just now: what is found in it is drawn when the person pauses. */
export const settled = computed(() => {
  const draft = current.value;
  if (!isTyping.value || last?.id !== draft.id) last = draft;
  return last;
});

/** Lets `settled` wait for a pause. */
export function waitForPause(): void {
  isTyping.value = true;
  clearTimeout(pause);
  pause = setTimeout(settle, PAUSE);
}

/** Ends the wait. */
export function settle(): void {
  clearTimeout(pause);
  isTyping.value = false;
}

addEventListener('focusout', settle);

export const checked = computed(() => (isReady.value ? checkAmong(settled.value, position.value, firstNamed.value) : UNCHECKED));
export const isFilled = computed(() => drafts.value.length > 1 || !isEmpty(current.value.value));
/** Whether there is something that a person has written or opened. */
export const isBegun = computed(() => isFilled.value && current.value.example !== 'untouched');

/** The fields of the form. Typing does not change them. */
export const fields = computed<Field[]>(() => {
  spoken.value;
  layout.value;
  position.value;
  return fieldsOf(provider.value, kind.value, drafts.peek()[position.value]?.value ?? {});
});

export function newDraft(): Draft {
  return { id: `${Date.now().toString(36)}-${made++}`, value: {}, ticked: [], visited: [], opened: false };
}

/** All that a draft has, also what its kind of request does not take. */
export function wholeOf({ value, aside = [] }: Draft): Json {
  return aside.reduce((whole, it) => set(whole, it.pointer, it.value), value);
}

/** A draft as a first submission. */
export function asFirst(draft: Draft): Draft {
  return { ...draft, value: wholeOf(draft), kind: undefined, aside: undefined };
}

export function openedDraft(value: Json): Draft {
  return { ...newDraft(), value, opened: true };
}

/**
 * Checks a draft as one of the chosen provider, among the drafts before it in a sheet: two drafts with one number are a
 * finding of the later one, as in a file.
 */
export function checkAmong(draft: Draft, at: number, named: ReadonlyMap<string, number>): Check {
  const alone = checkOf(draft, {});
  const earlier = alone.numbers.flatMap((number) => {
    const first = named.get(number);
    return first === undefined || first >= at ? [] : [[number, String(first)]];
  });
  return earlier.length === 0 ? alone : checkOf(draft, Object.fromEntries(earlier));
}

/** What was checked last. The form and the table ask for the same draft. */
let lastCheck: { value: Json; as: string; read: readonly DraftReading[]; check: Check } | undefined;

function checkOf({ value, kind }: Draft, earlier: Record<string, string>): Check {
  const as = JSON.stringify([provider.value, kind, earlier, isTyped.value, lentLanguage() ?? spoken.value]);
  const read = readings.value;
  const options = { provider: provider.value, kind, now, earlier, readings: read };
  if (lastCheck?.value !== value || lastCheck.as !== as || lastCheck.read !== read) lastCheck = { value, as, read, check: forPeople(check(value, options), value, kind) };
  return lastCheck.check;
}

let lastKept: { value: Json; of: readonly Field[]; fields: Field[] } | undefined;

/** Whether a draft leaves what it does not have as it was first sent. A change with required fields replaces the whole submission. */
export function keepsRest({ kind }: Pick<Draft, 'kind'>, of: readonly Field[]): boolean {
  return kind === 'update-request' && !of.some((it) => it.required);
}

/** The fields that a change leaves as they were first sent, and that a first submission must have. */
export function keptFields(draft: Draft, of: readonly Field[]): Field[] {
  if (!isReady.value || !keepsRest(draft, of)) return [];
  const { value } = draft;
  if (lastKept?.value !== value || lastKept.of !== of) {
    const missing = missingIn(value).map((it) => it.pointer);
    lastKept = { value, of, fields: of.filter((it) => missing.includes(it.pointer)) };
  }
  return lastKept.fields;
}

/** What a first submission must have and a draft does not. */
function missingIn(value: Json): Finding[] {
  const { findings } = check(value, { provider: provider.value, kind: 'submit-request', now });
  return findings.filter((it) => it.severity !== 'info' && isEmpty(get(value, it.pointer)));
}

/** What is found for people: if they type drafts, numbers need no identifiers; values have to be known, and a change of the whole submission complete. */
function forPeople(all: Check, value: Json, as: Kind | undefined): Check {
  const of = as === kind.peek() ? fields.peek() : fieldsOf(provider.value, as, value);
  const found = all.findings.filter((it) => !(isTyped.value && isNumberForIdentifier(it, value)));
  const isNew = ({ pointer }: Finding) => of.some((it) => it.pointer === pointer) && found.every((it) => it.pointer !== pointer);
  const missing = as === 'update-request' && !keepsRest({ kind: as }, of) ? missingIn(value).filter(isNew) : [];
  const findings = [...found, ...unlisted(value, of, found, providerTitle(provider.value)), ...missing];
  const count = (severity: Finding['severity']) => findings.filter((it) => it.severity === severity).length;
  return { ...all, findings, summary: { errors: count('error'), warnings: count('warning'), infos: count('info') } };
}

/** Whether a finding says that a phone number is not the identifier of a number. */
export function isNumberForIdentifier({ rule, pointer }: Finding, value: Json): boolean {
  if (rule !== 'structure/malformed-identifier') return false;
  const text = get(value, pointer);
  return typeof text === 'string' && /^\s*\+?[\d\s().-]{10,20}$/.test(text);
}

/** The kinds of drafts of a provider. */
export function kindsOf(name: string): Kind[] {
  const all = allProviders().find((it) => it.name === name)?.kinds ?? [];
  return DRAFTS.filter((it) => all.includes(it));
}

/** The key of the words for a kind of draft. */
export function kindName(kind: string): 'kindUpdate' | 'kindSubmit' {
  return kind === 'update-request' ? 'kindUpdate' : 'kindSubmit';
}

/** All providers, by title. */
export const allProviders: () => Provider[] = (() => {
  const all = computed(() => {
    spoken.value;
    return [...providers()].sort((a, b) => (a.title < b.title ? -1 : 1));
  });
  return () => all.value;
})();

export function providerTitle(name: string): string {
  return allProviders().find((it) => it.name === name)?.title ?? name;
}

/** Whether a finding names a row of the sheet, and not the answer of a provider. */
export function isRow(file: string): boolean {
  return drafts.value[Number(file)] !== undefined;
}

/** The row of a draft in its sheet, or its place among the drafts. */
export function rowOf({ row }: Draft, at: number): number {
  return row ?? at + 1;
}

/** A row of the sheet, as findings name it: the position of its draft. */
export function rowName(file: string): { row: number; name: string } {
  const at = Number(file);
  const draft = drafts.value[at] ?? newDraft();
  return { row: rowOf(draft, at), name: nameOf(draft, at, fields.value) };
}

/** What may tell the drafts of one business apart, by role. */
const APART = ['doingBusinessAs', 'businessCity', 'phoneNumbers', 'businessAddr1'];

/** The fields by which drafts are named. A change has no number. */
const ofAll = computed(() => (kind.value === 'update-request' ? fieldsOf(provider.value, undefined, wholeOf(current.value)) : fields.value));

/** Of each business with several drafts, the roles that tell them apart: one if that is enough. */
const apart = computed(() => {
  const groups = new Map<string, Json[]>();
  for (const value of drafts.value.length > 1 ? drafts.value.map(wholeOf) : []) {
    const name = textOf(value, ofAll.value, 'businessName');
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  const differ = (group: Json[], roles: string[]) => new Set(group.map((it) => textsIn(it, roles))).size;
  const best = (group: Json[]): string[] => {
    const one = APART.find((role) => differ(group, [role]) === group.length);
    const more = (roles: string[], role: string) => (differ(group, [...roles, role]) > differ(group, roles) ? [...roles, role] : roles);
    return one === undefined ? APART.reduce(more, []) : [one];
  };
  return new Map([...groups].map(([name, group]) => [name, group.length > 1 ? best(group) : []]));
});

function textsIn(value: Json, roles: readonly string[], of: readonly Field[] = ofAll.value): string {
  return roles.map((role) => textOf(value, of, role) || textOf(value, ofAll.value, role)).filter((text) => text.trim() !== '').join(', ');
}

/** The name of a draft for people: the business, with what tells it apart from others of the same name, else its place. */
export function nameOf(draft: Draft, at: number, of: readonly Field[]): string {
  const value = wholeOf(draft);
  const business = textOf(value, of, 'businessName');
  const text = textsIn(value, apart.value.get(business) ?? [], of);
  if (business.trim() === '') return text === '' ? `#${rowOf(draft, at)}` : text;
  return text === '' ? business : `${business} (${text})`;
}

/** The text of the field with a role, or the first of its texts; empty if it is none. */
function textOf(value: Json, of: readonly Field[], role: string): string {
  const field = of.find((it) => it.role === role);
  const found = field && get(value, field.pointer);
  const first = Array.isArray(found) ? found[0] : found;
  const text = isObject(first) && field?.item ? get(first, field.item) : first;
  return typeof text === 'string' ? text : '';
}
