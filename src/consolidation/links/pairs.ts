/** A name for two memories, the same in either order. */
import type { Relation } from '../../domain/relation.js';

export function pairOf({ from, to }: Pick<Relation, 'from' | 'to'>): string {
  // Ids of other programs may hold any character.
  return JSON.stringify([from, to].sort());
}
