// What a person can do with drafts.

import { batch, computed } from '@preact/signals';

import { withAddress, write } from '../columns/assign';
import { answers, convert, fields as fieldsOf, questions } from '../engine';
import type { DraftReading, Field, Finding, Kind, Question } from 'tollproof';
import type { AddedWords, OptIn, TaskAnswer } from '../draft/choices';
import { get, isEmpty, type Json, set } from '../draft/pointer';
import { short } from '../form/fixWords';
import { fieldAt, nameAt } from './findings';
import { labelOf, t } from '../words';
import { withoutForm } from '../tasks/guide';
import { typeOf, webAddress } from '../tasks/way';
import { fieldsIn } from '../sheet/rowState';
import { type Task, taskOf, tasksOf } from '../tasks/tasks';
import { forgetReasons } from './explaining';
import { choose, forget, keeping } from './storage';
import {
  asFirst,
  checked,
  current,
  type Draft,
  drafts,
  fields,
  fileName,
  found,
  isProviderChosen,
  isTyped,
  kindName,
  kindsOf,
  layout,
  nameOf as draftName,
  newDraft,
  position,
  provider,
  providerTitle,
  readings,
  settle,
  settled,
  view,
  waitForPause,
  wholeOf,
} from './session';
import { type Change, goOn, notice, withUndo } from './undo';

/** A number in any notation, and no identifier. */
const PHONE_NUMBER = /^\+?[\d ().-]{10,}$/;

/** Replaces the open draft. */
export function change(changes: Partial<Draft>): void {
  batch(() => {
    settle();
    replace(changes);
  });
}

function replace(changes: Partial<Draft>): void {
  const all = [...drafts.value];
  const example = current.value.example && (changes.value === undefined ? current.value.example : 'edited');
  all[position.value] = { ...current.value, example, ...changes };
  drafts.value = all;
}

/** Writes a value into the open draft; `undefined` removes it. */
export function setValue(pointer: string, value: Json | undefined): void {
  goOn();
  change(written(pointer, value));
}

function written(pointer: string, value: Json | undefined): Partial<Draft> {
  return { value: set(current.value.value, pointer, value), visited: visitedWith(pointer) };
}

/** Writes what a person is typing: it is checked when the person pauses. */
export function typeValue(pointer: string, value: Json | undefined): void {
  goOn();
  batch(() => {
    waitForPause();
    replace(written(pointer, value));
  });
}

/** Remembers that a person was led to a field, as if it had been written in. */
export function visit(pointer: string): void {
  change({ visited: visitedWith(pointer) });
}

function visitedWith(pointer: string): string[] {
  const { visited } = current.value;
  return visited.includes(pointer) ? visited : [...visited, pointer];
}

export function tick(item: string, isTicked: boolean): void {
  const others = current.value.ticked.filter((it) => it !== item);
  change({ ticked: isTicked ? [...others, item] : others });
}

/** Takes a way to agree: the draft says so where it has a field for it, and the help of its fields follows. */
export function chooseOptIn(chosen: OptIn): void {
  withUndo(() => {
    if (current.value.example === 'untouched') drafts.value = [emptied()];
    const field = fields.value.find(({ role }) => role === 'optInType');
    const type = typeOf(chosen.way, field?.values ?? []);
    const name = chosen.business.trim();
    const role = withoutForm(name) === name ? 'doingBusinessAs' : 'businessName';
    const found: Record<string, string | undefined> = { optInType: type, [role]: name, corporateWebsite: chosen.way === 'web' ? /^https?:\/\/[^/\s]+/.exec(webAddress(chosen.place))?.[0] : undefined };
    // A type is chosen again, and what was typed fills what is empty.
    const value = fields.value.reduce((draft, { role, pointer }) => {
      const text = found[role ?? ''];
      return text && (role === 'optInType' || isEmpty(get(draft, pointer))) ? set(draft, pointer, text) : draft;
    }, current.value.value);
    change({ optIn: chosen, value });
    layout.value++;
    return { words: t('wayChosen') };
  });
}

