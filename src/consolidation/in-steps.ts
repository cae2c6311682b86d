/** Runs long computations on the thread that answers requests, in steps. Between two steps, requests get a turn. */
import { yieldToEventLoop } from '../event-loop.js';

/** Number of memories in one step, which takes some milliseconds. */
const ITEMS_PER_STEP = 250;

export async function eachInSteps<Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> {
  let count = 0;
  for (const item of items) {
    visit(item);
    count += 1;
    if (count % ITEMS_PER_STEP === 0) await yieldToEventLoop();
  }
}
