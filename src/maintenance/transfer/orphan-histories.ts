/** Removes histories whose memory does not exist. */
import type { GraphStore } from '../../stores/graph-store.js';

const PAGE_SIZE = 200;

/**
 * An imported file may contain a history without its memory, for instance if the memory was deleted during the export.
 * No request could delete the texts of such a history.
 */
export async function removeOrphanHistories(
  graph: Pick<GraphStore, 'readNodes' | 'getMemories' | 'deleteNodes'>,
): Promise<void> {
  let afterId: string | undefined;
  for (;;) {
    const page = await graph.readNodes('MemoryHistory', {
      ...(afterId !== undefined && { afterId }),
      limit: PAGE_SIZE,
    });
    const ids = page.map(({ id }) => id);
    const memories = await graph.getMemories(ids);
    const orphans = ids.filter(id => !memories.has(id));
    if (orphans.length > 0) await graph.deleteNodes('MemoryHistory', orphans);
    if (page.length < PAGE_SIZE) return;
    afterId = ids.at(-1);
  }
}
