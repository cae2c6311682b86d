/** The tags of many memories in one array: an array of its own for each would cost more than the numbers in it. */
import { marksOf, type Range } from './payload.js';

export interface TagPool {
  /** By slot: a bit for each tag, as `marksOf`. */
  readonly marks: Int32Array;
  /** Writes the tags of a slot, in place of those it had. */
  set(slot: number, tags: Float64Array): void;
  get(slot: number): Float64Array;
  /** Points `range` at the tags of a slot; one object serves for all slots that are looked at. */
  read(slot: number, range: Range): void;
}

export function createTagPool(slots: number): TagPool {
  const starts = new Uint32Array(slots);
  const lengths = new Uint16Array(slots);
  const marks = new Int32Array(slots);
  let values = new Float64Array(slots);
  let used = 0;
  let live = 0;

  /** Copies what is still in use into an array with room for `more` numbers. */
  const makeRoom = (more: number) => {
    const next = new Float64Array(2 * (live + more));
    used = 0;
    for (let slot = 0; slot < slots; slot++) {
      const start = starts[slot] ?? 0;
      next.set(values.subarray(start, start + (lengths[slot] ?? 0)), used);
      starts[slot] = used;
      used += lengths[slot] ?? 0;
    }
    values = next;
  };

  const set = (slot: number, tags: Float64Array) => {
    live -= lengths[slot] ?? 0;
    lengths[slot] = 0;
    if (used + tags.length > values.length) makeRoom(tags.length);
    values.set(tags, used);
    // The first number is how many whole tags there are.
    marks[slot] = marksOf(tags.subarray(1));
    starts[slot] = used;
    lengths[slot] = tags.length;
    used += tags.length;
    live += tags.length;
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
