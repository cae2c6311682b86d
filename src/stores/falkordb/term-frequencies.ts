/** In how many memories a word occurs. The index counts by walking its entries, so common words are remembered. */
import type { Connection } from './connection.js';

export interface TermFrequencies {
  /**
   * @param tokens words as the full-text index knows them
   * @param memoryCount how many memories there are now
   */
  of(tokens: readonly string[], memoryCount: number): Promise<Map<string, number>>;
}

/** Counting fewer than this costs no more than asking at all. */
const REMEMBERED_FROM = 1_000;
/** A weight hardly changes before the store has grown or shrunk by this share. */
const STALE_SHARE = 0.05;
const REMEMBERED_MAX = 10_000;

export function createTermFrequencies(connection: Connection): TermFrequencies {
  const remembered = new Map<string, { frequency: number; memoryCount: number }>();

  const recall = (token: string, memoryCount: number): number | undefined => {
    const known = remembered.get(token);
    const isFresh = known && Math.abs(known.memoryCount - memoryCount) <= known.memoryCount * STALE_SHARE;
    return isFresh ? known.frequency : undefined;
  };

  return {
    of: async (tokens, memoryCount) => {
      const found = new Map<string, number>();
      for (const token of tokens) {
        const frequency = recall(token, memoryCount);
        if (frequency !== undefined) found.set(token, frequency);
      }
      const unknown = [...new Set(tokens)].filter(token => !found.has(token));
      if (unknown.length === 0) return found;
      const rows = await connection.read<{ token: string; frequency: number }>(
        `UNWIND $tokens AS token CALL db.idx.fulltext.queryNodes('_MemoryIndex', token) YIELD node
         RETURN token, count(node) AS frequency`,
        { tokens: unknown },
      );
      if (remembered.size > REMEMBERED_MAX) remembered.clear();
      for (const { token, frequency } of rows) {
        found.set(token, frequency);
        if (frequency >= REMEMBERED_FROM) remembered.set(token, { frequency, memoryCount });
      }
      return found;
    },
  };
}
