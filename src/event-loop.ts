/** Long loops on the main thread let other work run between their steps, so that requests are not kept waiting. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a step works before the callbacks that wait are run. */
const STEP_MS = 5;

/**
 * Yields the items in order. Before an item that would begin a new step, the event loop runs the callbacks that wait. Use
 * it for every loop over many memories, or over pages of them.
 */
export async function* inSteps<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item, void> {
  let startedMs = performance.now();
  for await (const item of items) {
    if (performance.now() - startedMs >= STEP_MS) {
      await nextTurn();
      startedMs = performance.now();
    }
    yield item;
  }
}
