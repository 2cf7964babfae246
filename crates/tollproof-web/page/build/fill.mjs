// Fills the page with what it loads, as `tollproof page` does, and writes it as index.html into a folder.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const [folder] = process.argv.slice(2);
const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url));
const filled = ['engine', 'rules', 'es', 'fr', 'workbooks'].reduce((page, id) => {
  const empty = `id="${id}"></script>`;
  if (!page.includes(empty)) throw new Error(`the page has no element for ${id}`);
  return page.replace(empty, () => `id="${id}">${read(`packed/${id}.xz`).toString('base64')}</script>`);
}, read('dist/index.html').toString());
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/index.html`, filled);
