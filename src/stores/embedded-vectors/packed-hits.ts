/**
 * Packs hits for the transfer between two threads, because copying one string and one array of numbers is many times
 * faster than copying objects.
 */
import type { IndexHit } from './index-reader.js';

export interface PackedHits {
  /** Ids, joined by spaces; no id contains a space. */
  ids: string;
  /** For each hit, its similarity and the two exact similarities; NaN in place of a missing exact similarity. */
  numbers: Float64Array<ArrayBuffer>;
}

const NUMBERS_OF_HIT = 3;

export function packHits(hits: readonly IndexHit[]): PackedHits {
  const numbers = new Float64Array(hits.length * NUMBERS_OF_HIT);
  for (const [index, { similarity, exact }] of hits.entries()) {
    numbers.set([similarity, exact?.sought ?? Number.NaN, exact?.beside ?? Number.NaN], index * NUMBERS_OF_HIT);
  }
  return { ids: hits.map(({ id }) => id).join(' '), numbers };
}

export function unpackHits({ ids, numbers }: PackedHits): IndexHit[] {
  if (numbers.length === 0) return [];
  return ids.split(' ').map((id, index) => {
    const at = index * NUMBERS_OF_HIT;
    const similarity = numbers[at] as number;
    const sought = numbers[at + 1] as number;
    const beside = numbers[at + 2] as number;
    return Number.isNaN(sought) ? { id, similarity } : { id, similarity, exact: { sought, beside } };
  });
}
