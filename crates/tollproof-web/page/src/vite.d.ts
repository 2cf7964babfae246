// What Vite adds to TypeScript: style sheets can be imported.
/// <reference types="vite/client" />
