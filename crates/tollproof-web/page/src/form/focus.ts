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

/** The id of the row where `goToNext` was last. */
let gone = '';

/**
 * Goes to what needs a person next, down the form: fields, then questions when no field waits. It begins at the top again from
 * a row that waits for nothing and that a person went to without it.
 */
export function goToNext(): void {
  const all = [...document.querySelectorAll<HTMLElement>('.field, .task')];
  const isWaiting = (row: HTMLElement) => row.dataset.waits !== undefined;
  const fieldRows = all.filter((row) => isWaiting(row) && row.classList.contains('field'));
  const waiting = fieldRows.length > 0 ? fieldRows : all.filter(isWaiting);
  const here = all.findIndex((row) => row.id === lastVisited.value && (isWaiting(row) || row.id === gone));
  const next = waiting.find((row) => here >= 0 && all.indexOf(row) > here) ?? waiting[0];
  if (next === undefined) return;
  // Nothing is wrong with a field before a person goes on from it.
  const left = fields.value.find(({ pointer }) => `${idOf(pointer)}-row` === gone);
  if (left !== undefined) visit(left.pointer);
  gone = next.id;
  focusRow(next);
}

/** Scrolls to a field and puts the cursor into it. */
export function focusRow(row: HTMLElement, wanted: HTMLElement | null = null): HTMLElement {
  const fold = row.closest('details');
  if (fold !== null) fold.open = true;
  const control = wanted ?? row.querySelector<HTMLElement>('input:checked[type=radio]') ?? row.querySelector<HTMLElement>('.answers input, .box input, .entry :is(input, textarea, select), .entry p > button:not(.link)') ?? row;
  control.focus({ preventScroll: true });
  // At once: on the way, sections get their real heights, and a slow scroll would end beside the field.
  row.scrollIntoView({ block: row.offsetHeight < innerHeight * 0.5 ? 'center' : 'start' });
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
