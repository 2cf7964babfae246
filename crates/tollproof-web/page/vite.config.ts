// Builds the page: one file, which needs nothing else when `tollproof page` has filled it.

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

import { frame } from './build/frame.ts';
import { singleFile } from './build/single-file.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  resolve: { alias: { tollproof: path('../npm/dist/index.js') } },
  build: { target: 'es2022', modulePreload: false, cssCodeSplit: false, assetsInlineLimit: 0 },
  plugins: [frame(), singleFile()],
});
