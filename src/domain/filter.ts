/** What a search may return. Both stores evaluate it themselves, so that a selective filter never starves a result. */

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

export function isUnfiltered(filter: MemoryFilter): boolean {
  return (
    filter.tags === undefined &&
    (filter.excludedTagKeys?.length ?? 0) === 0 &&
    filter.fromMs === undefined &&
    filter.toMs === undefined
  );
}
