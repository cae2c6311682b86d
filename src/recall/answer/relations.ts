/** Attaches relations to memories: each edge joined with the memory at its other end. */
import { otherEnd, type Relation, type RelationEntry, relationEntry } from '../../domain/relation.js';
import type { EdgeStore, RelationsWithEnds } from '../../stores/ports/edge-store.js';

/** Returns the relation entries of each memory, by the memory's id. One read covers all memories. */
export async function relationEntries(
  graph: Pick<EdgeStore, 'relationsWithEnds'>,
  ids: readonly string[],
  limit: number,
): Promise<Map<string, RelationEntry[]>> {
  return ids.length === 0 ? new Map() : entriesIn(await graph.relationsWithEnds({ ids, limit }));
}

/** Makes entries from edges that have been read already. */
export function entriesIn({
  relations,
  ends,
}: Pick<RelationsWithEnds, 'relations' | 'ends'>): Map<string, RelationEntry[]> {
  const entriesOf = ([id, edges]: [string, Relation[]]) =>
    edges.flatMap(edge => {
      // Skip the edge if the memory at its other end was deleted meanwhile or cannot be read.
      const other = ends.get(otherEnd(edge, id));
      return other ? [relationEntry(edge, edge.from === id ? 'outgoing' : 'incoming', other)] : [];
    });
  return new Map([...relations].map(each => [each[0], entriesOf(each)]));
}
