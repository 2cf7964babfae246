// Drafts kept in the browser's storage, so that they survive a reload: only if a person asks for it, because others can
// read them there. Each tab has keys of its own, and writes and removes no others.

import type { DraftReading } from 'tollproof';
import { batch, computed, effect, signal } from '@preact/signals';

import { readingsIn } from '../files/readings';
import { type Language, LANGUAGES } from '../words/languages';
import {
  allProviders,
  type Draft,
  drafts,
  fields,
  fileName,
  isBegun,
  isProviderChosen,
  isTyped,
  language,
  layout,
  nameOf,
  position,
  provider,
  readings,
  type View,
  view,
} from './session';
import { hasAnswers, rejectionOf } from './explaining';
import { inSlices, type Stop } from './slices';
import { say } from './undo';
import { t } from '../words';

/** Begins every key of the page: `tollproof.SESSION` and `tollproof.SESSION.DRAFT`. */
const PREFIX = 'tollproof.';
/** The key of `columnChoices`. Every other key is of a session. */
const COLUMNS = 'tollproof-columns';
/** From this number on drafts are written in slices. */
const MANY = 20;
/** How long drafts are kept after the last change, in milliseconds. */
const AGE = 14 * 24 * 60 * 60 * 1000;

/**
 * Whether drafts are kept: `elsewhere` if another tab has the same drafts and writes them, `blocked` if the browser has no
 * storage for the page, `full` if it has no room for all of them: then none is kept.
 */
export const keeping = signal<'no' | 'yes' | 'elsewhere' | 'blocked' | 'full'>('no');
/** What earlier visits and other tabs keep, the latest first. */
export const keptSessions = signal<{ id: string; name: string; saved: number }[]>([]);

/**
 * Which columns of sheets were which field: by provider and heading what was chosen. It is kept with the drafts, for the
 * next sheet; it has no values of theirs.
 */
export const columnChoices = signal<ReadonlyMap<string, string>>(new Map());

/** What is kept beside the drafts. */
interface Session {
  saved: number;
  name: string;
  drafts: string[];
  position: number;
  provider: string;
  fileName: string;
  view: View;
  language: Language;
  isTyped: boolean;
  readings: DraftReading[];
  /** Who wrote it last. */
  writer: string;
}

const local = storageOf(() => localStorage);
/** Belongs to the tab: its session is found after a reload. */
const tab = storageOf(() => sessionStorage);
const written = new Map<string, Draft>();
let own = newId();
/** This load of the page, as the writer of sessions. */
const writer = newId();
/** The drafts whose values a file on the disk has, and those that a file has with all answers. */
const safe = signal<readonly Draft[]>([]);
const whole = signal<{ drafts: readonly Draft[]; readings: readonly DraftReading[]; rejections: string }>({ drafts: [], readings: [], rejections: '' });
/** The answers of providers, without what they mean. */
const rejections = computed(() => JSON.stringify(drafts.value.map((it) => rejectionOf(it) ?? null)));
let stop: Stop = () => {};

/** Takes what this tab kept, and removes what is too old. */
export function restore(): void {
  if (local === null) {
    keeping.value = 'blocked';
    return;
  }
  const kept = tab?.getItem(PREFIX) ?? null;
  sweep();
  columnChoices.value = keptColumns();
  if (kept !== null && sessionOf(kept) !== null) take(kept);
  listKept();
  addEventListener('storage', ({ key }) => {
    const isOwn = key === PREFIX + own || key === null;
    // The event may be late, about what was there before this tab took the drafts: what is there now says who has them.
    const now = sessionOf(own);
    if (isOwn && keeping.peek() === 'yes' && isBegun.peek() && now?.writer !== writer) leave(now === null ? 'no' : 'elsewhere');
    listKept();
  });
  addEventListener('beforeunload', (event) => wouldLose() && event.preventDefault());
}

