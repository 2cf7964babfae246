// Builds the page: one file that needs nothing else.

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

import { singleFile } from './build/single-file.ts';

const engine = (name: string) => fileURLToPath(new URL(`../npm/dist/${name}`, import.meta.url));

export default defineConfig({
  resolve: { alias: { tollproof: engine('index.js') } },
  build: { target: 'es2022', modulePreload: false, cssCodeSplit: false, assetsInlineLimit: 0 },
  plugins: [singleFile(engine('engine_bg.wasm'))],
});
