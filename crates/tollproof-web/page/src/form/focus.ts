// Moving the focus to a field.

import { fields } from '../state/session';
import { fieldAt } from '../state/findings';
import { visit } from '../state/actions';

/** The id of the row in which the focus was last. */
export const lastVisited = { value: '' };

addEventListener('focusin', (event) => {
  const row = (event.target as Element).closest('.field, .task');
  if (row !== null) lastVisited.value = row.id;
});

/** The id of the control of a field. */
export function idOf(pointer: string): string {
  return `field${pointer.replace(/[^\w]/g, (it) => `-${it.charCodeAt(0).toString(16)}-`)}`;
}

/** Scrolls to the field that a pointer is in and puts the cursor there, on the words of a range if there is one. */
export function focusField(pointer: string, range: { start: number; end: number } | null = null): void {
  const field = fieldAt(fields.value, pointer);
  const row = document.getElementById(`${idOf(field?.pointer ?? pointer)}-row`);
  if (row === null) return;
  const control = focusRow(row, document.getElementById(idOf(pointer)));
  if (range !== null && (control instanceof HTMLTextAreaElement || control instanceof HTMLInputElement)) {
    control.setSelectionRange(range.start, range.end);
  }
}

/** What waits first. */
const URGENCY = ['error', 'warning', 'reason', 'no', 'open'];

/** Goes to what needs a person next: first errors, then other fields, then questions, each from the last visited one on. */
export function goToNext(): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.field, .task')];
  const here = rows.find((row) => row.id === lastVisited.value);
  const urgency = (row: HTMLElement) => URGENCY.indexOf(row.dataset.waits ?? '');
  const waiting = rows.filter((row) => urgency(row) >= 0).toSorted((a, b) => urgency(a) - urgency(b));
  const at = here === undefined ? -1 : waiting.indexOf(here);
  // From a field that is right now, to the next one of those that are the most urgent.
  const after = at < 0 && here !== undefined ? waiting.findIndex((row) => urgency(row) === urgency(waiting[0] as HTMLElement) && rows.indexOf(row) > rows.indexOf(here)) : at + 1;
  const next = waiting[after] ?? waiting[0];
  if (next === undefined) return;
  const field = fields.value.find(({ pointer }) => `${idOf(pointer)}-row` === next.id);
  if (field !== undefined) visit(field.pointer);
  focusRow(next);
}

/** Scrolls to a field and puts the cursor into it. */
export function focusRow(row: HTMLElement, wanted: HTMLElement | null = null): HTMLElement {
  const fold = row.closest('details');
  if (fold !== null) fold.open = true;
  const control = wanted ?? row.querySelector<HTMLElement>('input:checked[type=radio]') ?? row.querySelector<HTMLElement>('.answers input, .box input, .entry :is(input, textarea, select), .entry p > button:not(.link)') ?? row;
  control.focus({ preventScroll: true });
  // At once: on the way, sections get their real heights, and a slow scroll would end beside the field.
  row.scrollIntoView({ block: row.offsetHeight < innerHeight * 0.7 ? 'center' : 'start' });
  return control;
}

/**
 * Moves the focus to the first of these elements that is there after the next rendering, and scrolls nowhere. It is for
 * controls that vanish when they are used: without it, the keyboard would begin at the top of the page again.
 */
export function focusAfter(...selectors: string[]): void {
  setTimeout(() => {
    const found = selectors.map((it) => document.querySelector<HTMLElement>(it)).find((it) => it !== null);
    found?.focus({ preventScroll: true });
  });
}
