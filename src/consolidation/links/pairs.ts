/** Makes a key for two memories that does not depend on their order. */
import type { Relation } from '../../domain/relation.js';

export function pairOf({ from, to }: Pick<Relation, 'from' | 'to'>): string {
  // The key is JSON, because ids from other programs may contain any character.
  return JSON.stringify([from, to].sort());
}
