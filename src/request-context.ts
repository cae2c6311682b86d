/**
 * The context of the current request: the request's id, which is in every log line about the request, and whether the
 * caller still waits for the answer.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestContext {
  id: string;
  /** Aborted when the caller no longer waits for the answer. Undefined when the caller cannot cancel. */
  signal?: AbortSignal | undefined;
}

const requests = new AsyncLocalStorage<RequestContext | undefined>();

/** Runs a function for a request. All work that the function awaits belongs to the request too. */
export function withRequest<Value>(request: RequestContext, run: () => Value): Value {
  return requests.run(request, run);
}

/** Runs work that outlives the current request, such as a timer of the background work. */
export function outsideRequests<Value>(run: () => Value): Value {
  return requests.run(undefined, run);
}

/** The id of the current request. Undefined outside of requests. */
export function currentRequestId(): string | undefined {
  return requests.getStore()?.id;
}

/** The signal of the current request. */
export function currentCancellation(): AbortSignal | undefined {
  return requests.getStore()?.signal;
}
