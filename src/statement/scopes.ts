/** Which memories are about two things although they use the same words: their tags name different subjects. */
import { ownTags } from '../domain/entity.js';
import type { Memory } from '../domain/memory.js';
import { tagKey } from '../domain/tags.js';

/** These tags name the subject of a memory: two with different ones are about two things. */
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

/** By the kind of scope. Tags that enrichment has found are no scopes: the value of a statement is among them. */
function scopesOf(memory: Tagged): Map<string, string[]> {
  const scopes = new Map<string, string[]>();
  for (const tag of ownTags(memory).map(tagKey)) {
    const name = SCOPE.exec(tag)?.[0];
    if (name !== undefined) scopes.set(name, [...(scopes.get(name) ?? []), tag]);
  }
  return scopes;
}
