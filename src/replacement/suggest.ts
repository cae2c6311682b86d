/** Keeps suggestions: with each older memory, the newest memory that may replace it. */

import { isSuggested, suggestedId, suggestionFor } from '../domain/derived-ids.js';
import type { Memory } from '../domain/memory.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import { type FinderParts, findReplaceable, type Newer } from './finder.js';

type Graph = Pick<MemoryStore, 'getMemories' | 'annotate'>;

export async function suggestReplacements(
  parts: FinderParts & { graph: Pick<MemoryStore, 'annotate'> },
  newer: Newer,
): Promise<void> {
  const olders = (await findReplaceable(parts, newer)).map(({ memory }) => memory);
  const rivals = await parts.graph.getMemories(olders.flatMap(older => suggestedId(older) ?? []));
  const changes = olders.filter(older => {
    const rival = rivals.get(suggestedId(older) ?? '');
    return !rival || !isSuggested(older, rival) || rival.timestamp < newer.memory.timestamp;
  });
  if (changes.length === 0) return;
  await parts.graph.annotate(
    changes.map(older => ({ id: older.id, maybeOutdatedBy: suggestionFor(older, newer.memory) })),
  );
}

/** Ends the suggestions between the two memories of each pair, because a caller has answered them. */
export async function endSuggestions(graph: Graph, pairs: readonly { from: string; to: string }[]): Promise<void> {
  const memories = await graph.getMemories([...new Set(pairs.flatMap(({ from, to }) => [from, to]))]);
  const names = (one: string, other: string) => {
    const memory: Memory | undefined = memories.get(one);
    return memory !== undefined && suggestedId(memory) === other;
  };
  const ids = pairs.flatMap(({ from, to }) => [...(names(from, to) ? [from] : []), ...(names(to, from) ? [to] : [])]);
  if (ids.length > 0) await graph.annotate(ids.map(id => ({ id, maybeOutdatedBy: null })));
}
