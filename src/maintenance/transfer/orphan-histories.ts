/** Removes histories whose memory does not exist. */
import type { GraphStore } from '../../stores/graph-store.js';
import { pages } from '../migrate/pair.js';

/**
 * A file may hold the history of a memory that it does not hold, for instance if the memory was deleted during the
 * export. No request could delete the texts of such a history.
 */
export async function removeOrphanHistories(
  graph: Pick<GraphStore, 'readNodes' | 'getMemories' | 'deleteNodes'>,
): Promise<void> {
  const histories = pages(
    page => graph.readNodes('MemoryHistory', page),
    ({ id }) => id,
  );
  for await (const page of histories) {
    const ids = page.map(({ id }) => id);
    const memories = await graph.getMemories(ids);
    const orphans = ids.filter(id => !memories.has(id));
    if (orphans.length > 0) await graph.deleteNodes('MemoryHistory', orphans);
  }
}
