// A plugin that makes the page one file: scripts and styles inside, and a policy that allows nothing else. `tollproof page`
// fills the elements for engine, rules and workbooks.
// The page starts before its last part has arrived: `async` lets the script run as soon as it is there.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

import { words } from './words.ts';

/** Puts everything that was built into the HTML, with elements for what is loaded; languages and the reader of workbooks last. */
export function singleFile(): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('the build has no index.html');
      const scripts = Object.values(bundle).filter((it) => it.type === 'chunk');
      const styles = Object.values(bundle).filter((it) => it.type === 'asset' && it.fileName.endsWith('.css'));
      const [script, ...others] = scripts;
      if (script === undefined || others.length > 0) throw new Error('the page must be built into one script');
      const code = script.code.replaceAll('</script', '<\\/script').trim();
      const css = styles.map((it) => (it.type === 'asset' ? String(it.source) : '')).join('').trim();
      const html = String(page.source)
        .replace(/\s*<script type="module".*?<\/script>/s, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
        .replace('<meta charset="utf-8">', () => `<meta charset="utf-8">\n    ${policy([code, ...inline(String(page.source))], css)}`)
        .replace('</head>', () => `  <style>${css}</style>\n  </head>`)
        .replace('</body>', () => `  ${loaded('engine')}\n    ${loaded('rules')}\n    <script type="module" async>${code}</script>\n    ${reportHead()}\n    ${loaded('es')}\n    ${words('es')}\n    ${loaded('fr')}\n    ${words('fr')}\n    ${loaded('workbooks')}\n  </body>`);
      for (const name of Object.keys(bundle)) if (name !== 'index.html') delete bundle[name];
      page.source = html;
    },
  };
}

/** The scripts that the HTML itself has. */
function inline(html: string): string[] {
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code]) => code as string);
}

/** Only the scripts and the style of the page run, and it has no connection to anything. */
function policy(scripts: string[], css: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const rules = [
    "default-src 'none'",
    `script-src ${scripts.map(hash).join(' ')} 'wasm-unsafe-eval'`,
    `style-src ${hash(css)}`,
    'img-src data:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join('; ')}">`;
}

/** An element with the head of reports, which is not a part of the page. */
function reportHead(): string {
  const [head, css] = ['head.html', 'report.css'].map((it) => readFileSync(new URL(`../src/reports/${it}`, import.meta.url), 'utf8'));
  return `<script type="text/plain" id="report-head">${head}<style>${css?.replace(/\s*\n\s*/g, '')}</style></script>`;
}

/** An element for a compressed file, which the browser does not run. */
function loaded(id: string): string {
  return `<script type="application/x-xz" id="${id}"></script>`;
}
