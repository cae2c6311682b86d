/** Limits how much garbage V8 keeps. */
import { setFlagsFromString } from 'node:v8';

/**
 * Percentage by which the heap may grow after a garbage collection until the next one. V8's own limit depends on the
 * RAM of the machine, and reaches 300 %. At 60 %, a service with 100,000 memories takes about 130 MiB less, and recalls
 * are not slower. At 20 %, recalls take a quarter longer.
 */
const GROWTH_PERCENT = 60;

/** Sets the limit for this process and the threads it starts later. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
