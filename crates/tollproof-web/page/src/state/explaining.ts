// The answers of a provider: what their reasons mean for each draft, and which of them are settled.

import { computed, effect, signal } from '@preact/signals';

import { explain, fields as fieldsOf, spoken } from '../engine';
import type { Field, Finding } from 'tollproof';
import { get, isEmpty, type Json } from '../draft/pointer';
import { textsOf } from '../draft/values';
import { fieldAt, waits } from './findings';
import { answerAbout, taskOf } from '../tasks/tasks';
import { t } from '../words';
import { current, type Draft, drafts, fields, isBegun, keepsRest, provider, readings, settled, wholeOf } from './session';

/** An answer about one draft. */
interface Explained {
  /** The words of the provider, the request to an assistant if its reasons are in free words, and what the assistant answered. */
  text: string;
  request: string | null;
  assistant: string;
  advice: Finding[];
  /** Whether it refuses the draft. */
  isRefused: boolean;
  /** The draft as it was refused; `null` if there was none. */
  refused: Json | null;
  /** The messages of reasons that rules found in some version of the draft, of those that they find now, and of those that are done. */
  everFound: ReadonlySet<string>;
  foundNow: ReadonlySet<string>;
  done: ReadonlySet<string>;
  /** The language of these messages. */
  saidIn: string;
}

const NONE: Explained = { text: '', request: null, assistant: '', advice: [], isRefused: false, refused: null, everFound: new Set(), foundNow: new Set(), done: new Set(), saidIn: '' };

/** The answers by the ids of drafts. */
const explained = signal<ReadonlyMap<string, Explained>>(new Map());

/** The answer about the open draft, and its reasons. */
export const pasted = computed(() => explained.value.get(current.value.id) ?? NONE);
export const advice = computed(() => pasted.value.advice);

/** The reasons that are about no field. */
export const general = computed(() => advice.value.filter((it) => it.rule !== NEXT_STEP && fieldAt(fields.value, it.pointer) === undefined));

/** `repaired`: a rule found it in the draft, and finds nothing now. `done`: a person says that it is settled. */
export type ReasonState = 'open' | 'repaired' | 'done';

/** The step after all reasons. */
export const NEXT_STEP = 'answer/next-step';

