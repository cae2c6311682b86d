/** Reads all memories or nodes of a store, page by page, in order of id. */
import type { Memory } from '../domain/memory.js';
import type { GraphStore } from './graph-store.js';
import type { PageRequest } from './ports/memory-store.js';
import type { AuxiliaryNode, NodeKind, NodeStore } from './ports/node-store.js';

/**
 * Number of memories that are read or compared at once. It is low, because requests are answered only in the pauses
 * between pages, and each request needs several pauses.
 */
export const MEMORIES_PER_PAGE = 25;
export const NODES_PER_PAGE = 100;

/** Called before each page. When it rejects, the pages end with its reason. */
type OnPage = () => Promise<void>;

/** Returns pages of everything that `read` reads. */
export async function* pagesOf<Element>(
  read: (page: PageRequest) => Promise<Element[]>,
  idOf: (element: Element) => string,
  { limit = NODES_PER_PAGE, onPage = async () => {} }: { limit?: number; onPage?: OnPage | undefined } = {},
): AsyncGenerator<Element[]> {
  for (let afterId: string | undefined; ; ) {
    await onPage();
    const page = await read({ ...(afterId !== undefined && { afterId }), limit });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    afterId = idOf(last);
  }
}

export async function* memoryPages({
  graph,
  onPage,
}: {
  graph: Pick<GraphStore, 'readRecords'>;
  onPage: OnPage;
}): AsyncGenerator<Memory[]> {
  const options = { limit: MEMORIES_PER_PAGE, onPage };
  for await (const page of pagesOf(
    page => graph.readRecords(page),
    ({ memory }) => memory.id,
    options,
  )) {
    yield page.map(({ memory }) => memory);
  }
}

export function nodePages(
  graph: Pick<NodeStore, 'readNodes'>,
  kind: NodeKind,
  onPage?: OnPage,
): AsyncGenerator<AuxiliaryNode[]> {
  return pagesOf(
    page => graph.readNodes(kind, page),
    ({ id }) => id,
    { onPage },
  );
}
