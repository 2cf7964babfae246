// Counts the findings of every draft of a sheet while the page stays responsive.

import { effect, signal } from '@preact/signals';

import { checked, checkOf, type Counts, counts, current, type Draft, drafts, kind, provider } from './session';
import { inSlices, type Stop } from './slices';

/** How many drafts have counts. */
export const counted = signal(0);

let known = new Map<string, { draft: Draft; counts: Counts }>();
let stop: Stop = () => {};
let checkedAs = '';

/** Keeps `counts` up to date from now on. */
export function count(): void {
  effect(() => {
    const all = drafts.value;
    const as = `${provider.value} ${kind.value}`;
    stop();
    if (as !== checkedAs) known = new Map();
    checkedAs = as;
    if (all.length < 2) return;
    // The open draft is checked for the form already.
    const open = current.value;
    known.set(open.id, { draft: open, counts: checked.value.summary });
    const rest = all.filter((it) => known.get(it.id)?.draft !== it);
    if (rest.length === 0) return publish(all);
    stop = inSlices(
      rest,
      (draft) => known.set(draft.id, { draft, counts: checkOf(draft.value).summary }),
      () => publish(all),
    );
  });
}

function publish(all: readonly Draft[]): void {
  const found = new Map<string, Counts>();
  for (const draft of all) {
    const entry = known.get(draft.id);
    if (entry !== undefined) found.set(draft.id, entry.counts);
  }
  counts.value = found;
  counted.value = found.size;
}
