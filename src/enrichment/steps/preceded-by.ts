/**
 * Finds PRECEDED_BY edges: earlier memories that share a tag or an entity (docs/decisions.md, "Preceding memories").
 */
import type { Memory } from '../../domain/memory.js';
import type { Relation } from '../../domain/relation.js';
import { tagKeys } from '../../domain/tags.js';
import type { MemoryStore } from '../../stores/ports/memory-store.js';
import type { SearchIndex } from '../../stores/ports/search-index.js';

type PrecedingGraph = Pick<MemoryStore, 'getMemories'> & Pick<SearchIndex, 'list'>;

const EDGES_MAX = 3;

/** @param tags the tags of the memory, and the tags of the entities just found in it, which may not be stored yet */
export async function precedingEdges(
  memory: Memory,
  tags: readonly string[],
  { graph, nowIso }: { graph: PrecedingGraph; nowIso: string },
): Promise<Relation[]> {
  const keys = tagKeys(tags);
  if (keys.length === 0) return [];
  const filter = { tags: { keys, mode: 'any', match: 'exact' }, toMs: Date.parse(memory.timestamp) - 1 } as const;
  const ids = await graph.list({ filter, order: 'newest', limit: EDGES_MAX });
  const memories = await graph.getMemories(ids);
  return ids.flatMap((id): Relation[] => {
    const other = memories.get(id);
    if (!other) return [];
    const present = new Set(tagKeys(other.tags));
    const shared = keys.filter(key => present.has(key)).length;
    return [
      {
        from: memory.id,
        to: id,
        type: 'PRECEDED_BY',
        strength: shared / keys.length,
        properties: { count: shared },
        updated_at: nowIso,
      },
    ];
  });
}
