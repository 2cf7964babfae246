// Moving the focus to a field.

import { batch } from '@preact/signals';

import { fields } from '../state/session';
import { fieldAt } from '../state/findings';

/** The id of the control of a field. */
export function idOf(pointer: string): string {
  return `field${pointer.replace(/[^\w]/g, (it) => `-${it.charCodeAt(0).toString(16)}-`)}`;
}

/** Scrolls to the field that a pointer is in and puts the cursor there, on the words of a range if there is one. */
export function focusField(pointer: string, range: { start: number; end: number } | null = null): void {
  const field = batch(() => fieldAt(fields.value, pointer));
  const exact = document.getElementById(idOf(pointer));
  const row = document.getElementById(`${idOf(field?.pointer ?? pointer)}-row`);
  const control = exact ?? row?.querySelector<HTMLElement>('input, textarea, select, button');
  if (!control) return;
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  (row ?? control).scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' });
  control.focus({ preventScroll: true });
  if (range !== null && (control instanceof HTMLTextAreaElement || control instanceof HTMLInputElement)) {
    control.setSelectionRange(range.start, range.end);
  }
}
