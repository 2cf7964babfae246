// Long work in slices, so that the page answers keys and clicks between them.

/** What one slice may take, in milliseconds. */
const BUDGET = 12;
/** The same while the page starts, when each pause makes people wait longer. */
const START_BUDGET = 60;

/** Lets the browser draw and answer keys. A timer would wait for 4 ms. */
export async function pause(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
  port1.close();
}

/** Passes on a stream of parts, with pauses. */
export function inPauses<T>(): TransformStream<T, T> {
  let end = performance.now() + START_BUDGET;
  return new TransformStream({
    async transform(part, stream) {
      stream.enqueue(part);
      if (performance.now() < end) return;
      await pause();
      end = performance.now() + START_BUDGET;
    },
  });
}

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
