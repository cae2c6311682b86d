/** In how many memories a word occurs. The index counts by walking its entries, so common words are remembered. */
import type { Connection } from './connection.js';
import { countMemories } from './lists.js';

export interface TermFrequencies {
  /** @param tokens words as the full-text index knows them */
  of(tokens: readonly string[]): Promise<Occurrences>;
}

export interface Occurrences {
  memoryCount: number;
  /** In how many memories each of the tokens occurs; those that occur in none are missing. */
  frequencies: Map<string, number>;
}

/** Counting fewer than this costs no more than asking at all. */
const REMEMBERED_FROM = 1_000;
/** A weight hardly changes before the store has grown or shrunk by this share. */
const STALE_SHARE = 0.05;
const REMEMBERED_MAX = 10_000;

export function createTermFrequencies(connection: Connection): TermFrequencies {
  const remembered = new Map<string, { frequency: number; memoryCount: number }>();
  let lastCount: number | undefined;

  const recall = (token: string, memoryCount: number): number | undefined => {
    const known = remembered.get(token);
    const isFresh = known && Math.abs(known.memoryCount - memoryCount) <= known.memoryCount * STALE_SHARE;
    return isFresh ? known.frequency : undefined;
  };

  const count = async (tokens: readonly string[]): Promise<[token: string, frequency: number][]> => {
    if (tokens.length === 0) return [];
    const rows = await connection.read<{ token: string; frequency: number }>(
      `UNWIND $tokens AS token CALL db.idx.fulltext.queryNodes('_MemoryIndex', token) YIELD node
       RETURN token, count(node) AS frequency`,
      { tokens },
    );
    return rows.map(({ token, frequency }) => [token, frequency]);
  };

  return {
    of: async tokens => {
      const counting = countMemories(connection);
      // What is remembered is judged by the count before: a search asks for both at once.
      const before = lastCount ?? (await counting);
      const known = new Map(
        tokens.flatMap((token): [string, number][] => {
          const frequency = recall(token, before);
          return frequency === undefined ? [] : [[token, frequency]];
        }),
      );
      const unknown = [...new Set(tokens)].filter(token => !known.has(token));
      const [memoryCount, counted] = await Promise.all([counting, count(unknown)]);
      lastCount = memoryCount;
      if (remembered.size > REMEMBERED_MAX) remembered.clear();
      for (const [token, frequency] of counted) {
        if (frequency >= REMEMBERED_FROM) remembered.set(token, { frequency, memoryCount });
      }
      return { memoryCount, frequencies: new Map([...known, ...counted]) };
    },
  };
}
