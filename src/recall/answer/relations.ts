/** Relations as they are attached to memories: edges joined with what stands at their other end. */
import { type RelationEntry, relationEntry } from '../../domain/relation.js';
import type { EdgeStore } from '../../stores/ports/edge-store.js';
import type { MemoryStore } from '../../stores/ports/memory-store.js';

/** Entries by memory id, in two reads whatever the number of memories. */
export async function relationEntries(
  graph: Pick<MemoryStore, 'getMemories'> & Pick<EdgeStore, 'relationsOf'>,
  ids: readonly string[],
  limit: number,
): Promise<Map<string, RelationEntry[]>> {
  const entries = new Map<string, RelationEntry[]>(ids.map(id => [id, []]));
  if (ids.length === 0) return entries;
  const relations = await graph.relationsOf({ ids, limit });
  const otherEnds = [...relations].flatMap(([id, edges]) => edges.map(({ from, to }) => (from === id ? to : from)));
  const others = await graph.getMemories([...new Set(otherEnds)]);
  for (const [id, edges] of relations) {
    for (const edge of edges) {
      const isOutgoing = edge.from === id;
      const other = others.get(isOutgoing ? edge.to : edge.from);
      // It may have been deleted between the two reads.
      if (other) entries.get(id)?.push(relationEntry(edge, isOutgoing ? 'outgoing' : 'incoming', other));
    }
  }
  return entries;
}
