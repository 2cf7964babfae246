// Which dialog is open.

import { signal } from '@preact/signals';

export type Opened = 'paste' | 'explain' | 'save' | 'ask' | 'clear' | 'columns' | 'reader' | 'guide';

export const opened = signal<Opened | null>(null);

/** An answer that was opened as a file or pasted as a draft. */
export const pastedAnswer = signal('');

/** What was done last and only those who hear the page need to be told. */
export const announcement = signal('');

/** The id of the rule whose page is shown. */
export const shownRule = signal<string | null>(null);

export function close(): void {
  pastedAnswer.value = '';
  opened.value = null;
}
