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
  /** Only what holds at this instant: neither archived nor outside its validity (`t_valid` <= instant < `t_invalid`). */
  validAtMs?: number;
}

type FilteredFields = Pick<Memory, 'tags' | 'tag_prefixes' | 'timestamp' | 'archived' | 't_valid' | 't_invalid'>;

/** Whether a memory passes: the last word, since the payload of a derived index may lag behind the record. */
export function passesFilter(memory: FilteredFields, filter: MemoryFilter): boolean {
  const { tags, excludedTagKeys = [], fromMs = -Infinity, toMs = Infinity } = filter;
  const timestampMs = Date.parse(memory.timestamp);
  if (timestampMs < fromMs || timestampMs > toMs) return false;
  if (filter.validAtMs !== undefined && !isValidAt(memory, filter.validAtMs)) return false;
  if (!tags && excludedTagKeys.length === 0) return true;
  const prefixes = new Set(memory.tag_prefixes);
  if (excludedTagKeys.some(key => prefixes.has(key))) return false;
  if (!tags) return true;
  const present = tags.match === 'exact' ? new Set(tagKeys(memory.tags)) : prefixes;
  return tags.mode === 'all' ? tags.keys.every(key => present.has(key)) : tags.keys.some(key => present.has(key));
}

type Validity = Pick<Memory, 'archived' | 't_valid' | 't_invalid'>;

/** Whether a memory is valid at an instant (docs/decisions.md, "What is current"). */
export function isValidAt(memory: Validity, instantMs: number): boolean {
  return invalidityAt(memory, instantMs) === undefined;
}

/** Why a memory does not hold at an instant. */
export type Invalidity = 'archived' | 'notYetValid' | 'expired';

/** Why a memory does not hold at an instant; undefined when it does. */
export function invalidityAt({ archived, t_valid, t_invalid }: Validity, instantMs: number): Invalidity | undefined {
  if (archived) return 'archived';
  if (t_valid !== undefined && Date.parse(t_valid) > instantMs) return 'notYetValid';
  return t_invalid !== undefined && Date.parse(t_invalid) <= instantMs ? 'expired' : undefined;
}
