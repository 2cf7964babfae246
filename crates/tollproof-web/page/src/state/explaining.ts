// The answer of a provider: what its reasons mean for the open draft, and which of them are settled.

import { effect, signal } from '@preact/signals';

import { explain, spoken } from '../engine';
import type { Finding } from 'tollproof';
import { waits } from './findings';
import { settledAs, taskOf } from '../tasks/tasks';
import { advice, current, drafts, fields, isBegun, isRefused, kind, provider, settled } from './session';

/** The words of a provider, the request to an assistant if its reasons are in free words, and what the assistant answered. */
export interface PastedAnswer {
  text: string;
  request: string | null;
  assistant: string;
}

const NONE: PastedAnswer = { text: '', request: null, assistant: '' };

/** What is explained: the answer of the assistant, if there is one. */
export const pasted = signal(NONE);

/** `repaired`: a rule found it in the draft, and finds nothing now. `done`: a person says that it is settled. */
export type ReasonState = 'open' | 'repaired' | 'done';

/** The messages of reasons that rules found in some version of the draft, of those that they find now, and of those that are done. */
let everFound = new Set<string>();
let foundNow = new Set<string>();
const done = signal<ReadonlySet<string>>(new Set());
/** The language of these messages. */
let saidIn = spoken.peek();

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
    if (advice.peek().length > 0) timer = setTimeout(() => advice.peek().length > 0 && run(), EXPLAINED);
  });
}

/** Shows what a pasted rejection means for the open draft. */
export function explainAnswer(text: string): void {
  begin({ ...NONE, text });
  pasted.value = { ...pasted.value, request: run() };
}

/** The number that an assistant puts before a line: a line with the name of a provider alone gives no reason. */
const NUMBERED = /^[\s>*•–-]*\d{1,2}[.)]\s+/gm;

/** Shows what a rejection means by what an assistant has read in it. */
export function explainByAssistant(assistant: string): void {
  begin({ ...pasted.value, assistant: assistant.replace(NUMBERED, '') });
  run();
}

function begin(answer: PastedAnswer): void {
  pasted.value = answer;
  everFound = new Set();
  done.value = new Set();
}

function run(): string | null {
  const { text, assistant } = pasted.peek();
  const all = explain(assistant || text, isBegun.value ? current.value.value : null, { provider: provider.value, kind: kind.value });
  if (saidIn !== spoken.peek()) translate(all.advice);
  saidIn = spoken.peek();
  foundNow = new Set(all.advice.filter(({ help }) => help === null || help.replace(OF_DRAFT, '') === help).map((it) => it.message));
  // Without a draft, reasons are explained, and none is found.
  if (isBegun.value) everFound = new Set([...everFound, ...foundNow]);
  isRefused.value = all.refused;
  advice.value = all.advice.map((it) => (stateOf(it) === 'repaired' ? { ...it, help: null } : it));
  return all.request;
}

/** Keeps what is known of each reason when the language changes: the same answer has the same reasons in the same order. */
function translate(reasons: readonly Finding[]): void {
  const words = new Map(advice.peek().map(({ message }, at) => [message, reasons[at]?.message ?? message]));
  const translated = (messages: ReadonlySet<string>) => new Set([...messages].map((it) => words.get(it) ?? it));
  everFound = translated(everFound);
  done.value = translated(done.peek());
}

/** How far a reason is settled. */
export function stateOf(reason: Finding): ReasonState {
  const task = taskOf(settled.value, fields.value, reason);
  const answer = task && settledAs(settled.value, task);
  if (answer === 'no') return 'open';
  if (answer === 'yes' || done.value.has(reason.message)) return 'done';
  return everFound.has(reason.message) && !foundNow.has(reason.message) ? 'repaired' : 'open';
}

/** Takes down that a reason is settled, or that it is not. */
export function markDone({ message }: Finding, isDone: boolean): void {
  const others = [...done.value].filter((it) => it !== message);
  done.value = new Set(isDone ? [...others, message] : others);
}

/** Whether findings or the reasons beside them need a person, as the value of an attribute that is absent otherwise. */
export function waitsWith(findings: readonly Finding[], reasons: readonly Finding[]): 'error' | 'warning' | 'reason' | undefined {
  return waits(findings) ?? (reasons.some((it) => stateOf(it) === 'open') ? 'reason' : undefined);
}

/** How many reasons the answer has, and how many of them are settled in the draft. */
export function countReasons(): { settled: number; all: number } {
  const reasons = new Map(advice.value.filter((it) => isBegun.value && it.rule !== NEXT_STEP).map((it) => [it.message, stateOf(it)]));
  return { settled: [...reasons.values()].filter((it) => it !== 'open').length, all: reasons.size };
}

/** Explains the answer in the draft that is opened next, once that is there. */
export function explainInNext(): () => void {
  const hasAnswer = advice.value.length > 0 && drafts.value.length === 1;
  return () => {
    if (hasAnswer && drafts.value.length === 1) run();
  };
}

export function forgetAnswer(): void {
  pasted.value = NONE;
  advice.value = [];
}
