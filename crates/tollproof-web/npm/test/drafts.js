// Drafts for the tests: the files of tests/drafts/, and variants of the drafts in them.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { read } from "tollproof";

const folder = fileURLToPath(new URL("../../../../tests/drafts/", import.meta.url));

/** The names and bytes of all sample files that are text. */
export function files() {
  const names = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll("\\", "/"));
  return names
    .filter((name) => /\.(json|ya?ml|ndjson|jsonl|csv|tsv)$/.test(name))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(folder + name) }));
}

/** All drafts of the sample files. */
export function drafts() {
  return files().flatMap(({ name, bytes }) => read(bytes, name).documents.map(({ value }) => value));
}

const WORDS = [
  "By signing up you agree to receive texts; consent is required to buy.",
  "Hola {{first_name}}, tu código es 123456. Responde STOP.",
  "FREE $$$ gift card!!! click https://bit.ly/3abc 🎁",
  "Nous vous enverrons des offres de CBD et de casino chaque semaine.",
  "test",
  " acme.com ",
  "\"quoted\"\\ and\nlines\tand é 👩‍🚀",
];

/** Drafts that differ from the samples in one field each: without it, or with a text that rules are about. */
export function variants() {
  const all = [];
  drafts().forEach((draft, number) => {
    if (draft === null || typeof draft !== "object" || Array.isArray(draft)) return;
    Object.keys(draft).forEach((key, at) => {
      if ((at + number) % 2 !== 0) return;
      const { [key]: value, ...others } = draft;
      if ((at + number) % 8 === 0) all.push(others);
      else if (typeof value === "string") all.push({ ...draft, [key]: WORDS[(at * 5 + number) % WORDS.length] });
      else all.push({ ...draft, [key]: [WORDS[(at + number) % WORDS.length]] });
    });
  });
  return all;
}
