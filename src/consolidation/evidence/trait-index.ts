/**
 * Numbers traits in the order of their first occurrence, and counts how often each trait occurs. A large
 * table needs 16 to 32 bytes for each trait, because it contains no objects.
 */

export interface TraitIndex {
  /** Number of distinct traits. */
  readonly size: number;
  /** Counts an occurrence of the trait. Returns the position of the trait, counted from 0. */
  note(trait: number): number;
  /** Returns the position of the trait, or -1 for a trait that was never noted. */
  placeOf(trait: number): number;
  /** Returns how often the trait at this position was noted. */
  frequencyAt(place: number): number;
  traitAt(place: number): number;
  /** Returns the frequencies of all traits, by position. */
  frequencies(): Int32Array;
}

const FIRST_SLOTS = 1_024;
const FREE = -1;

/**
 * Uses open addressing with at most half of the slots occupied. A trait is already a hash, so it is not hashed again.
 */
export function createTraitIndex(): TraitIndex {
  let places = new Int32Array(FIRST_SLOTS).fill(FREE);
  let traits = new Uint32Array(FIRST_SLOTS / 2);
  let frequencies = new Int32Array(FIRST_SLOTS / 2);
  let size = 0;
  const slotOf = (trait: number) => {
    const last = places.length - 1;
    // The lowest bit of a trait encodes its kind, so the slot is chosen by the other bits.
    for (let slot = (trait >>> 1) & last; ; slot = (slot + 1) & last) {
      const place = places[slot] as number;
      if (place === FREE || traits[place] === trait) return slot;
    }
  };
  const grow = () => {
    places = new Int32Array(places.length * 2).fill(FREE);
    traits = longer(traits, new Uint32Array(places.length / 2));
    frequencies = longer(frequencies, new Int32Array(places.length / 2));
    for (let place = 0; place < size; place++) places[slotOf(traits[place] as number)] = place;
  };
  const add = (trait: number) => {
    if (size === traits.length) grow();
    traits[size] = trait;
    places[slotOf(trait)] = size;
    size += 1;
    return size - 1;
  };
  const placeOf = (trait: number) => places[slotOf(trait)] as number;
  return {
    get size() {
      return size;
    },
    note: trait => {
      const known = placeOf(trait);
      const place = known === FREE ? add(trait) : known;
      frequencies[place] = (frequencies[place] as number) + 1;
      return place;
    },
    placeOf,
    frequencyAt: place => frequencies[place] ?? 0,
    traitAt: place => traits[place] ?? 0,
    frequencies: () => frequencies.slice(0, size),
  };
}

function longer<List extends Uint32Array | Int32Array>(list: List, empty: List): List {
  empty.set(list);
  return empty;
}
