/** Reads memories and nodes page by page. */
import type { Memory } from '../domain/memory.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { AuxiliaryNode, NodeKind, NodeStore } from '../stores/ports/node-store.js';

/**
 * Number of memories that are read or compared at once. It is low, because requests are answered only in the pauses
 * between pages, and each request needs several pauses.
 */
export const MEMORIES_PER_PAGE = 25;
export const NODES_PER_PAGE = 100;

interface MemoryPages {
  graph: Pick<GraphStore, 'readRecords'>;
  /** Called before each page. */
  onPage(): Promise<void>;
}

/** Returns pages of all memories in order of id. */
export async function* memoryPages({ graph, onPage }: MemoryPages): AsyncGenerator<Memory[]> {
  for (let afterId: string | undefined; ; ) {
    await onPage();
    const records = await graph.readRecords({
      ...(afterId !== undefined && { afterId }),
      limit: MEMORIES_PER_PAGE,
    });
    afterId = records.at(-1)?.memory.id;
    if (afterId === undefined) return;
    yield records.map(({ memory }) => memory);
  }
}

/**
 * Returns pages of all nodes of a kind in order of id.
 *
 * @param onPage called before each page
 */
export async function* nodePages(
  graph: Pick<NodeStore, 'readNodes'>,
  kind: NodeKind,
  onPage: () => Promise<void> = async () => {},
): AsyncGenerator<AuxiliaryNode[]> {
  for (let afterId: string | undefined; ; ) {
    await onPage();
    const nodes = await graph.readNodes(kind, { ...(afterId !== undefined && { afterId }), limit: NODES_PER_PAGE });
    afterId = nodes.at(-1)?.id;
    if (afterId === undefined) return;
    yield nodes;
  }
}
