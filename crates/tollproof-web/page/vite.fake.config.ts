import { defineConfig } from 'vite';
import { singleFile } from './build/single-file.ts';
export default defineConfig({ resolve: { alias: { tollproof: '/tmp/fakeengine/index.ts' } }, build: { outDir: '/tmp/fakeengine/dist', emptyOutDir: true, target: 'es2022', modulePreload: false, cssCodeSplit: false, assetsInlineLimit: 0 }, plugins: [singleFile('../npm/dist/engine_bg.wasm')] });
