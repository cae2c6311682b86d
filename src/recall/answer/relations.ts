/** Relations as they are attached to memories: edges joined with what stands at their other end. */
import { otherEnd, type Relation, type RelationEntry, relationEntry } from '../../domain/relation.js';
import type { EdgeStore, ShownRelations } from '../../stores/ports/edge-store.js';

/** Entries by memory id, in one read whatever the number of memories. */
export async function relationEntries(
  graph: Pick<EdgeStore, 'shownRelations'>,
  ids: readonly string[],
  limit: number,
): Promise<Map<string, RelationEntry[]>> {
  return ids.length === 0 ? new Map() : entriesIn(await graph.shownRelations({ ids, limit }));
}

/** The entries of edges that have been read. */
export function entriesIn({
  relations,
  ends,
}: Pick<ShownRelations, 'relations' | 'ends'>): Map<string, RelationEntry[]> {
  const entriesOf = ([id, edges]: [string, Relation[]]) =>
    edges.flatMap(edge => {
      // A memory that was deleted meanwhile, or that nobody can read, is missing.
      const other = ends.get(otherEnd(edge, id));
      return other ? [relationEntry(edge, edge.from === id ? 'outgoing' : 'incoming', other)] : [];
    });
  return new Map([...relations].map(each => [each[0], entriesOf(each)]));
}
