// Computed values that change only with their content, so that nothing is drawn again for equal ones.

import { computed, type ReadonlySignal } from '@preact/signals';

export function steady<T>(compute: () => T): ReadonlySignal<T> {
  let last: { text: string; value: T } | undefined;
  return computed(() => {
    const value = compute();
    const text = JSON.stringify(value);
    if (last?.text !== text) last = { text, value };
    return last.value;
  });
}
