/** Long computations on the thread that answers requests, in steps between which requests have their turn. */
import { yieldToEventLoop } from '../event-loop.js';

/** Of the work on one memory, some milliseconds. */
const ITEMS_PER_STEP = 250;

export async function eachInSteps<Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> {
  let count = 0;
  for (const item of items) {
    visit(item);
    count += 1;
    if (count % ITEMS_PER_STEP === 0) await yieldToEventLoop();
  }
}
