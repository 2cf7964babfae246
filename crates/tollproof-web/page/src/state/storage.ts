// Drafts kept in the browser's storage, so that they survive a reload. Each has a key of its own: a key writes one.

import { effect, signal } from '@preact/signals';

import { type Draft, chosenLanguage, drafts, fileName, isBegun, kind, newDraft, position, provider, view } from './session';
import { inSlices, type Stop } from './slices';

const PREFIX = 'tollproof.draft.';
const SESSION = 'tollproof.session';
/** From this number on drafts are written in slices. */
const MANY = 20;

/** Whether the browser's storage takes no more, so that a reload would lose changes. */
export const isFull = signal(false);

const written = new Map<string, Draft>();
let stop: Stop = () => {};

/** Takes what an earlier visit left; returns false if that is nothing. */
export function restore(): boolean {
  try {
    const session = JSON.parse(localStorage.getItem(SESSION) ?? 'null');
    if (session === null) return false;
    const kept = (session.drafts as string[]).map((id) => JSON.parse(localStorage.getItem(PREFIX + id) ?? 'null') as Draft | null);
    const found = kept.filter((it) => it !== null);
    if (found.length === 0) return false;
    for (const draft of found) written.set(draft.id, draft);
    provider.value = session.provider;
    kind.value = session.kind;
    fileName.value = session.fileName;
    chosenLanguage.value = session.language;
    drafts.value = found;
    position.value = Math.min(session.position, found.length - 1);
    view.value = session.view;
    return true;
  } catch {
    // Other pages of the same origin may have written anything.
    keepNothing();
    drafts.value = [newDraft()];
    return false;
  }
}

/** Keeps the drafts from now on, as soon as something is written. */
export function keep(): void {
  effect(() => {
    const all = drafts.value;
    const session = JSON.stringify({
      drafts: all.map((it) => it.id),
      position: position.value,
      provider: provider.value,
      kind: kind.value,
      fileName: fileName.value,
      view: view.value,
      language: chosenLanguage.value,
    });
    stop();
    if (!isBegun.value) return keepNothing();
    const changed = all.filter((it) => written.get(it.id) !== it);
    const finish = () => {
      store(SESSION, session);
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
