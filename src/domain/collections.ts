/** A bounded cache, and parts of lists. */

/** Keeps the values that were used last. */
export interface Recent<Value, Key = string> {
  get(key: Key): Value | undefined;
  /** Does not keep a value that is larger than the whole cache. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/** The cache drops this share of its values at once, because finding the oldest value takes time. */
const DROPPED_SHARE = 0.1;

/** @param maxSize maximum size of all values together, measured by `sizeOf` when they are set */
export function createRecent<Value, Key = string>(
  maxSize: number,
  sizeOf: (value: Value) => number,
): Recent<Value, Key> {
  /** The value that was used last is the last one. */
  const entries = new Map<Key, { value: Value; size: number }>();
  let totalSize = 0;
  const remove = (key: Key) => {
    totalSize -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  return {
    get: key => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set: (key, value) => {
      remove(key);
      const size = sizeOf(value);
      if (size > maxSize) return;
      if (totalSize + size > maxSize) {
        const wantedSize = Math.min(maxSize - size, maxSize * (1 - DROPPED_SHARE));
        for (const oldest of entries.keys()) {
          if (totalSize <= wantedSize) break;
          remove(oldest);
        }
      }
      entries.set(key, { value, size });
      totalSize += size;
    },
    delete: remove,
    clear: () => {
      entries.clear();
      totalSize = 0;
    },
  };
}

/**
 * Splits lists into parts of bounded size, for stores that limit the number of items in a call, and for long work that
 * runs in short steps.
 */
export function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}