/** Writes the description of the chosen way into its field, and the word that people send where a field for it is empty. */
export function takeWayText({ pointer }: Field, text: string): void {
  withUndo(() => {
    const { value, optIn } = current.value;
    const keywords = fields.value.find((it) => it.role === 'optInKeywords');
    const hasWord = keywords !== undefined && optIn?.way === 'text' && isEmpty(get(value, keywords.pointer));
    const word = keywords?.type === 'list' ? [set(undefined, keywords.item, optIn?.word)] : optIn?.word;
    change({ value: set(hasWord ? set(value, keywords.pointer, word) : value, pointer, text) });
    layout.value++;
    return { words: t('textTaken'), at: pointer };
  });
}

/** Writes down the answer to a task in all drafts that ask the same; `null` takes it back. Answers about what a draft no longer says are dropped. */
export function answerTask({ key }: Task, answer: TaskAnswer | null): void {
  const answersIn = (draft: Draft, of: readonly Field[]) => {
    const asked = new Set(tasksOf(draft, of).map((it) => it.key));
    const kept = Object.entries(draft.answers ?? {}).filter(([other]) => other !== key && asked.has(other));
    return asked.has(key) ? Object.fromEntries(answer === null ? kept : [...kept, [key, answer]]) : undefined;
  };
  batch(() => {
    change({ answers: answersIn(current.value, fields.value) ?? {} });
    drafts.value = drafts.value.map((draft, at) => {
      const answers = at === position.value ? undefined : answersIn(draft, fieldsIn(draft));
      return answers === undefined ? draft : { ...draft, answers };
    });
  });
}

/** Takes back answers that a rejection says are not true, so that they are looked at again. */
export function doubtAnswers(reasons: readonly Finding[]): void {
  for (const reason of reasons) {
    const task = taskOf(current.value, fields.value, reason);
    if (task !== undefined) answerTask(task, null);
  }
}

/** Applies the fix of a finding; `words` are those of its button. */
export function applyFix(finding: Finding, words: string): void {
  const edits = finding.fix?.edits ?? [];
  withUndo(() => {
    const value = edits.reduce((draft, edit) => set(draft, edit.pointer, edit.value as Json | undefined), current.value.value);
    change({ value });
    layout.value++;
    return { words: t('fixed', { words }), at: fieldAt(fields.value, finding.pointer)?.pointer };
  });
}

/** Writes a text to which words were added. */
export function addWords({ pointer, text, words }: AddedWords): void {
  withUndo(() => {
    change({ value: set(current.value.value, pointer, text) });
    layout.value++;
    return { words: t('fixed', { words }), at: fieldAt(fields.value, pointer)?.pointer };
  });
}

/** Moves a text to an empty field. */
export function moveValue(from: string, field: Field): void {
  withUndo(() => {
    const { value } = current.value;
    const moved = write(set(value, from, undefined), field, get(value, from) ?? '');
    change({ value: field.role === 'businessAddr1' ? withAddress(moved, fields.value, provider.value) : moved });
    layout.value++;
    return { words: t('fixed', { words: t('fixMove', { name: labelOf(field).text }) }), at: field.pointer };
  });
}

/** How many findings of the table, or of the open draft, have a fix that changes no meaning. */
export const safeFixes = computed(() => {
  const all = view.value === 'sheet' ? [...found.value.values()].flatMap((it) => it.findings) : checked.value.findings;
  return all.filter((it) => it.fix?.safety === 'safe').length;
});

