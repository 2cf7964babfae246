// What is found in drafts, in a language of the reader's choice, while the page stays responsive.

import type { Check, Field, Finding, Language } from 'tollproof';
import { fields as fieldsOf, inLanguage, prepareLanguage } from '../engine';
import { checkAmong, type Draft, drafts, firstNamed, nameOf, position, provider, rowOf } from '../state/session';
import { inSlices } from '../state/slices';

/** How often the progress is told, in milliseconds. */
const PAUSE = 200;

/** A draft with all that is said about it. */
export interface Collected {
  draft: Draft;
  /** Its position in the sheet. */
  at: number;
  /** The name of the business, or else its place. */
  name: string;
  isNamed: boolean;
  fields: Field[];
  findings: Finding[];
  notChecked: string[];
  byWords: Check['byWords'];
}

interface Wanted<T> {
  language: Language;
  /** All drafts, or the open one. */
  isWhole: boolean;
  /** Makes something of the drafts, in the language. */
  make: (all: Collected[]) => T;
  progress: (done: number) => void;
  signal: AbortSignal;
}

/** Checks drafts in a language and makes something of them. It never ends if it is aborted. */
export async function collect<T>({ language, isWhole, make, progress, signal }: Wanted<T>): Promise<T> {
  await prepareLanguage(language);
  const rows = drafts.peek().map((draft, at) => ({ draft, at })).filter(({ at }) => isWhole || at === position.peek());
  const named = new Map(isWhole ? [] : firstNamed.peek());
  const shapes = new Map<string, Field[]>();
  const found: Collected[] = [];
  const look = ({ draft, at }: { draft: Draft; at: number }) => {
    // Pointers are spelled as the keys of the draft.
    const shape = JSON.stringify([draft.kind, draft.value], (_, it) => (typeof it === 'object' ? it : 0));
    const fields = shapes.get(shape) ?? fieldsOf(provider.peek(), draft.kind, draft.value);
    shapes.set(shape, fields);
    const { numbers, findings, notChecked, byWords } = checkAmong(draft, at, named);
    for (const number of numbers) if (!named.has(number)) named.set(number, at);
    const name = nameOf(draft, at, fields).trim();
    found.push({ draft, at, name, isNamed: name !== `#${rowOf(draft, at)}`, fields, findings, notChecked, byWords });
  };
  await new Promise<void>((resolve) => {
    let said = 0;
    const pause = (done: number) => {
      const now = performance.now();
      if (done < rows.length && now - said < PAUSE) return;
      said = now;
      progress(done);
      if (done === rows.length) resolve();
    };
    signal.addEventListener('abort', inSlices(rows, (it) => inLanguage(language, () => look(it)), pause));
  });
  return inLanguage(language, () => make(found));
}

/** The drafts of each business, in the order of the sheet. */
export function byBusiness(all: readonly Collected[]): Map<string, Collected[]> {
  const groups = new Map<string, Collected[]>();
  for (const it of all) {
    const group = groups.get(it.name);
    if (group === undefined) groups.set(it.name, [it]);
    else group.push(it);
  }
  return groups;
}
