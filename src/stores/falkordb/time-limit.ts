/**
 * The timers of the connection: a limit for every call, elapsed time, and the wait before the next attempt to connect.
 */

/**
 * Runs `callback` once after `delayMs`. The timer does not keep the process alive.
 *
 * @returns a function that cancels the timer
 */
export function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
}

export type Stopwatch = ReturnType<typeof stopwatch>;

/** Measures the time since the last `restart`. Before the first `restart`, the time is infinite. */
export function stopwatch() {
  let startedMs = Number.NEGATIVE_INFINITY;
  return {
    restart: () => {
      startedMs = performance.now();
    },
    elapsedMs: () => performance.now() - startedMs,
  };
}

/** Waits for `delayMs`. The function has no time limit, because the caller has its own. */
export function pause(delayMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, delayMs));
}

/**
 * Settles with the outcome of `work`, or rejects with the error from `late` when `work` takes longer than `limitMs`.
 * An outcome of `work` after the limit is ignored. A caller awaits the result, so the timer keeps the process alive.
 */
export function withinLimit<Result>(work: Promise<Result>, limitMs: number, late: () => Error): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
