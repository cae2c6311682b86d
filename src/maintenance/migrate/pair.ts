/** Describes two stores that together hold one memory, and walks over their contents. */
import type { GraphStore } from '../../stores/graph-store.js';
import type { PageRequest } from '../../stores/ports/memory-store.js';
import { type AuxiliaryNode, NODE_KINDS } from '../../stores/ports/node-store.js';
import type { VectorStore } from '../../stores/vector-store.js';

export interface StorePair {
  graph: GraphStore;
  vectors: VectorStore;
}

/** A limit that no memory reaches, so that a request returns all edges of each memory. */
export const ALL_EDGES_LIMIT = 1_000_000;

const PAGE_SIZE = 200;
/** Prefix of the ids of leases. Leases are skipped, because they belong to processes and not to the memory. */
const LEASE_PREFIX = 'lease:';

/** Returns every element, in pages, ordered by id. */
export async function* pages<Element>(
  read: (page: PageRequest) => Promise<Element[]>,
  idOf: (element: Element) => string,
): AsyncGenerator<Element[]> {
  let afterId: string | undefined;
  for (;;) {
    const page = await read({ ...(afterId !== undefined && { afterId }), limit: PAGE_SIZE });
    const last = page.at(-1);
    if (!last) return;
    yield page;
    afterId = idOf(last);
  }
}

/** Returns every node that is neither a memory nor a lease. */
export async function* nodesOf(graph: GraphStore): AsyncGenerator<AuxiliaryNode> {
  for (const kind of NODE_KINDS) {
    for await (const page of pages(
      request => graph.readNodes(kind, request),
      ({ id }) => id,
    )) {
      for (const node of page) if (!node.id.startsWith(LEASE_PREFIX)) yield node;
    }
  }
}