/** The sentence about a rule that finds nothing in a draft. */
export const OF_DRAFT = /(?:^| )[^.]*`tollproof rule [^.]*\./g;

/** How long a person may pause before an answer is explained again, in milliseconds. */
const EXPLAINED = 400;

/** Explains the answer again while its draft changes, so that what is fixed is not said any more. */
export function explainAgain(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    current.value.value;
    spoken.value;
    clearTimeout(timer);
    if (advice.peek().length > 0) timer = setTimeout(() => advice.peek().length > 0 && run(pasted.peek()), EXPLAINED);
  });
}

/** Shows what a pasted rejection means for the open draft. */
export function explainAnswer(text: string): void {
  // Who reads the same answer again may have changed the draft since.
  run({ ...NONE, text, refused: text === pasted.value.text ? pasted.value.refused : null });
}

/** The number that an assistant puts before a line: a line with the name of a provider alone gives no reason. */
const NUMBERED = /^[\s>*•–-]*\d{1,2}[.)]\s+/gm;

/** Shows what a rejection means by what an assistant has read in it. */
export function explainByAssistant(assistant: string): void {
  const { text, request, refused } = pasted.value;
  run({ ...NONE, text, request, refused, assistant: assistant.replace(NUMBERED, '') });
}

/** An answer about a draft as a file has it. What it means is found again. */
export interface Rejection {
  text: string;
  request: string | null;
  assistant: string;
  refused: Json | null;
  /** The places of reasons that are done, and of those that were found in the draft once. */
  done: number[];
  found?: number[];
}

export function rejectionOf({ id }: Draft): Rejection | undefined {
  const answer = explained.value.get(id);
  if (answer === undefined || answer.advice.length === 0) return undefined;
  const { text, request, assistant, refused, done, everFound, advice } = answer;
  const places = (of: ReadonlySet<string>) => advice.flatMap((it, at) => (of.has(it.message) ? at : []));
  return { text, request, assistant, refused, done: places(done), found: places(everFound) };
}

/** Explains an answer of a file in its draft: first as that was refused, to know what is repaired. */
export function explainKept(draft: Draft, { done, found: ever = [], ...answer }: Rejection): void {
  try {
    run({ ...NONE, ...answer }, answer.refused === null ? draft : { ...draft, value: answer.refused });
    const found = explained.value.get(draft.id) ?? NONE;
    const messages = (places: number[]) => places.flatMap((at) => found.advice[at]?.message ?? []);
    run({ ...found, done: new Set(messages(done)), everFound: new Set([...found.everFound, ...messages(ever)]) }, draft);
  } catch {
    // The file is not as the page wrote it: its text explains nothing.
  }
}

/** Whether something was answered about the drafts: by a reader, by looking or by a provider. */
export const hasAnswers = computed(() => readings.value.length > 0 || drafts.value.some((it) => Object.keys(it.answers ?? {}).length > 0 || rejectionOf(it) !== undefined));

/** Keeps an answer about a draft, with its reasons. */
function run(answer: Explained, draft = current.peek()): void {
  const of = draft.id === current.peek().id ? fields.value : fieldsOf(provider.value, draft.kind, draft.value);
  const keep = (it: Explained) => (explained.value = new Map(explained.peek()).set(draft.id, it));
  keep({ ...answer, advice: [] });
  const meaning = (text: string) => explain(text, isBegun.value ? draft.value : null, { provider: provider.value, kind: draft.kind });
  const all = meaning(answer.assistant || answer.text);
  if (answer.assistant !== '') all.advice = withWords(all.advice, meaning(answer.text).advice);
  const known = answer.saidIn === spoken.peek() ? answer : translated(answer, all.advice);
  const foundNow = new Set(all.advice.filter(({ help }) => help === null || help.replace(OF_DRAFT, '') === help).map((it) => it.message));
  // Without a draft, reasons are explained, and none is found.
  const everFound = isBegun.value ? new Set([...known.everFound, ...foundNow]) : known.everFound;
  const refused = answer.refused ?? (isBegun.value ? draft.value : null);
  const next = { ...known, refused, request: answer.request ?? all.request, isRefused: all.refused, foundNow, everFound, saidIn: spoken.peek() };
  keep({ ...next, advice: all.advice.map((it) => (stateIn(draft, of, next, it) === 'repaired' ? { ...it, help: null } : it)) });
}

/** The words that a reason quotes. */
const QUOTED = /[“«]\s*(.*?)\s*[”»](?!.*[”»])/s;

/** The longest words of a reviewer that are quoted, in characters. */
const LONGEST_QUOTE = 240;

/** What an assistant read, with the words of the reviewer about the same field, if there are a few. */
function withWords(read: readonly Finding[], byWords: readonly Finding[]): Finding[] {
  const quotes = (of: readonly Finding[]) => [...new Set(of.flatMap(({ message }) => QUOTED.exec(message)?.[1] ?? []))].join(' ');
  return read.map((it) => {
    const code = QUOTED.exec(it.message)?.[1] ?? it.message;
    const words = quotes(byWords.filter(({ pointer }) => pointer === it.pointer)).replaceAll('`', '’');
    if (it.rule === NEXT_STEP) return it;
    return { ...it, message: words === '' || words.length > LONGEST_QUOTE ? t('assistantReadsIn', { code }) : t('assistantReads', { text: words, code }) };
  });
}

/** What is known of each reason in another language: the same answer has the same reasons in the same order. */
function translated(answer: Explained, reasons: readonly Finding[]): Explained {
  const words = new Map(answer.advice.map(({ message }, at) => [message, reasons[at]?.message ?? message]));
  const said = (messages: ReadonlySet<string>) => new Set([...messages].map((it) => words.get(it) ?? it));
  return { ...answer, everFound: said(answer.everFound), done: said(answer.done) };
}

/** How far a reason about the open draft is settled. */
export function stateOf(reason: Finding): ReasonState {
  return stateIn(settled.value, fields.value, pasted.value, reason);
}

