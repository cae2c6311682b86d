/** A bounded memo that keeps what was asked for of late. */

export interface Recent<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  clear(): void;
}

/**
 * Two generations: once the younger is full it becomes the older, and what nobody has asked for since then goes. What is
 * asked for moves into the younger, so that a hit costs no more than a look-up.
 *
 * @param maxSize of all values together, by `sizeOf`
 */
export function createRecent<Value>(maxSize: number, sizeOf: (value: Value) => number): Recent<Value> {
  let younger = new Map<string, Value>();
  let older = new Map<string, Value>();
  let size = 0;
  const add = (key: string, value: Value) => {
    size += sizeOf(value);
    if (size > maxSize / 2) {
      older = younger;
      younger = new Map();
      size = sizeOf(value);
    }
    younger.set(key, value);
  };
  const remove = (key: string) => {
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
