// What is found in drafts, in a language of the reader's choice, while the page stays responsive.

import type { Field, Finding, Language } from 'tollproof';
import { fields as fieldsOf, inLanguage, prepareLanguage } from '../engine';
import { checkAmong, type Draft, drafts, firstNamed, kind, nameOf, position, provider } from '../state/session';
import { inSlices } from '../state/slices';

/** A draft with all that is said about it. */
export interface Collected {
  draft: Draft;
  /** Its position in the sheet. */
  at: number;
  /** The name of the business, or else its place. */
  name: string;
  fields: Field[];
  findings: Finding[];
  notChecked: string[];
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
    const shape = JSON.stringify(draft.value, (_, it) => (typeof it === 'object' ? it : 0));
    const fields = shapes.get(shape) ?? fieldsOf(provider.peek(), kind.peek() ?? undefined, draft.value);
    shapes.set(shape, fields);
    const { numbers, findings, notChecked } = checkAmong(draft.value, at, named);
    for (const number of numbers) if (!named.has(number)) named.set(number, at);
    found.push({ draft, at, name: nameOf(draft, at, fields), fields, findings, notChecked });
  };
  return new Promise((resolve, reject) => {
    const pause = (done: number) => {
      progress(done);
      if (done < rows.length) return;
      try {
        resolve(inLanguage(language, () => make(found)));
      } catch (error) {
        reject(error);
      }
    };
    const stop = inSlices(rows, (it) => inLanguage(language, () => look(it)), pause);
    signal.addEventListener('abort', stop);
  });
}

/** The drafts of each business, in the order of the sheet. */
export function byBusiness(all: readonly Collected[]): Map<string, Collected[]> {
  const groups = new Map<string, Collected[]>();
  for (const it of all) {
    const name = it.name.trim();
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [it]);
    else group.push(it);
  }
  return groups;
}
