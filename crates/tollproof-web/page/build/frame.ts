// A plugin that puts the words of the page into what is shown before the script has loaded, in the language of the browser.

import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

type Words = Record<string, string>;

/** Fills `data-word="NAME"` elements with English words, and adds a script that replaces them in other languages. */
export function frame(): Plugin {
  return {
    name: 'frame',
    transformIndexHtml: {
      order: 'pre',
      handler(html) {
        const english = wordsOf('en');
        const used = [...html.matchAll(/ data-word="(\w+)"/g)].map(([, name]) => name as string);
        const words = {
          en: pick(english, ['loading']),
          es: pick(wordsOf('es'), [...used, 'loading']),
          fr: pick(wordsOf('fr'), [...used, 'loading']),
        };
        return html
          .replace(/ data-word="(\w+)">/g, (whole, name: string) => `${whole}${english[name]}`)
          .replace('<noscript></noscript>', `<noscript>${['en', 'fr', 'es'].map((it) => `<p lang="${it}">${wordsOf(it).noScript}</p>`).join('')}</noscript>`)
          .replace('<script data-frame></script>', () => `<script>${script(words)}</script>`);
      },
    },
  };
}

/** The language of the page is that of the document; `src/words` reads it there. */
function script(words: Record<string, Words>): string {
  return `(() => {
  const words = ${JSON.stringify(words)};
  const language = navigator.languages.map((it) => it.slice(0, 2)).find((it) => words[it]) ?? 'en';
  document.documentElement.lang = language;
  for (const it of document.querySelectorAll('[data-word]')) it.textContent = words[language][it.dataset.word] ?? it.textContent;
  // What changes after the page is there is announced.
  setTimeout(() => document.querySelector('.loading')?.append(words[language].loading));
})();`;
}

function wordsOf(language: string): Words {
  return JSON.parse(readFileSync(new URL(`../src/words/${language}.json`, import.meta.url), 'utf8')).page;
}

function pick(words: Words, names: string[]): Words {
  return Object.fromEntries(names.map((name) => [name, words[name] as string]));
}
