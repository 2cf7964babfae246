// What happened last, said to everybody, and how to take it back.

import { signal } from '@preact/signals';

import { drafts, fileName, kind, layout, position, provider, view } from './session';

export interface Notice {
  words: string;
  /** More about it, one line each. */
  lines: string[];
  undo: (() => void) | null;
}

export const notice = signal<Notice | null>(null);

/** Says something; it stays until it is closed or something else happened. */
export function say(words: string, lines: string[] = []): void {
  notice.value = { words, lines, undo: null };
}

/** Runs an action that replaces drafts, says that it happened, and offers to undo it. */
export function withUndo(action: () => { words: string; lines?: string[] }): void {
  const before = {
    drafts: drafts.value,
    position: position.value,
    provider: provider.value,
    kind: kind.value,
    fileName: fileName.value,
    view: view.value,
  };
  const { words, lines = [] } = action();
  const undo = () => {
    provider.value = before.provider;
    kind.value = before.kind;
    drafts.value = before.drafts;
    position.value = before.position;
    fileName.value = before.fileName;
    view.value = before.view;
    layout.value++;
    notice.value = null;
  };
  notice.value = { words, lines, undo };
}
