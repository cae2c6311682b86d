/**
 * Reads memories for one recall. Each memory is read from the graph and analysed once, even if several steps need it.
 */
import type { MemoryStore } from '../../stores/ports/memory-store.js';
import type { Reading, TextCache } from '../score/text-cache.js';
import { createPacer } from '../turns.js';

export interface MemoryReader {
  /** The existing memories, in the order of the ids. */
  read(ids: Iterable<string>): Promise<Reading[]>;
}

export function createMemoryReader(graph: Pick<MemoryStore, 'getMemories'>, texts: TextCache): MemoryReader {
  const known = new Map<string, Reading>();
  const underway = new Map<string, Promise<void>>();
  const pace = createPacer();
  const readAll = async (ids: readonly string[]) => {
    for (const [id, memory] of await graph.getMemories(ids)) {
      await pace(memory.content.length);
      known.set(id, texts.read(memory));
    }
  };
  return {
    read: async ids => {
      const distinct = [...new Set(ids)];
      const unread = distinct.filter(id => !underway.has(id));
      const reading = unread.length > 0 ? readAll(unread) : undefined;
      if (reading) for (const id of unread) underway.set(id, reading);
      await Promise.all(new Set(distinct.map(id => underway.get(id))));
      return distinct.flatMap(id => known.get(id) ?? []);
    },
  };
}
