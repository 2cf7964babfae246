// Measures how long after a key its findings are shown, for the browser's performance tools and the tests.

/** Adds a measure `typing` from each key in a field to the end of the frame that shows its findings. */
export function measureTyping(): void {
  addEventListener(
    'input',
    (event) => {
      requestAnimationFrame(() => {
        const frame = new MessageChannel();
        // The message arrives after the frame is drawn.
        frame.port1.onmessage = () => performance.measure('typing', { start: event.timeStamp, end: performance.now() });
        frame.port2.postMessage(null);
      });
    },
    { capture: true },
  );
}
