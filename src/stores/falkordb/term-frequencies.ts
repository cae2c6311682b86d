/**
 * Counts the memories in which a word occurs. The counts of common words are cached, because the index walks all
 * entries of a word to count them.
 */
import type { Connection } from './connection.js';
import { countMemories } from './lists.js';
import { stopwatch } from './time-limit.js';

export interface TermFrequencies {
  /** @param tokens words as the full-text index stores them */
  of(tokens: readonly string[]): Promise<Occurrences>;
}

export interface Occurrences {
  memoryCount: number;
  /** The number of memories in which each token occurs; tokens that occur in no memory are missing. */
  frequencies: Map<string, number>;
}

/** Minimum count that is cached. Counting fewer entries costs no more than the request itself. */
const REMEMBERED_FROM = 1_000;
/**
 * Share by which the store must grow or shrink before a cached count is outdated. Until then, weights hardly change.
 */
const STALE_SHARE = 0.05;
const REMEMBERED_MAX = 10_000;
/**
 * Time for which the number of memories is cached. In this time, weights hardly change. A number below
 * `REMEMBERED_FROM` is not cached.
 */
const COUNTED_FOR_MS = 1_000;

const COUNTS = `UNWIND $tokens AS token CALL db.idx.fulltext.queryNodes('_MemoryIndex', token) YIELD node
  RETURN token, count(node) AS frequency`;

export function createTermFrequencies(connection: Connection): TermFrequencies {
  const remembered = new Map<string, { frequency: number; memoryCount: number }>();
  let lastCount = 0;
  const sinceCount = stopwatch();

  const count = async (): Promise<number> => {
    if (lastCount >= REMEMBERED_FROM && sinceCount.elapsedMs() < COUNTED_FOR_MS) return lastCount;
    lastCount = await countMemories(connection);
    sinceCount.restart();
    return lastCount;
  };

  const recall = (token: string): number | undefined => {
    const known = remembered.get(token);
    const isFresh = known && Math.abs(known.memoryCount - lastCount) <= known.memoryCount * STALE_SHARE;
    return isFresh ? known.frequency : undefined;
  };

  return {
    of: async tokens => {
      const frequencies = new Map<string, number>();
      const unknown = new Set<string>();
      for (const token of tokens) {
        const frequency = recall(token);
        if (frequency === undefined) unknown.add(token);
        else frequencies.set(token, frequency);
      }
      // The memory count is requested in parallel with the missing counts of words. `recall` above runs before that, so it
      // uses the previous memory count.
      const [memoryCount, counted] = await Promise.all([
        count(),
        unknown.size === 0
          ? []
          : connection.read<{ token: string; frequency: number }>(COUNTS, { tokens: [...unknown] }),
      ]);
      if (remembered.size > REMEMBERED_MAX) remembered.clear();
      for (const { token, frequency } of counted) {
        frequencies.set(token, frequency);
        if (frequency >= REMEMBERED_FROM) remembered.set(token, { frequency, memoryCount });
      }
      return { memoryCount, frequencies };
    },
  };
}
