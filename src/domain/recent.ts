/** A bounded cache of recently used values. */

export interface Recent<Value, Key = string> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/**
 * Keeps values in two generations. When the younger one is full, it becomes the older generation, and the former older
 * generation is dropped. A value that is used moves into the younger generation. The cache keeps no order of use, so a
 * hit is cheap.
 *
 * @param maxSize maximum size of all values together, measured by `sizeOf`
 */
export function createRecent<Value, Key = string>(
  maxSize: number,
  sizeOf: (value: Value) => number,
): Recent<Value, Key> {
  let younger = new Map<Key, Value>();
  let older = new Map<Key, Value>();
  let size = 0;
  const add = (key: Key, value: Value) => {
    size += sizeOf(value);
    if (size > maxSize / 2) {
      older = younger;
      younger = new Map();
      size = sizeOf(value);
    }
    younger.set(key, value);
  };
  const remove = (key: Key) => {
    const present = younger.get(key);
    if (present !== undefined) size -= sizeOf(present);
    younger.delete(key);
    older.delete(key);
  };
  return {
    get: key => {
      const present = younger.get(key);
      if (present !== undefined) return present;
      const found = older.get(key);
      if (found !== undefined) add(key, found);
      return found;
    },
    set: (key, value) => {
      remove(key);
      add(key, value);
    },
    delete: remove,
    clear: () => {
      younger = new Map();
      older = new Map();
      size = 0;
    },
  };
}
