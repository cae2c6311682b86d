/**
 * Finds PRECEDED_BY edges: earlier memories that share a tag or an entity (docs/decisions.md, "Preceding memories").
 */
import type { Memory } from '../../domain/memory.js';
import { partsOf } from '../../domain/parts.js';
import type { Relation } from '../../domain/relation.js';
import { tagKeys } from '../../domain/tags.js';
import { inSteps } from '../../event-loop.js';
import type { MemoryStore } from '../../stores/ports/memory-store.js';
import type { SearchIndex } from '../../stores/ports/search-index.js';

type PrecedingGraph = Pick<MemoryStore, 'getMemories'> & Pick<SearchIndex, 'list'>;

const EDGES_MAX = 3;
/** Number of parallel searches. Parallel searches are faster, because each mostly waits for a server. */
const SEARCHES_AT_ONCE = 8;

/** A memory, with its tags and the tags of the entities just found in it, which may not be stored yet. */
export interface Tagged {
  memory: Memory;
  tags: readonly string[];
}

/** Returns the edges of each memory, in the order of the memories. Reads the earlier memories of the whole batch together. */
export async function precedingEdges(
  examined: readonly Tagged[],
  { graph, nowIso }: { graph: PrecedingGraph; nowIso: string },
): Promise<Relation[][]> {
  const lists: string[][] = [];
  for await (const part of inSteps(partsOf(examined, SEARCHES_AT_ONCE))) {
    lists.push(...(await Promise.all(part.map(each => idsBefore(each, graph)))));
  }
  const ids = new Set(lists.flat());
  const earlier = ids.size > 0 ? await graph.getMemories([...ids]) : new Map<string, Memory>();
  return examined.map((each, index) =>
    (lists[index] ?? []).flatMap(id => {
      const other = earlier.get(id);
      return other ? [edgeBetween(each, other, nowIso)] : [];
    }),
  );
}

async function idsBefore({ memory, tags }: Tagged, graph: PrecedingGraph): Promise<string[]> {
  const keys = tagKeys(tags);
  if (keys.length === 0) return [];
  const filter = { tags: { keys, mode: 'any', match: 'exact' }, toMs: Date.parse(memory.timestamp) - 1 } as const;
  return graph.list({ filter, order: 'newest', limit: EDGES_MAX });
}

function edgeBetween({ memory, tags }: Tagged, other: Memory, nowIso: string): Relation {
  const keys = tagKeys(tags);
  const present = new Set(tagKeys(other.tags));
  const shared = keys.filter(key => present.has(key)).length;
  return {
    from: memory.id,
    to: other.id,
    type: 'PRECEDED_BY',
    strength: shared / keys.length,
    properties: { count: shared },
    updated_at: nowIso,
  };
}
