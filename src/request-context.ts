/**
 * What is known of the request that the running code works for: its id, which every line of the log about it carries, and
 * whether its caller still wants the answer.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const ids = new AsyncLocalStorage<string | undefined>();

/** Runs a function on behalf of a request, to which everything it awaits belongs too. */
export function withRequestId<Value>(id: string, run: () => Value): Value {
  return ids.run(id, run);
}

/** Runs something that outlasts the request it was begun in, such as a timer of the background work. */
export function outsideRequests<Value>(run: () => Value): Value {
  return ids.run(undefined, run);
}

/** Undefined where no request is served. */
export function currentRequestId(): string | undefined {
  return ids.getStore();
}

const cancellations = new AsyncLocalStorage<AbortSignal | undefined>();

/** Runs a function for a caller who may cancel it. */
export function withCancellation<Value>(signal: AbortSignal | undefined, run: () => Value): Value {
  return cancellations.run(signal, run);
}

/** Aborted once nobody waits for the answer any more. Undefined where nobody can say so. */
export function currentCancellation(): AbortSignal | undefined {
  return cancellations.getStore();
}
