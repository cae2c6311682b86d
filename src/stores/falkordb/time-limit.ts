/**
 * The timers of the connection: a limit for every call, elapsed time, and the wait before the next attempt to connect.
 */

/**
 * Runs `callback` once after `delayMs`, without keeping the process alive for it.
 *
 * @returns a function that cancels the timer
 */
export function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Measures the time since the last reset: infinite before the first. */
export function stopwatch() {
  let startedMs = Number.NEGATIVE_INFINITY;
  return {
    restart: () => {
      startedMs = performance.now();
    },
    elapsedMs: () => performance.now() - startedMs,
  };
}

/** Waits. The caller runs within a time limit of its own. */
export function pause(delayMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, delayMs));
}

/**
 * Settles like `work`, or rejects with the error from `late` when that takes longer than `limitMs`. The later outcome
 * of `work` is ignored. A caller awaits the result, so the timer keeps the process alive.
 */
export function withinLimit<Result>(work: Promise<Result>, limitMs: number, late: () => Error): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
