/** Long work on the main thread yields to the event loop between its steps, so that requests are not kept waiting. */

/** Resolves after the event loop has run the callbacks that were waiting. */
export { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Number of characters that are analysed in one step. This takes a few milliseconds. */
const CHARACTERS_PER_STEP = 20_000;

/**
 * Creates a function for a caller that analyses a series of texts. The caller calls the function before each text, with
 * the length of the text in characters. If the function returns true, enough text has been analysed, and the caller
 * yields. The function returns no promise, because most texts come from a cache, and waiting for a promise takes longer
 * than looking one up.
 */
export function createStepMeter(): (characters: number) => boolean {
  let analysed = 0;
  return characters => {
    analysed += characters;
    if (analysed <= CHARACTERS_PER_STEP) return false;
    analysed = characters;
    return true;
  };
}
