/** What a search may return. Both stores evaluate it themselves, so that a selective filter never starves a result. */
import type { Memory } from './memory.js';
import { tagKeys } from './tags.js';

export interface TagFilter {
  /** Keys as made by `tagKey`. */
  keys: readonly string[];
  mode: 'any' | 'all';
  /** `prefix`: some tag lies at or below the key in the hierarchy. `exact`: some tag equals it. */
  match: 'prefix' | 'exact';
}

export interface MemoryFilter {
  tags?: TagFilter;
  /** Keys of which no tag may lie at or below any. */
  excludedTagKeys?: readonly string[];
  /** Window on the creation time; both ends belong to it. */
  fromMs?: number;
  toMs?: number;
}

/** Whether a memory passes: the last word, since the payload of a derived index may lag behind the record. */
export function passesFilter(
  memory: Pick<Memory, 'tags' | 'tag_prefixes' | 'timestamp'>,
  filter: MemoryFilter,
): boolean {
  const { tags, excludedTagKeys = [], fromMs = -Infinity, toMs = Infinity } = filter;
  const timestampMs = Date.parse(memory.timestamp);
  if (timestampMs < fromMs || timestampMs > toMs) return false;
  const prefixes = new Set(memory.tag_prefixes);
  if (excludedTagKeys.some(key => prefixes.has(key))) return false;
  if (!tags) return true;
  const present = tags.match === 'exact' ? new Set(tagKeys(memory.tags)) : prefixes;
  return tags.mode === 'all' ? tags.keys.every(key => present.has(key)) : tags.keys.some(key => present.has(key));
}