function stateIn(draft: Draft, of: readonly Field[], { done, everFound, foundNow }: Explained, reason: Finding): ReasonState {
  if (done.has(reason.message)) return 'done';
  // What a question settles is open until it is answered, whatever words find.
  if (taskOf(draft, of, reason) !== undefined) return answerAbout(draft, of, reason) === 'yes' ? 'done' : 'open';
  // What a change leaves empty stays as it was refused.
  const field = fieldAt(of, reason.pointer);
  const isKept = field !== undefined && keepsRest(draft, of) && isEmpty(get(draft.value, field.pointer));
  return everFound.has(reason.message) && !foundNow.has(reason.message) && !isKept ? 'repaired' : 'open';
}

/** Whether advice is about the time that an answer gives: such a sentence has a day or a number of days, and quotes nothing. */
export function isDeadline({ rule, message }: Finding): boolean {
  return rule === NEXT_STEP && /\d/.test(message) && !QUOTED.test(message);
}

/** The field of a reason if it is as it was refused. */
export function unchanged({ pointer }: Finding): Field | undefined {
  const field = fieldAt(fields.value, pointer);
  const { refused } = pasted.value;
  const text = (draft: Json) => JSON.stringify(get(draft, field?.pointer ?? ''));
  return refused !== null && text(refused) === text(settled.value.value) ? field : undefined;
}

/** Takes down that a reason is settled, or that it is not. */
export function markDone({ message }: Finding, isDone: boolean): void {
  const others = [...pasted.value.done].filter((it) => it !== message);
  const done = new Set(isDone ? [...others, message] : others);
  explained.value = new Map(explained.value).set(current.value.id, { ...pasted.value, done });
}

/** Whether findings or the reasons beside them need a person, as the value of an attribute that is absent otherwise. */
export function waitsWith(findings: readonly Finding[], reasons: readonly Finding[]): 'error' | 'warning' | 'reason' | undefined {
  return waits(findings) ?? (reasons.some((it) => stateOf(it) === 'open') ? 'reason' : undefined);
}

/** How many reasons the answer about a draft has, by default the open one, and how many of them are settled. */
export function countReasons(draft = settled.value, of: readonly Field[] = fields.value): { settled: number; all: number } {
  const answer = explained.value.get(draft.id) ?? NONE;
  const reasons = new Map(answer.advice.filter((it) => isBegun.value && it.rule !== NEXT_STEP).map((it) => [it.message, stateIn(draft, of, answer, it)]));
  return { settled: [...reasons.values()].filter((it) => it !== 'open').length, all: reasons.size };
}

/** Explains the answer in the draft that is opened next, once that is there, and returns whether it is new to that draft. */
export function explainInNext(): () => boolean {
  const answer = pasted.value;
  const hasAnswer = answer.advice.length > 0 && drafts.value.length === 1;
  return () => {
    const isNew = hasAnswer && drafts.value.length === 1 && pasted.value.text !== answer.text;
    if (isNew) run(answer);
    return isNew;
  };
}

/** Forgets what answers mean, but not their words; the function that is returned takes it back. */
export function forgetReasons(): () => void {
  const before = explained.value;
  explained.value = new Map([...before].map(([id, { text }]) => [id, { ...NONE, text }]));
  return () => (explained.value = before);
}

/** A toll-free number in any notation, without the country. */
const NUMBER = /8(?:00|([3-8])\1)[ \u00a0\u202f().–-]*\d{3}[ \u00a0\u202f.–-]*\d{4}(?!\d)/g;

function numbersIn(text: string): string[] {
  return (text.match(NUMBER) ?? []).map((it) => it.replace(/\D/g, ''));
}

/** The position of the only draft of a sheet that an answer names: by its number, or else by its name. */
export function namedIn(text: string): number | undefined {
  const numbers = new Set(numbersIn(text));
  const isNamed = (role: string) => (draft: Draft) => textsOf(draft.value, fields.value, role).some((it) => it.length > 3 && text.toLowerCase().includes(it.toLowerCase()));
  const ways = [(draft: Draft) => numbersIn(JSON.stringify(wholeOf(draft))).some((it) => numbers.has(it)), isNamed('doingBusinessAs'), isNamed('businessName')];
  const found = ways.map((is) => drafts.value.flatMap((draft, at) => (is(draft) ? at : []))).find((it) => it.length > 0);
  return found?.length === 1 ? found[0] : undefined;
}