/** Applies the fixes that change no meaning; of several at one place the first. */
export function applySafeFixes(): void {
  withUndo(() => {
    let applied = 0;
    const changes: Change[] = [];
    const fixed = (draft: Draft, at: number): Draft => {
      const findings = view.value === 'sheet' ? found.value.get(draft.id)?.findings : checked.value.findings;
      const taken = new Set<string>();
      let value = draft.value;
      for (const { fix } of findings ?? []) {
        if (fix?.safety !== 'safe' || fix.edits.some((it) => taken.has(it.pointer))) continue;
        for (const edit of fix.edits) {
          taken.add(edit.pointer);
          const place = nameOf(edit.pointer, fields.value);
          const label = view.value === 'sheet' ? t('labelled', { label: draftName(draft, at, fields.value), text: place }) : place;
          changes.push({ place: label, old: short(get(value, edit.pointer)), text: short(edit.value as Json | undefined) });
          value = set(value, edit.pointer, edit.value as Json | undefined);
        }
        applied++;
      }
      return value === draft.value ? draft : { ...draft, value };
    };
    drafts.value = drafts.value.map((draft, at) => (view.value === 'sheet' || at === position.value ? fixed(draft, at) : draft));
    layout.value++;
    return { words: t('fixedAll', { n: applied }), changes };
  });
}

/** How many other drafts have something else in a field. */
export function othersThan(pointer: string): number {
  const text = JSON.stringify(get(current.value.value, pointer));
  return drafts.value.map((it) => get(it.value, pointer)).filter((it) => !isEmpty(it) && JSON.stringify(it) !== text).length;
}

/** Writes what the open draft has in a field into all other drafts. */
export function fillAll(pointer: string): void {
  withUndo(() => {
    const value = get(current.value.value, pointer);
    const others = drafts.value.filter((it) => JSON.stringify(get(it.value, pointer)) !== JSON.stringify(value));
    drafts.value = drafts.value.map((it) => (others.includes(it) ? { ...it, value: set(it.value, pointer, value) } : it));
    return { words: t('filledAll', { n: others.length }) };
  });
}

/** Takes a value out of all drafts: what the form has no field for is a column of a sheet. */
export function removeAll(pointer: string): void {
  withUndo(() => {
    const having = drafts.value.filter((it) => get(it.value, pointer) !== undefined);
    drafts.value = drafts.value.map((it) => (having.includes(it) ? { ...it, value: set(it.value, pointer, undefined) } : it));
    return { words: t('removedAll', { n: having.length }) };
  });
}

/** Remembers that numbers are chosen on the provider's website, and need no identifiers here. */
export function typeDrafts(at: string | undefined): void {
  withUndo(() => {
    isTyped.value = true;
    return { words: t('numbersAreEnough'), at };
  });
}

/** Takes another provider. What is written moves along, and what has no place there is named. */
export function chooseProvider(name: string): void {
  const from = provider.value;
  if (name === from) return;
  withUndo(() => {
    const left = new Map<string, string>();
    const before = fields.value;
    const numbers = fieldsOf(name).find(({ role }) => role === 'phoneNumbers');
    batch(() => {
      drafts.value = drafts.value.map((draft) => {
        const whole = wholeOf(draft);
        const converted = convert(whole, from, name);
        let value = converted.value as Json;
        for (const it of converted.left) {
          const old = get(whole, it.pointer);
          // Who chooses the number on the provider's website needs no identifier of it.
          const number = typeof old === 'string' && PHONE_NUMBER.test(old) ? numbers : undefined;
          // What is not a field of any form, such as a column of a sheet, waits for its place.
          const place = number?.type === 'text' ? number.pointer : fieldAt(before, it.pointer) === undefined ? it.pointer : undefined;
          if (place !== undefined) value = set(value, place, old);
          else left.set(nameOf(it.pointer, before), it.reason);
        }
        return { ...asFirst(draft), value };
      });
      provider.value = name;
      isProviderChosen.value = true;
      layout.value++;
    });
    const undone = forgetReasons();
    const isExample = current.value.example === 'untouched';
    const lines = isExample ? [] : [...left].map(([field, reason]) => `${field}: ${reason}`);
    return { words: t(lines.length === 0 ? 'converted' : 'convertedWithout', { provider: providerTitle(name) }), lines, undone };
  });
}

