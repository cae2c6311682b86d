/**
 * Runs long computations in steps on the thread that answers requests. Waiting requests are answered between two steps.
 */
import type { Memory } from '../domain/memory.js';
import { createStepMeter, yieldToEventLoop } from '../event-loop.js';

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

/** Visits items whose texts are analysed: fewer in one step if the texts are long. */
export async function eachByLength<Item>(
  items: Iterable<Item>,
  lengthOf: (item: Item) => number,
  visit: (item: Item) => void,
): Promise<void> {
  const isStepOver = createStepMeter();
  for (const item of items) {
    if (isStepOver(lengthOf(item))) await yieldToEventLoop();
    visit(item);
  }
}

/** Number of characters of the texts that comparing these memories analyses. */
export function lengthOfTexts(...memories: (Memory | undefined)[]): number {
  let length = 0;
  for (const memory of memories) {
    length += memory?.content.length ?? 0;
    for (const tag of memory?.tags ?? []) length += tag.length;
  }
  return length;
}
