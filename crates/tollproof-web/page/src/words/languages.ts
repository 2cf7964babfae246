// The languages of the page, and the chosen one.

import { signal } from '@preact/signals';

export type Language = 'en' | 'es' | 'fr';

export const LANGUAGES: { code: Language; name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'es', name: 'Español' },
  { code: 'fr', name: 'Français' },
];

/** At first that of the browser, as the frame of the page has found it. */
export const language = signal(document.documentElement.lang as Language);
