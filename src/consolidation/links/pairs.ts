/** A key for two memories, the same in either order. */
import type { Relation } from '../../domain/relation.js';

export function pairOf({ from, to }: Pick<Relation, 'from' | 'to'>): string {
  // JSON, because ids from other programs may contain any character.
  return JSON.stringify([from, to].sort());
}
