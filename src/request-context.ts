/** The id of the request that the running code works for, so that every line of the log about it can carry the id. */
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
