// Long work in slices, so that the page answers keys and clicks between them.

/** What one slice may take, in milliseconds. */
const BUDGET = 12;

/** Stops the work that `inSlices` began. */
export type Stop = () => void;

/** Calls `work` for each item; `pause` is called after each slice, also after the last. */
export function inSlices<T>(items: readonly T[], work: (item: T) => void, pause: (done: number) => void): Stop {
  let stopped = false;
  let next = 0;
  const slice = () => {
    if (stopped) return;
    const end = performance.now() + BUDGET;
    while (next < items.length && performance.now() < end) work(items[next++] as T);
    pause(next);
    if (next < items.length) setTimeout(slice);
  };
  setTimeout(slice);
  return () => {
    stopped = true;
  };
}
