/** Loops whose bodies do not wait. */
import { inSteps } from '../event-loop.js';

export async function eachInSteps<Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> {
  for await (const item of inSteps(items)) visit(item);
}
