/** A time limit that also applies to work that ignores an abort signal. */

export interface Deadline {
  /** Aborted when the time has expired. */
  signal: AbortSignal;
  /** Settles like the work, or rejects when the time has expired. */
  bound<Value>(work: Value | Promise<Value>): Promise<Value>;
  /** Resolves to true after the delay, or to false when the time expires first. */
  pause(delayMs: number): Promise<boolean>;
  /** Stops the timer. Always call it, because a running timer keeps the process alive. */
  clear(): void;
}

/** Maximum delay of a timer. Node fires a timer with a longer delay at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const expiry = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  // Without this handler, an expiry that nothing waits for would be an unhandled rejection.
  expiry.catch(() => {});
  const expire = () => controller.abort(new Error(`The call took longer than ${timeoutMs} ms`));
  const timer = setTimeout(expire, Math.min(timeoutMs, TIMER_MAX_MS));
  const bound = <Value>(work: Value | Promise<Value>): Promise<Value> => Promise.race([work, expiry]);
  return { signal, bound, pause: delayMs => pause(delayMs, bound), clear: () => clearTimeout(timer) };
}

async function pause(delayMs: number, bound: Deadline['bound']): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = new Promise<true>(resolve => {
    timer = setTimeout(resolve, delayMs, true);
  });
  try {
    return await bound(wait);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
