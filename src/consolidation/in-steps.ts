/**
 * Runs long computations in steps on the thread that answers requests. Waiting requests are answered between two steps.
 */
import { yieldToEventLoop } from '../event-loop.js';

/** Number of items in one step. A step takes a few milliseconds. */
const ITEMS_PER_STEP = 250;

export async function eachInSteps<Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> {
  let count = 0;
  for (const item of items) {
    visit(item);
    count += 1;
    if (count % ITEMS_PER_STEP === 0) await yieldToEventLoop();
  }
}
