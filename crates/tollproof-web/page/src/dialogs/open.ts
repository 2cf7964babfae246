// Which dialog is open.

import { signal } from '@preact/signals';

export type Opened = 'paste' | 'explain' | 'save' | 'clear';

export const opened = signal<Opened | null>(null);

export function close(): void {
  opened.value = null;
}
