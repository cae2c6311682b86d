/** The library that reads dates in English, made ready without keeping anybody waiting. */
// The package itself would load a dozen languages, with every start of the process.
import { Chrono, casual } from 'chrono-node/en';
import { nextTurn } from './turns.js';

/** Reads dates in English. */
export const dateParser = casual;

/** Patterns are compiled when they are first used, and once more, better, when they are used again. */
const USES = 2;
const SAMPLE = 'what did we do on monday, 3 may 2024, or 2 days ago';

let preparation: Promise<void> | undefined;

/** Compiles the library's patterns, one parser in a turn of the event loop: all at once they take two tenths of a second. */
export function prepareDateParser(): Promise<void> {
  preparation ??= prepare();
  return preparation;
}

async function prepare(): Promise<void> {
  for (const parser of dateParser.parsers) {
    const alone = new Chrono({ parsers: [parser], refiners: [] });
    for (let use = 0; use < USES; use++) {
      await nextTurn();
      alone.parse(SAMPLE);
    }
  }
}
