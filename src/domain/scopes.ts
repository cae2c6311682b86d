/** Detects by the tags of two memories that they have different subjects, even if they use the same words. */
import { ownTags } from './entity.js';
import type { Memory } from './memory.js';
import { tagKey } from './tags.js';

/** Tags of these kinds name the subject of a memory. */
const SCOPE =
  /^(?:project|repo|repository|app|service|product|customer|client|user|person|people|entity[:/][^:/]+)[:/]/;

/** Keys of the tags that name the subject, by kind. */
export type Scopes = ReadonlyMap<string, ReadonlySet<string>>;

/** Leaves out tags from enrichment, because such tags also name the value of a statement. */
export function scopesOf(memory: Pick<Memory, 'tags' | 'metadata'>): Scopes {
  const scopes = new Map<string, Set<string>>();
  for (const tag of ownTags(memory).map(tagKey)) {
    const kind = SCOPE.exec(tag)?.[0];
    if (kind === undefined) continue;
    const known = scopes.get(kind);
    if (known) known.add(tag);
    else scopes.set(kind, new Set([tag]));
  }
  return scopes;
}

/** Returns the keys of the scope tags that both memories have. */
export function sharedScopes(a: Scopes, b: Scopes): string[] {
  return [...a].flatMap(([kind, tags]) => [...tags].filter(tag => b.get(kind)?.has(tag)));
}

/** Whether the memories have different tags of one kind, and no scope tag in common. */
export function haveOtherScopes(a: Scopes, b: Scopes): boolean {
  return [...a.keys()].some(kind => b.has(kind)) && sharedScopes(a, b).length === 0 && !shareName(a, b);
}

/** Whether the memories have the same subject under its short and its long name, such as `shop` and `acme/shop`. */
function shareName(a: Scopes, b: Scopes): boolean {
  return [...a].some(([kind, tags]) => {
    const names = [...(b.get(kind) ?? [])].map(tag => tag.slice(kind.length));
    return [...tags].some(tag => {
      const name = tag.slice(kind.length);
      return names.some(other => name.endsWith(`:${other}`) || other.endsWith(`:${name}`));
    });
  });
}
