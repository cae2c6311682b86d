/**
 * The context of the current request: the request's id, which is in every log line about the request, and whether the
 * caller still waits for the answer.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const ids = new AsyncLocalStorage<string | undefined>();

/** Runs a function for a request. All work that the function awaits belongs to the request too. */
export function withRequestId<Value>(id: string, run: () => Value): Value {
  return ids.run(id, run);
}

/** Runs work that outlives the current request, such as a timer of the background work. */
export function outsideRequests<Value>(run: () => Value): Value {
  return ids.run(undefined, run);
}

/** The id of the current request. Undefined outside of requests. */
export function currentRequestId(): string | undefined {
  return ids.getStore();
}

const cancellations = new AsyncLocalStorage<AbortSignal | undefined>();

/** Runs a function for a caller. While it runs, `currentCancellation` returns `signal`. */
export function withCancellation<Value>(signal: AbortSignal | undefined, run: () => Value): Value {
  return cancellations.run(signal, run);
}

/** A signal that is aborted when the caller no longer waits for the answer. Undefined when the caller cannot cancel. */
export function currentCancellation(): AbortSignal | undefined {
  return cancellations.getStore();
}
