/** Combines several abort signals into one. */

/**
 * Returns a signal that aborts with the first of the given signals. `AbortSignal.any` does the same, but in Node 20 its
 * result may be garbage-collected before it fires.
 */
export function firstOf(signals: readonly (AbortSignal | null | undefined)[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal?.aborted) controller.abort(signal.reason);
    signal?.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  }
  return controller.signal;
}
