// Checks every draft of a sheet while the page stays responsive.

import { effect } from '@preact/signals';

import type { Check } from 'tollproof';
import { isReady, spoken } from '../engine';
import { checkAmong, type Draft, drafts, type Found, firstNamed, found, isTyped, provider, readings, waiting } from './session';
import { inSlices, type Stop } from './slices';

/** What was found in a draft, and which of its numbers earlier drafts name. */
interface Known {
  draft: Draft;
  taken: string;
  found: Found;
}

let known = new Map<string, Known>();
let stop: Stop = () => {};
let checkedAs: unknown[] = [];
let published = 0;

/** How long the table keeps its counts while drafts are checked, in milliseconds. */
const PAUSE = 200;

/** Keeps `found` and `firstNamed` up to date from now on. */
export function checkAll(): void {
  effect(() => {
    const all = drafts.value;
    const as = [provider.value, readings.value, isTyped.value, spoken.value];
    stop();
    if (!isReady.value) return;
    if (as.some((it, at) => it !== checkedAs[at])) known = new Map();
    checkedAs = as;
    const isWaiting = waiting.value === all[0]?.id;
    if (isWaiting) found.value = new Map();
    if (all.length < 2 || isWaiting) {
      firstNamed.value = new Map();
      return;
    }
    // In the order of the sheet: what is found in a draft depends on the numbers in those before it.
    const named = new Map<string, number>();
    const rows = all.map((draft, at) => ({ draft, at }));
    stop = inSlices(
      rows,
      ({ draft, at }) => {
        for (const number of lookAt(draft, at, named).numbers) if (!named.has(number)) named.set(number, at);
      },
      (done) => {
        if (done < all.length && performance.now() - published < PAUSE) return;
        publish(all);
        published = performance.now();
        if (done === all.length && !isSame(named, firstNamed.peek())) firstNamed.value = named;
      },
    );
  });
}

/** What is found in a draft; it is checked again only if it changed, or an earlier draft names its number now. */
function lookAt(draft: Draft, at: number, named: ReadonlyMap<string, number>): Found {
  const before = known.get(draft.id);
  if (before?.draft === draft && before.taken === taken(before.found.numbers, named)) return before.found;
  const found = foundIn(checkAmong(draft, at, named));
  known.set(draft.id, { draft, taken: taken(found.numbers, named), found });
  return found;
}

function taken(numbers: readonly string[], named: ReadonlyMap<string, number>): string {
  return numbers.flatMap((it) => named.get(it) ?? []).join(' ');
}

function foundIn({ summary, findings, numbers, byWords }: Check): Found {
  return { errors: summary.errors, warnings: summary.warnings, notes: summary.infos, byWords: byWords !== null, findings, numbers };
}

function isSame(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([number, at]) => other.get(number) === at);
}

function publish(all: readonly Draft[]): void {
  const entries = all.flatMap((draft) => {
    const entry = known.get(draft.id);
    return entry === undefined ? [] : [[draft.id, entry.found] as const];
  });
  found.value = new Map(entries);
}
