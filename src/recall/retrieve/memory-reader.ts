/** Memories as one recall reads them: each from the graph and into words once, however many steps ask for it. */
import type { Memory } from '../../domain/memory.js';
import type { MemoryStore } from '../../stores/ports/memory-store.js';
import type { TextEvidence } from '../score/text.js';
import type { TextCache } from '../score/text-cache.js';
import { createPacer } from '../turns.js';

export interface ReadMemory {
  memory: Memory;
  text: TextEvidence;
}

export interface MemoryReader {
  /**
   * Those that exist, in the order of the ids.
   *
   * @param given memories that somebody has just read
   */
  read(ids: Iterable<string>, given?: readonly Memory[]): Promise<ReadMemory[]>;
}

export function createMemoryReader(graph: Pick<MemoryStore, 'getMemories'>, texts: TextCache): MemoryReader {
  const known = new Map<string, ReadMemory>();
  const pace = createPacer();
  return {
    read: async (ids, given = []) => {
      const distinct = [...new Set(ids)];
      const here = new Map(given.map(memory => [memory.id, memory]));
      const unknown = distinct.filter(id => !known.has(id) && !here.has(id));
      const found = unknown.length > 0 ? await graph.getMemories(unknown) : [];
      for (const [id, memory] of [...here, ...found]) {
        if (known.has(id)) continue;
        await pace(memory.content.length);
        known.set(id, { memory, text: texts.read(memory) });
      }
      return distinct.flatMap(id => known.get(id) ?? []);
    },
  };
}
