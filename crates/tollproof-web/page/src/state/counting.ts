// Checks every draft of a sheet while the page stays responsive.

import { effect } from '@preact/signals';

import type { Check } from 'tollproof';
import { checked, checkOf, current, type Draft, drafts, type Found, found, kind, provider } from './session';
import { inSlices, type Stop } from './slices';

let known = new Map<string, { draft: Draft; found: Found }>();
let stop: Stop = () => {};
let checkedAs = '';
let published = 0;

/** How long the table keeps its counts while drafts are checked, in milliseconds. */
const PAUSE = 200;

/** Keeps `found` up to date from now on. */
export function checkAll(): void {
  effect(() => {
    const all = drafts.value;
    const as = `${provider.value} ${kind.value}`;
    stop();
    if (as !== checkedAs) known = new Map();
    checkedAs = as;
    if (all.length < 2) return;
    // The open draft is checked for the form already.
    const open = current.value;
    known.set(open.id, { draft: open, found: foundIn(checked.value) });
    const rest = all.filter((it) => known.get(it.id)?.draft !== it);
    if (rest.length === 0) return publish(all);
    stop = inSlices(
      rest,
      (draft) => known.set(draft.id, { draft, found: foundIn(checkOf(draft.value)) }),
      (done) => {
        if (done < rest.length && performance.now() - published < PAUSE) return;
        publish(all);
        published = performance.now();
      },
    );
  });
}

function foundIn({ summary, findings }: Check): Found {
  return { errors: summary.errors, warnings: summary.warnings, findings };
}

function publish(all: readonly Draft[]): void {
  const entries = all.flatMap((draft) => {
    const entry = known.get(draft.id);
    return entry === undefined ? [] : [[draft.id, entry.found] as const];
  });
  found.value = new Map(entries);
}
