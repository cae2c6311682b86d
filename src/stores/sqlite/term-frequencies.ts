/** In how many memories a term occurs. The index counts by walking its entries, so common terms are remembered. */
import { type Connection, placeholders } from './connection.js';

export interface TermFrequencies {
  /** @param memoryCount how many memories there are now */
  of(terms: readonly string[], memoryCount: number): Map<string, number>;
}

/** Counting fewer than this costs no more than looking it up. */
const REMEMBERED_FROM = 1_000;
/** A weight hardly changes before the store has grown or shrunk by this share. */
const STALE_SHARE = 0.05;
const REMEMBERED_MAX = 10_000;

export function createTermFrequencies(connection: Connection): TermFrequencies {
  const remembered = new Map<string, { frequency: number; memoryCount: number }>();

  const recall = (term: string, memoryCount: number): number | undefined => {
    const known = remembered.get(term);
    const isFresh = known && Math.abs(known.memoryCount - memoryCount) <= known.memoryCount * STALE_SHARE;
    return isFresh ? known.frequency : undefined;
  };

  return {
    of: (terms, memoryCount) => {
      const found = new Map<string, number>();
      const unknown: string[] = [];
      for (const term of terms) {
        const frequency = recall(term, memoryCount);
        if (frequency === undefined) unknown.push(term);
        else found.set(term, frequency);
      }
      const rows = connection.all<{ term: string; doc: number }>(
        `SELECT term, doc FROM memory_terms WHERE term IN (${placeholders(unknown)})`,
        ...unknown,
      );
      if (remembered.size > REMEMBERED_MAX) remembered.clear();
      for (const { term, doc } of rows) {
        found.set(term, doc);
        if (doc >= REMEMBERED_FROM) remembered.set(term, { frequency: doc, memoryCount });
      }
      return found;
    },
  };
}
