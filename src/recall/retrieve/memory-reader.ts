/**
 * Reads memories for one recall. Each memory is read from the graph and analysed once, even if several steps need it.
 */
import { partsOf } from '../../domain/collections.js';
import { inSteps } from '../../event-loop.js';
import type { EdgeStore } from '../../stores/ports/edge-store.js';
import type { Reading, TextCache } from '../score/text-cache.js';
import { type KnownLinks, readWithLinks } from '../select/supersessions.js';

/** Number of memories that are read at once. An embedded graph blocks this thread meanwhile. */
const READ_AT_ONCE = 200;

export interface MemoryReader {
  /** The existing memories, in the order of the ids. */
  read(ids: Iterable<string>): Promise<Reading[]>;
}

export interface MemoryReaderParts {
  graph: Pick<EdgeStore, 'relationsWithEnds'>;
  texts: TextCache;
  /** The reader adds the links of each memory that it reads. */
  links: KnownLinks;
}

export function createMemoryReader({ graph, texts, links }: MemoryReaderParts): MemoryReader {
  const known = new Map<string, Reading>();
  const underway = new Map<string, Promise<void>>();
  const readAll = async (ids: readonly string[]) => {
    for await (const part of inSteps(partsOf(ids, READ_AT_ONCE))) {
      const memories = await readWithLinks(graph, part, links);
      for await (const [id, memory] of inSteps(memories)) known.set(id, texts.read(memory));
    }
  };
  return {
    read: async ids => {
      const wanted = new Set(ids);
      const unread: string[] = [];
      const awaited = new Set<Promise<void>>();
      for (const id of wanted) {
        if (known.has(id)) continue;
        const reading = underway.get(id);
        if (reading) awaited.add(reading);
        else unread.push(id);
      }
      if (unread.length > 0) {
        const reading = readAll(unread);
        for (const id of unread) underway.set(id, reading);
        awaited.add(reading);
      }
      if (awaited.size > 0) await Promise.all(awaited);
      const found: Reading[] = [];
      for (const id of wanted) {
        const reading = known.get(id);
        if (reading) found.push(reading);
      }
      return found;
    },
  };
}
