/**
 * Turns of the event loop. What a recall computes it computes on the thread that answers every request, so it does so in
 * short steps, and all recalls together take one step in a turn: others are served between any two.
 */
import { letOthersIn } from '../event-loop.js';

/** Text analysed in one turn, in characters: a few milliseconds' worth. */
const CHARACTERS_PER_TURN = 50_000;

let last: Promise<void> = Promise.resolve();

/** Resolves in a turn of the loop that no other caller shares, in the order of the calls. */
export function nextTurn(): Promise<void> {
  last = last.then(() => letOthersIn());
  return last;
}

/** Awaited before each text of a series with its length in characters; waits for a turn when enough has been analysed. */
export function createPacer(): (characters: number) => Promise<void> {
  let analysed = 0;
  return async characters => {
    analysed += characters;
    if (analysed <= CHARACTERS_PER_TURN) return;
    analysed = characters;
    await nextTurn();
  };
}
