/**
 * The changes of a run, split into pages, each in its own node. The pages are written before their changes are carried
 * out, so that no change is lost.
 */
import type { Change } from '../domain/consolidation.js';
import type { AuxiliaryNode, NodeStore } from '../stores/ports/node-store.js';

const PAGES_REMOVED_AT_ONCE = 100;

function pageId(runId: string, page: number): string {
  return `${runId}:${page}`;
}

export async function savePage(
  graph: Pick<NodeStore, 'saveNode'>,
  { runId, page, changes, at }: { runId: string; page: number; changes: readonly Change[]; at: string },
): Promise<void> {
  const node: AuxiliaryNode = {
    kind: 'ConsolidationChanges',
    id: pageId(runId, page),
    properties: { run_id: runId, page, changes: JSON.stringify(changes) },
    updated_at: at,
  };
  await graph.saveNode(node);
}

/** @returns undefined after the last page */
export async function readPage(
  graph: Pick<NodeStore, 'getNode'>,
  runId: string,
  page: number,
): Promise<Change[] | undefined> {
  const node = await graph.getNode('ConsolidationChanges', pageId(runId, page));
  return node && (JSON.parse(String(node.properties.changes)) as Change[]);
}

export async function countPages(graph: Pick<NodeStore, 'getNode'>, runId: string): Promise<number> {
  let count = 0;
  while (await graph.getNode('ConsolidationChanges', pageId(runId, count))) count += 1;
  return count;
}

export async function removePages(graph: Pick<NodeStore, 'getNode' | 'deleteNodes'>, runId: string): Promise<void> {
  // Remove the last pages first, so that the pages that remain after a crash can still be found.
  let rest = await countPages(graph, runId);
  while (rest > 0) {
    const from = Math.max(0, rest - PAGES_REMOVED_AT_ONCE);
    const ids = Array.from({ length: rest - from }, (_, index) => pageId(runId, from + index));
    await graph.deleteNodes('ConsolidationChanges', ids);
    rest = from;
  }
}
