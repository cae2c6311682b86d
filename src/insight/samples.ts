/** Reads a bounded number of memories, a few at a time, because contents and metadata may be long. */
import type { Memory } from '../domain/memory.js';
import { partsOf } from '../domain/parts.js';
import { inSteps } from '../event-loop.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { ListOrder, SearchIndex } from '../stores/ports/search-index.js';

export type SampleGraph = Pick<SearchIndex, 'list'> & Pick<MemoryStore, 'getMemories'>;

const READ_AT_ONCE = 50;

/** Reads the first `limit` memories in the given order, including archived ones, and calls `visit` with each memory. */
export async function eachOfFirst(
  graph: SampleGraph,
  sample: { order: ListOrder; limit: number },
  visit: (memory: Memory) => void,
): Promise<void> {
  const ids = await graph.list({ filter: {}, ...sample });
  for await (const part of inSteps(partsOf(ids, READ_AT_ONCE))) {
    const memories = await graph.getMemories(part);
    for (const memory of memories.values()) visit(memory);
  }
}
