/** Long work on the main thread yields to the event loop between its steps, so that requests are not kept waiting. */

/** Resolves after the event loop has run the callbacks that were waiting. */
export { setImmediate as yieldToEventLoop } from 'node:timers/promises';