/** What a place of a draft is called by the form with these fields. */
function nameOf(pointer: string, of: readonly Field[]): string {
  const field = fieldAt(of, pointer);
  return field === undefined ? nameAt(pointer) : labelOf(field).text;
}

/** Takes another kind of request for the open draft. What it must not name, such as the number of an earlier submission, is set aside. */
export function chooseKind(kind: Kind): void {
  const whole = wholeOf(current.value);
  const of = (name: Kind) => fieldsOf(provider.value, name, whole);
  const known = new Set(of(kind).map((it) => it.pointer));
  const others = kindsOf(provider.value).flatMap(of).filter(({ pointer }) => !known.has(pointer) && !isEmpty(get(whole, pointer)));
  const aside = others.map(({ pointer }) => ({ pointer, value: get(whole, pointer) as Json }));
  const take = () => {
    change({ kind, aside, value: aside.reduce((rest, it) => set(rest, it.pointer, undefined), whole) });
    layout.value++;
    return { words: t('notTaken', { provider: providerTitle(provider.value), kind: t(kindName(kind)) }), lines: others.map((it) => labelOf(it).text) };
  };
  if (aside.length > 0) withUndo(take);
  else take();
}

/** The name of a person in readings. */
export const PERSON = 'a person';
/** The name of a reader that gave none. */
export const ASSISTANT = 'assistant';

/** How many drafts are read at once: more would be too long for a chat. */
export const READ_AT_ONCE = 10;

/** The drafts to read: the open one, or the first of the table that are not read. */
export function toRead(isWhole: boolean): Draft[] {
  return isWhole ? drafts.value.filter((it) => found.value.get(it.id)?.byWords !== false).slice(0, READ_AT_ONCE) : [current.value];
}

/** The questions that no reader has answered about some drafts, as one message. The same texts are asked about once. */
export function messageFor(some: readonly Draft[]): string {
  const asked = some.map((it) => questions(it.value, { provider: provider.value, kind: it.kind, readings: readings.value }));
  return asked.flatMap(({ message, requests: [request] }, at) => (request && asked.findIndex((it) => it.requests[0]?.id === request.id) === at ? message : [])).join('\n\n');
}

/** An answer that counts, and the reading that has it. */
export type Given = DraftReading['answers'][string] & { reading: DraftReading };

/** All questions about a draft, and the answers that count, by the ids of their questions. */
export function askedOf(draft: Draft): { id: string; all: Question[]; given: Map<string, Given> } {
  const open = (read: DraftReading[]) => questions(draft.value, { provider: provider.value, kind: draft.kind, readings: read }).requests[0];
  const idsIn = (read: DraftReading[]) => new Set(open(read)?.questions.map((it) => it.id));
  const { id = '', questions: all = [] } = open([]) ?? {};
  const left = readings.value.length === 0 ? new Set(all.map((it) => it.id)) : idsIn(readings.value);
  const closed = all.filter((it) => !left.has(it.id)).map((it) => it.id);
  const given = new Map<string, Given>();
  // Of several answers the newest counts, and a reading may be about other texts.
  for (const reading of readings.value.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).reverse()) {
    const ids = closed.filter((it) => !given.has(it) && reading.answers[it] !== undefined);
    const others = ids.length > 0 ? idsIn([reading]) : new Set();
    for (const it of ids) if (!others.has(it)) given.set(it, { ...(reading.answers[it] as Given), reading });
  }
  return { id, all, given };
}

/** How far the open draft is read. */
export const answered = computed(() => {
  const { all, given } = askedOf(settled.value);
  return { done: given.size, all: all.length };
});

/** Takes an answer out of the reading that has it. */
export function takeBack(id: string, { reading }: Given): void {
  const { [id]: _, ...answers } = reading.answers;
  readings.value = readings.value.map((it) => (it === reading ? { ...it, answers } : it)).filter((it) => Object.keys(it.answers).length > 0);
}

