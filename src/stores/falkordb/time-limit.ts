/** The timers of the connection: a limit for every call, what has passed, and the wait before the next attempt to connect. */

/**
 * Runs `callback` once after `delayMs` and does not keep the process alive for it.
 *
 * @returns cancels it
 */
export function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** How long ago something was the last time: for ever, before it was once. */
export function stopwatch() {
  let startedMs = Number.NEGATIVE_INFINITY;
  return {
    restart: () => {
      startedMs = performance.now();
    },
    elapsedMs: () => performance.now() - startedMs,
  };
}

/** Waits; what waits is within a limit itself. */
export function pause(delayMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, delayMs));
}

/**
 * Settles as `work` does, or rejects with what `late` makes when that takes longer than `limitMs`. What `work` does
 * afterwards is of no consequence any more. Somebody awaits this: its timer keeps the process alive.
 */
export function withinLimit<Result>(work: Promise<Result>, limitMs: number, late: () => Error): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
