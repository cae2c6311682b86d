/** Loads and prepares the library that reads dates in English, without blocking other requests. */

import type { Chrono } from 'chrono-node';
import { yieldToEventLoop } from '../event-loop.js';

/** Number of uses that prepare a pattern. A pattern is compiled on its first use, and optimised on its second. */
const USES = 2;
const SAMPLE = 'what did we do on monday, 3 may 2024, or 2 days ago';

let parser: Chrono | undefined;
let preparation: Promise<void> | undefined;

/** Returns the library that reads dates in English. Requires that `prepareDateParser` has ended. */
export function dateParser(): Chrono {
  if (!parser) throw new Error('the date parser is used before it is prepared');
  return parser;
}

/**
 * Loads the library and compiles its patterns on the first call. Compiling all patterns takes a fifth of a second, so
 * the patterns are compiled parser by parser, and other requests can run in between.
 */
export function prepareDateParser(): Promise<void> {
  preparation ??= prepare();
  return preparation;
}

async function prepare(): Promise<void> {
  // The main entry of the package would load the patterns of a dozen languages.
  const { Chrono, casual } = await import('../packages/chrono.js');
  for (const each of casual.parsers) {
    const alone = new Chrono({ parsers: [each], refiners: [] });
    for (let use = 0; use < USES; use++) {
      await yieldToEventLoop();
      alone.parse(SAMPLE);
    }
  }
  parser = casual;
}
