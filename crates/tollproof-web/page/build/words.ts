// Leaves the names of words out of all languages but English, so that each is in the page once.

import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

type Words = Record<string, Record<string, string>>;

/** `es.json` and `fr.json` become lists in the order of `en.json`; `src/words` gives them their names again. */
export function words(): Plugin {
  return {
    name: 'words',
    enforce: 'pre',
    transform(text, id) {
      if (!/\/src\/words\/(es|fr)\.json$/.test(id)) return null;
      const own = JSON.parse(text) as Words;
      const english = JSON.parse(readFileSync(new URL('../src/words/en.json', import.meta.url), 'utf8')) as Words;
      const lists = Object.entries(english).map(([section, texts]) => [section, Object.keys(texts).map((name) => own[section]?.[name])]);
      return { code: JSON.stringify(Object.fromEntries(lists)), map: null };
    },
  };
}
