/**
 * Keeps the tokens of many memories in one array. A separate array for each memory would take more space than the
 * numbers in it.
 */
import { MARK_WORDS, marksOf, type Range } from './payload.js';

export interface TokenPool {
  /** One array for each word that `marksOf` returns. The array has this word for every slot. */
  readonly marks: readonly Int32Array[];
  /** Writes the tokens of a slot in place of its former tokens. */
  set(slot: number, tokens: Float64Array): void;
  get(slot: number): Float64Array;
  /** Points `range` at the tokens of a slot, so that one object serves all slots of a scan. */
  read(slot: number, range: Range): void;
}

/** A new array has this multiple of the needed length. A smaller factor copies more often, and a greater one wastes memory. */
const GROWTH_FACTOR = 1.25;

export function createTokenPool(slots: number): TokenPool {
  const starts = new Uint32Array(slots);
  const lengths = new Uint16Array(slots);
  const marks = Array.from({ length: MARK_WORDS }, () => new Int32Array(slots));
  let values = new Float64Array(slots);
  let used = 0;
  let live = 0;

  /** Copies the tokens of all slots into a new array that has space for at least `more` further numbers. */
  const makeRoom = (more: number) => {
    const next = new Float64Array(Math.ceil(GROWTH_FACTOR * (live + more)));
    used = 0;
    for (let slot = 0; slot < slots; slot++) {
      const start = starts[slot] ?? 0;
      next.set(values.subarray(start, start + (lengths[slot] ?? 0)), used);
      starts[slot] = used;
      used += lengths[slot] ?? 0;
    }
    values = next;
  };

  const set = (slot: number, tokens: Float64Array) => {
    live -= lengths[slot] ?? 0;
    lengths[slot] = 0;
    if (used + tokens.length > values.length) makeRoom(tokens.length);
    values.set(tokens, used);
    for (const [word, bits] of marksOf(tokens).entries()) (marks[word] as Int32Array)[slot] = bits;
    starts[slot] = used;
    lengths[slot] = tokens.length;
    used += tokens.length;
    live += tokens.length;
  };

  return {
    marks,
    set,
    get: slot => values.slice(starts[slot] ?? 0, (starts[slot] ?? 0) + (lengths[slot] ?? 0)),
    read: (slot, range) => {
      range.values = values;
      range.start = starts[slot] ?? 0;
      range.end = range.start + (lengths[slot] ?? 0);
    },
  };
}