/** Opens what an earlier visit kept. */
export function take(id: string): void {
  const session = sessionOf(id);
  if (session === null) return;
  const found = session.drafts.map((it) => stored(id, it)).filter((it) => it !== null);
  if (found.length === 0 || allProviders().every((it) => it.name !== session.provider)) return;
  own = id;
  tab?.setItem(PREFIX, own);
  for (const draft of found) written.set(draft.id, draft);
  batch(() => {
    provider.value = session.provider;
    isProviderChosen.value = true;
    fileName.value = session.fileName;
    if (LANGUAGES.some((it) => it.code === session.language)) language.value = session.language;
    drafts.value = found;
    position.value = found[session.position] === undefined ? 0 : session.position;
    view.value = session.view;
    isTyped.value = session.isTyped === true;
    readings.value = (readingsIn((session.readings ?? []).map((it) => JSON.stringify(it)).join('\n')) ?? []);
    keeping.value = 'yes';
    layout.value++;
  });
  if (found.length < session.drafts.length) say(t('keptPart', { n: found.length, all: session.drafts.length }));
  listKept();
}

/** Keeps the drafts from now on, or removes them and keeps nothing. */
export function choose(isKept: boolean): void {
  if (!isKept) return forget();
  own = newId();
  tab?.setItem(PREFIX, own);
  keeping.value = 'yes';
}

/** Writes the drafts whenever they change, if they are kept. */
export function keep(): void {
  effect(() => {
    const saved = Date.now();
    if (keeping.value === 'yes' && columnChoices.value.size > 0) store(COLUMNS, JSON.stringify({ saved, choices: [...columnChoices.value] }));
  });
  effect(() => {
    stop();
    if (keeping.value !== 'yes') return;
    const all = drafts.value;
    const session: Session = {
      saved: Date.now(),
      name: all.length > 1 ? fileName.value : nameOf(all[0] as Draft, 0, fields.value),
      drafts: all.map((it) => it.id),
      position: position.value,
      provider: provider.value,
      fileName: fileName.value,
      view: view.value,
      language: language.value,
      isTyped: isTyped.value,
      readings: readings.value,
      writer,
    };
    if (!isBegun.value) return removeOwn();
    // The list comes first, so that drafts that do not fit are missed after a reload.
    removeOthers(all);
    if (!store(PREFIX + own, JSON.stringify(session))) return keepNone();
    const changed = all.filter((it) => written.get(it.id) !== it);
    if (changed.length <= MANY) changed.forEach((draft) => storeDraft(draft));
    else stop = inSlices(changed, storeDraft, () => {});
  });
}

/** Removes what this tab has written into the browser's storage, and keeps nothing. */
export function forget(): void {
  removeOwn();
  local?.removeItem(COLUMNS);
  tab?.removeItem(PREFIX);
  if (keeping.value !== 'blocked') keeping.value = 'no';
}

/** How much of the drafts and of the answers about them is in a file on the disk. */
export const inFile = computed<'none' | 'drafts' | 'all'>(() => {
  const isSame = (all: readonly Draft[]) => all.length === drafts.value.length && drafts.value.every((it, at) => it.value === all[at]?.value);
  const { drafts: kept, readings: read } = whole.value;
  if (isSame(kept) && read === readings.value && rejections.value === whole.value.rejections && drafts.value.every((it, at) => it.answers === kept[at]?.answers)) return 'all';
  return !isSame(safe.value) ? 'none' : hasAnswers.value ? 'drafts' : 'all';
});

/** Remembers that the drafts are in a file on the disk, and whether with all answers. */
export function markSafe(isWhole: boolean): void {
  if (isWhole) whole.value = { drafts: drafts.value, readings: readings.value, rejections: rejections.value };
  else safe.value = drafts.value;
}

/** Until when the drafts are kept. */
export function keptUntil(): Date {
  return new Date(Date.now() + AGE);
}

