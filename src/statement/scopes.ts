/** Detects by the tags of two memories that they have different subjects, even if they use the same words. */
import { ownTags } from '../domain/entity.js';
import type { Memory } from '../domain/memory.js';
import { tagKey } from '../domain/tags.js';

/**
 * Tags of these kinds name the subject of a memory. Memories with different tags of one kind have different subjects.
 */
const SCOPE =
  /^(?:project|repo|repository|app|service|product|customer|client|user|person|people|entity[:/][^:/]+)[:/]/;

type Tagged = Pick<Memory, 'tags' | 'metadata'>;

export function haveOtherScopes(a: Tagged, b: Tagged): boolean {
  const ofB = scopesOf(b);
  return [...scopesOf(a)].some(([name, tags]) => {
    const others = ofB.get(name);
    return others !== undefined && !tags.some(tag => others.includes(tag));
  });
}

/** Returns scopes by kind. Tags from enrichment do not count, because such tags also name the value of a statement. */
function scopesOf(memory: Tagged): Map<string, string[]> {
  const scopes = new Map<string, string[]>();
  for (const tag of ownTags(memory).map(tagKey)) {
    const name = SCOPE.exec(tag)?.[0];
    if (name !== undefined) scopes.set(name, [...(scopes.get(name) ?? []), tag]);
  }
  return scopes;
}
