/**
 * Shares the thread among recalls. A recall computes on the thread that answers every request, so it works in short
 * steps, and all recalls together take one step per turn of the event loop. Other requests are served between the
 * steps.
 */
import { yieldToEventLoop } from '../event-loop.js';

/** Number of characters that are analysed per turn. This takes a few milliseconds. */
const CHARACTERS_PER_TURN = 50_000;

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a turn of the event loop that no other caller shares. Callers get their turns in the order of the calls.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => yieldToEventLoop());
  return last;
}

/**
 * Creates a function for a caller that analyses a series of texts. The caller calls the function before each text, with
 * the length of the text in characters. If the function returns true, enough text has been analysed, and the caller
 * waits for `nextTurn`. The function returns no promise, because most texts come from the cache, and waiting for a
 * promise takes longer than looking one up.
 */
export function createTurnMeter(): (characters: number) => boolean {
  let analysed = 0;
  return characters => {
    analysed += characters;
    if (analysed <= CHARACTERS_PER_TURN) return false;
    analysed = characters;
    return true;
  };
}
