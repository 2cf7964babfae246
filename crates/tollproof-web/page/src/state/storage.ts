// Drafts kept in the browser's storage, so that they survive a reload. Each has a key of its own: a key writes one.

import type { Kind } from 'tollproof';
import { batch, effect, signal } from '@preact/signals';

import type { Language } from '../words/languages';
import {
  allProviders,
  chosenLanguage,
  type Draft,
  drafts,
  fileName,
  isBegun,
  kind,
  position,
  provider,
  type View,
  view,
} from './session';
import { inSlices, type Stop } from './slices';

const PREFIX = 'tollproof.draft.';
const SESSION = 'tollproof.session';
/** From this number on drafts are written in slices. */
const MANY = 20;

/** Whether the browser's storage takes no more, so that a reload would lose changes. */
export const isFull = signal(false);

const written = new Map<string, Draft>();
let stop: Stop = () => {};

/** What is kept beside the drafts. */
interface Session {
  drafts: string[];
  position: number;
  provider: string;
  kind: Kind | null;
  fileName: string;
  view: View;
  language: Language | 'auto';
}

/** Takes what an earlier visit left. */
export function restore(): void {
  try {
    const session = JSON.parse(localStorage.getItem(SESSION) ?? 'null') as Session | null;
    if (session === null) return;
    const found = session.drafts.map(stored).filter((it) => it !== null);
    const isProvider = allProviders().some((it) => it.name === session.provider);
    if (found.length === 0 || !isProvider) return keepNothing();
    for (const draft of found) written.set(draft.id, draft);
    batch(() => {
      provider.value = session.provider;
      kind.value = session.kind;
      fileName.value = session.fileName;
      chosenLanguage.value = session.language;
      drafts.value = found;
      position.value = found[session.position] === undefined ? 0 : session.position;
      view.value = session.view;
    });
  } catch {
    // The storage may have been changed by hand.
    keepNothing();
  }
}

/** Keeps the drafts from now on, as soon as something is written. */
export function keep(): void {
  effect(() => {
    const all = drafts.value;
    const session: Session = {
      drafts: all.map((it) => it.id),
      position: position.value,
      provider: provider.value,
      kind: kind.value,
      fileName: fileName.value,
      view: view.value,
      language: chosenLanguage.value,
    };
    stop();
    if (!isBegun.value) return keepNothing();
    const changed = all.filter((it) => written.get(it.id) !== it);
    const finish = () => {
      store(SESSION, JSON.stringify(session));
      removeOthers(all);
    };
    if (changed.length <= MANY) {
      changed.forEach(storeDraft);
      finish();
    } else {
      stop = inSlices(changed, storeDraft, (done) => {
        if (done === changed.length) finish();
      });
    }
  });
}

/** Removes every trace of this page from the browser's storage. */
export function keepNothing(): void {
  stop();
  written.clear();
  isFull.value = false;
  for (const key of Object.keys(localStorage)) {
    if (key === SESSION || key.startsWith(PREFIX)) localStorage.removeItem(key);
  }
}

/** The draft with an id, `null` if it is not there or not whole. */
function stored(id: string): Draft | null {
  const draft = JSON.parse(localStorage.getItem(PREFIX + id) ?? 'null') as Draft | null;
  const isWhole = draft?.value !== undefined && Array.isArray(draft.ticked) && Array.isArray(draft.visited);
  return isWhole ? draft : null;
}

function storeDraft(draft: Draft): void {
  if (store(PREFIX + draft.id, JSON.stringify(draft))) written.set(draft.id, draft);
}

function store(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    isFull.value = true;
    return false;
  }
}

function removeOthers(all: readonly Draft[]): void {
  const ids = new Set(all.map((it) => it.id));
  for (const id of written.keys()) {
    if (ids.has(id)) continue;
    localStorage.removeItem(PREFIX + id);
    written.delete(id);
  }
}
