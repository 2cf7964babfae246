// The page's own words in other languages than English: lists at the end of the page, which only their readers wait for.

import { readFileSync } from 'node:fs';

type Words = Record<string, Record<string, string>>;

/** An element with the words of a language, in the order of the English ones; `src/words` gives them their names again. */
export function words(code: string): string {
  const [english, own] = ['en', code].map((it) => JSON.parse(readFileSync(new URL(`../src/words/${it}.json`, import.meta.url), 'utf8')) as Words);
  const lists = Object.entries(english ?? {}).map(([section, texts]) => [section, Object.keys(texts).map((name) => own?.[section]?.[name])]);
  return `<script type="application/json" id="words-${code}">${JSON.stringify(Object.fromEntries(lists)).replaceAll('</', '<\\/')}</script>`;
}