/** Whether leaving the page would lose something. */
function wouldLose(): boolean {
  const isKept = keeping.value === 'yes' && drafts.value.every((it) => written.get(it.id) === it);
  return isBegun.value && inFile.value !== 'all' && !isKept;
}

function leave(as: 'no' | 'elsewhere'): void {
  stop();
  written.clear();
  tab?.removeItem(PREFIX);
  keeping.value = as;
}

function removeOwn(): void {
  stop();
  written.clear();
  for (const key of pageKeys()) if (key === PREFIX + own || key.startsWith(`${PREFIX}${own}.`)) local?.removeItem(key);
}

/** Removes sessions that are too old or cannot be read, and drafts without a session. */
function sweep(): void {
  const sessions = new Set(pageKeys().map(sessionIn).filter((id) => (sessionOf(id)?.saved ?? 0) > Date.now() - AGE));
  for (const key of pageKeys()) if (!sessions.has(sessionIn(key))) local?.removeItem(key);
}

/** What is kept of columns, if it is not too old. */
function keptColumns(): Map<string, string> {
  const kept = parsed(COLUMNS) as { saved: number; choices: unknown } | null;
  const choices = kept !== null && kept.saved > Date.now() - AGE && Array.isArray(kept.choices) ? kept.choices : [];
  return new Map((choices as unknown[]).filter((it): it is [string, string] => Array.isArray(it)));
}

function listKept(): void {
  const all = pageKeys().filter((key) => key === PREFIX + sessionIn(key) && key !== PREFIX + own);
  const sessions = all.flatMap((key) => {
    const session = sessionOf(sessionIn(key));
    return session === null ? [] : [{ id: sessionIn(key), name: session.name, saved: session.saved }];
  });
  keptSessions.value = sessions.sort((a, b) => b.saved - a.saved);
}

function pageKeys(): string[] {
  return Object.keys(local ?? {}).filter((it) => it.startsWith(PREFIX));
}

/** The id of the session that a key belongs to. */
function sessionIn(key: string): string {
  return key.slice(PREFIX.length).split('.')[0] ?? '';
}

/** A session; `null` if it is not there or not whole. */
function sessionOf(id: string): Session | null {
  const session = parsed(PREFIX + id) as Session | null;
  const isWhole = Array.isArray(session?.drafts) && typeof session.saved === 'number' && typeof session.name === 'string';
  return isWhole ? session : null;
}

/** The draft with an id; `null` if it is not there or not whole. */
function stored(session: string, id: string): Draft | null {
  const draft = parsed(`${PREFIX}${session}.${id}`) as Draft | null;
  const isWhole = draft?.value !== undefined && Array.isArray(draft.ticked) && Array.isArray(draft.visited);
  return isWhole ? draft : null;
}

/** What a key has. The storage may have been changed by others. */
function parsed(key: string): unknown {
  try {
    return JSON.parse(local?.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function storeDraft(draft: Draft): void {
  if (keeping.peek() !== 'yes') return;
  if (store(`${PREFIX}${own}.${draft.id}`, JSON.stringify(draft))) written.set(draft.id, draft);
  else keepNone();
}

/** Takes back what was kept: a part would look like all of it at the next visit. */
function keepNone(): void {
  keeping.value = 'full';
  removeOwn();
  tab?.removeItem(PREFIX);
}

function store(key: string, text: string): boolean {
  try {
    local?.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

function removeOthers(all: readonly Draft[]): void {
  const ids = new Set(all.map((it) => it.id));
  for (const id of written.keys()) {
    if (ids.has(id)) continue;
    local?.removeItem(`${PREFIX}${own}.${id}`);
    written.delete(id);
  }
}

function newId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}

/** A storage of the browser; `null` if it is blocked. */
function storageOf(get: () => Storage): Storage | null {
  try {
    const storage = get();
    return storage.length >= 0 ? storage : null;
  } catch {
    return null;
  }
}
