// What happened last, said to everybody, and how to take it back.

import { signal } from '@preact/signals';

import { advice, drafts, fileName, kind, layout, position, provider, readings, view } from './session';

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

/** Runs an action that replaces drafts, says that it happened, and offers to undo it; `undone` is called after that. */
export function withUndo(action: () => { words: string; lines?: string[]; undone?: () => void }): void {
  const before = {
    drafts: drafts.value,
    position: position.value,
    provider: provider.value,
    kind: kind.value,
    fileName: fileName.value,
    view: view.value,
    readings: readings.value,
    advice: advice.value,
  };
  const { words, lines = [], undone } = action();
  const undo = () => {
    provider.value = before.provider;
    kind.value = before.kind;
    drafts.value = before.drafts;
    position.value = before.position;
    fileName.value = before.fileName;
    view.value = before.view;
    readings.value = before.readings;
    advice.value = before.advice;
    layout.value++;
    notice.value = null;
    undone?.();
  };
  notice.value = { words, lines, undo };
}
