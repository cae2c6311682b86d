/** Memories as one recall reads them: each from the graph and into words once, however many steps ask for it. */
import type { Memory } from '../../domain/memory.js';
import type { MemoryStore } from '../../stores/ports/memory-store.js';
import type { TextEvidence } from '../score/evidence.js';
import type { TextCache } from '../score/text-cache.js';
import { createPacer } from '../turns.js';

export interface ReadMemory {
  memory: Memory;
  text: TextEvidence;
}

export interface MemoryReader {
  /** Those that exist, in the order of the ids. */
  read(ids: Iterable<string>): Promise<ReadMemory[]>;
}

export function createMemoryReader(graph: Pick<MemoryStore, 'getMemories'>, texts: TextCache): MemoryReader {
  const known = new Map<string, ReadMemory>();
  const pace = createPacer();
  return {
    read: async ids => {
      const distinct = [...new Set(ids)];
      const unknown = distinct.filter(id => !known.has(id));
      if (unknown.length > 0) {
        for (const [id, memory] of await graph.getMemories(unknown)) {
          await pace(memory.content.length);
          known.set(id, { memory, text: texts.read(memory) });
        }
      }
      return distinct.flatMap(id => known.get(id) ?? []);
    },
  };
}
