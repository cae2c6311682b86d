/** The library that reads dates in English, loaded and made ready without keeping anybody waiting. */

import type { Chrono } from 'chrono-node';
import { yieldToEventLoop } from '../event-loop.js';

/** Patterns are compiled when they are first used, and once more, better, when they are used again. */
const USES = 2;
const SAMPLE = 'what did we do on monday, 3 may 2024, or 2 days ago';

let parser: Chrono | undefined;
let preparation: Promise<void> | undefined;

/** Reads dates in English. It is there after `prepareDateParser`. */
export function dateParser(): Chrono {
  if (!parser) throw new Error('the date parser is used before it is prepared');
  return parser;
}

/**
 * Loads the library, which no process needs before it reads its first date, and compiles its patterns, one parser in a turn
 * of the event loop: all at once they take two tenths of a second.
 */
export function prepareDateParser(): Promise<void> {
  preparation ??= prepare();
  return preparation;
}

async function prepare(): Promise<void> {
  // The package itself would load a dozen languages.
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
