/** Combines several abort signals into one. */

/**
 * Aborts with the first of the signals. `AbortSignal` has a function for this, but in Node 20 its result may be
 * garbage-collected before it fires.
 */
export function firstOf(signals: readonly (AbortSignal | null | undefined)[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal?.aborted) controller.abort(signal.reason);
    signal?.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  }
  return controller.signal;
}
