/** A bounded cache, and parts of lists. */

/** Keeps the values that were used last. */
export interface Recent<Value, Key = string> {
  get(key: Key): Value | undefined;
  /** Does not keep a value that is larger than the whole cache. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/**
 * The younger generation may fill this share of the cache. A greater share would keep more values for certain, but would
 * leave the values of the older generation less time to be used before they are dropped.
 */
const YOUNGER_SHARE = 0.8;

/**
 * Keeps values in two generations. New values are in the younger generation, and a value of the older generation that is
 * used moves there. When the younger generation is full, it replaces the older one, whose values are dropped. When both
 * together exceed `maxSize`, the values that came first into the older generation are dropped. The cache keeps no order
 * of use, so a hit is cheap.
 *
 * @param maxSize maximum size of all values together, measured by `sizeOf`
 * @param sizeOf must return the same size for a value every time
 */
export function createRecent<Value, Key = string>(
  maxSize: number,
  sizeOf: (value: Value) => number,
): Recent<Value, Key> {
  let younger = new Map<Key, Value>();
  let older = new Map<Key, Value>();
  // All drops share one iterator, because a new iterator would first skip all entries that are already deleted.
  let oldestFirst = older.entries();
  let youngerSize = 0;
  let olderSize = 0;

  const add = (key: Key, value: Value, size: number) => {
    if (youngerSize + size > YOUNGER_SHARE * maxSize) {
      older = younger;
      olderSize = youngerSize;
      oldestFirst = older.entries();
      younger = new Map();
      youngerSize = 0;
    }
    younger.set(key, value);
    youngerSize += size;
    while (youngerSize + olderSize > maxSize) {
      const next = oldestFirst.next();
      if (!next.done) removeOlder(...next.value);
      // The generation is empty although its size is above 0, because the size of a value has changed against the rule.
      else olderSize = 0;
    }
  };
  const removeOlder = (key: Key, value: Value) => {
    older.delete(key);
    olderSize -= sizeOf(value);
  };
  const remove = (key: Key) => {
    const inYounger = younger.get(key);
    if (inYounger !== undefined) {
      younger.delete(key);
      youngerSize -= sizeOf(inYounger);
      return;
    }
    const inOlder = older.get(key);
    if (inOlder !== undefined) removeOlder(key, inOlder);
  };
  return {
    get: key => {
      const present = younger.get(key);
      if (present !== undefined) return present;
      const found = older.get(key);
      if (found === undefined) return undefined;
      removeOlder(key, found);
      add(key, found, sizeOf(found));
      return found;
    },
    set: (key, value) => {
      remove(key);
      const size = sizeOf(value);
      if (size <= maxSize) add(key, value, size);
    },
    delete: remove,
    clear: () => {
      younger = new Map();
      older = new Map();
      oldestFirst = older.entries();
      youngerSize = 0;
      olderSize = 0;
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
