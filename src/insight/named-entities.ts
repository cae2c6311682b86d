/** Reads the names in the metadata of memories, in any form that a caller or enrichment has written. */
import { isPlainObject, type Metadata } from '../domain/json.js';

const FIELDS = ['entities', 'keywords', 'topics'] as const;

/** Counts names, ignoring case. */
export interface NameTally {
  /** Counts the names of one memory. A name that occurs several times in the memory counts once. */
  add(metadata: Metadata): void;
  /**
   * Returns the most frequent names first, and equally frequent names in alphabetical order. A name keeps its first
   * spelling.
   */
  top(limit: number): { name: string; count: number }[];
}

export function createNameTally(): NameTally {
  const byKey = new Map<string, { name: string; count: number }>();
  return {
    add: metadata => {
      const names = FIELDS.flatMap(field => namesIn(metadata[field]));
      const counted = new Set<string>();
      for (const name of names) {
        const key = name.toLowerCase();
        if (counted.has(key)) continue;
        counted.add(key);
        const known = byKey.get(key) ?? { name, count: 0 };
        byKey.set(key, { ...known, count: known.count + 1 });
      }
    },
    top: limit => [...byKey.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)).slice(0, limit),
  };
}

/**
 * Reads the names in a value. A text contains names separated by commas, and a list contains one name in each item. An
 * object groups names by kind; its keys are not names.
 */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',').flatMap(plainName);
  if (Array.isArray(value)) return value.flatMap(plainName);
  return isPlainObject(value)
    ? Object.values(value).flatMap(group => (isPlainObject(group) ? [] : namesIn(group)))
    : [];
}

function plainName(value: unknown): string[] {
  const name = typeof value === 'string' ? value.trim() : '';
  return name === '' ? [] : [name];
}