/** What cannot be used of answers; the problem is empty if all can. */
export interface Taken {
  problem: string;
  /** One line for each answer that cannot be used. */
  lines: string[];
  /** Whether the only problem is that questions have no answer yet. */
  isOpen?: boolean;
}

/** Uses what an assistant or a person answered about some drafts. */
export function takeAnswers(text: string, some: readonly Draft[] = [current.value]): Taken {
  const kinds = new Set(some.map((it) => it.kind));
  const options = { provider: provider.value, kind: kinds.size === 1 ? some[0]?.kind : undefined };
  const values = some.map((it) => it.value);
  const { readings: read, refused, strange } = answers(withoutRemark(text), values.length === 1 ? values[0] : values, options);
  if (read.length > 0) readings.value = [...readings.value, ...read];
  if (strange > 0) return { problem: t('answersStrange'), lines: [] };
  const lines = refused.map(({ question, why }) => `\`${question}\`: ${why}.`);
  if (refused.length > 0) return { problem: t('answersRefused', { n: refused.length }), lines };
  if (read.length === 0) return { problem: t('answersNone'), lines };
  return messageFor(some) === '' ? { problem: '', lines } : { problem: t('answersMissing'), lines, isOpen: true };
}

/** What an assistant wrote without its last words after the answers, whose quotation marks are none of an answer. */
function withoutRemark(text: string): string {
  const parts = text.split(/\n\s*\n/);
  const last = parts.findLastIndex((part) => /[{}]|^\s*[>"“«]|^[^\p{L}]*[a-z]+(?:-[a-z]+)*[^\p{L}\n]*:/mu.test(part));
  return last < 0 ? text : parts.slice(0, last + 1).join('\n\n');
}

/** Opens one draft of a sheet in the form. From the table, the Back button of the browser leads to the table again. */
export function openRow(at: number): void {
  if (view.value === 'sheet') {
    history.replaceState('sheet', '');
    history.pushState('row', '');
  }
  batch(() => {
    position.value = at;
    view.value = 'form';
    notice.value = null;
    layout.value++;
  });
}

/** Goes back to the table. */
export function closeRow(): void {
  if (history.state === 'row') history.back();
  else view.value = 'sheet';
}

/** Shows the open draft field by field, to be typed over. The Back button of the browser leads to the form again. */
export function openHandOver(): void {
  history.pushState('handover', '');
  notice.value = null;
  view.value = 'handover';
  scrollTo(0, 0);
}

/** Goes back to the form, and then does something there. */
export function closeHandOver(then: () => void): void {
  addEventListener('popstate', () => setTimeout(then), { once: true });
  if (history.state === 'handover') history.back();
  else dispatchEvent(new PopStateEvent('popstate'));
}

addEventListener('popstate', () => {
  const { state } = history;
  if (state === 'handover') view.value = 'handover';
  else if (view.value === 'handover') view.value = 'form';
  // Links to parts of the form have no state.
  else if (drafts.value.length > 1 && (state !== null || location.hash === '')) view.value = state === 'row' ? 'form' : 'sheet';
});

/** Removes all drafts, here and in the browser's storage. */
export function clear(): void {
  const wasKept = keeping.value === 'yes';
  withUndo(() => {
    batch(() => {
      drafts.value = [newDraft()];
      readings.value = [];
      position.value = 0;
      fileName.value = '';
      view.value = 'form';
      layout.value++;
    });
    forget();
    return { words: t('cleared'), undone: () => wasKept && choose(true) };
  });
}

/** Replaces the example with an empty draft. */
export function clearExample(): void {
  if (current.value.example === 'edited') return clear();
  goOn();
  drafts.value = [emptied()];
  layout.value++;
}

/** An empty draft in place of the example; an answer that was explained stays with it. */
function emptied(): Draft {
  return { ...newDraft(), id: current.value.id };
}
