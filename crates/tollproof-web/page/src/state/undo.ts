// What happened last, said to everybody, and how to take it back.

import { computed, signal } from '@preact/signals';

import { t } from '../words';
import { drafts, fileName, isTyped, layout, position, provider, readings, view } from './session';

/** What a text was, and what it is now. */
export interface Change {
  /** The draft, if there are several, and the field. */
  place: string;
  old: string;
  text: string;
}

export interface Notice {
  words: string;
  changes: Change[];
  /** More about it, one line each. */
  lines: string[];
  /** Whether it can be undone from the notice. */
  hasUndo: boolean;
}

/** What can be undone. */
interface Step {
  /** The field where the button for it is, of the draft with this id; `null` if it is in the notice. */
  at: string | null;
  draft: string;
  undo: () => void;
}

export const notice = signal<Notice | null>(null);
const steps = signal<Step[]>([]);

/** What is undone next, until a person writes something else. */
export const lastStep = computed(() => steps.value.at(-1));

/** Says something. */
export function say(words: string, lines: string[] = []): void {
  notice.value = { words, changes: [], lines, hasUndo: false };
}

/** Forgets what was done, because a person has gone on from there. */
export function goOn(): void {
  notice.value = null;
  steps.value = [];
}

interface Done {
  words: string;
  changes?: Change[];
  lines?: string[];
  /** The field in which it happened, if it was one. */
  at?: string;
  /** Called after it was undone. */
  undone?: () => void;
}

/** Runs an action that replaces drafts, says that it happened, and offers to undo it. */
export function withUndo(action: () => Done): void {
  const signals = [drafts, position, provider, fileName, view, readings, isTyped] as { value: unknown }[];
  const before = signals.map((it) => it.value);
  const { words, changes = [], lines = [], at = null, undone } = action();
  const undo = () => {
    signals.forEach((it, index) => (it.value = before[index]));
    layout.value++;
    undone?.();
  };
  steps.value = [...steps.value, { at, draft: drafts.value[position.value]?.id ?? '', undo }];
  notice.value = { words, changes, lines, hasUndo: at === null };
}

/** Takes back what happened last. */
export function undoLast(): void {
  const step = lastStep.value;
  if (step === undefined) return;
  steps.value = steps.value.slice(0, -1);
  step.undo();
  notice.value = { words: t('undone'), changes: [], lines: [], hasUndo: lastStep.value?.at === null };
}

/** Ctrl+Z, or ⌘Z, takes back what happened last; in a text it is the browser's. */
export function undoByKey(): void {
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    const isText = (event.target as Element).matches('textarea, input:not([type=checkbox], [type=radio]), [contenteditable]');
    if (isText || document.querySelector('dialog[open]') !== null || lastStep.value === undefined) return;
    event.preventDefault();
    undoLast();
  });
}
