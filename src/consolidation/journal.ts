/**
 * The journal of what consolidation does. Each run lists its changes in pages, before it carries them out. Deleted
 * memories are kept whole, with their edges, until they are restored or expire. A change is taken back only where the
 * data is still as the change left it. Edits of callers are kept with their memory (`engine/write.ts`).
 */

import { partsOf } from '../domain/collections.js';
import type { BinnedMemory, Change, RestoreReport } from '../domain/consolidation.js';
import { MemoryError } from '../domain/errors.js';
import { versionFields } from '../domain/history.js';
import { canonicalJson } from '../domain/json.js';
import { type Memory, SUPPLIED_EMBEDDING } from '../domain/memory.js';
import { ALL_EDGES, type Relation } from '../domain/relation.js';
import { MS_PER_DAY, parseIso, toIso } from '../domain/time.js';
import type { VectorProjection } from '../projection/vector-projection.js';
import type { GraphStore } from '../stores/graph-store.js';
import { NODES_PER_PAGE, nodePages } from '../stores/pages.js';
import type { StoredHistory } from '../stores/ports/memory-store.js';
import type { AuxiliaryNode, NodeLink, NodeStore } from '../stores/ports/node-store.js';
import type { VectorStore } from '../stores/vector-store.js';

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
  const ids = Array.from({ length: await countPages(graph, runId) }, (_, page) => pageId(runId, page));
  // Remove the last pages first, so that the pages that remain after a crash can still be found.
  for (const part of partsOf(ids.reverse(), NODES_PER_PAGE)) await graph.deleteNodes('ConsolidationChanges', part);
}

export interface JournalParts {
  graph: GraphStore;
  vectors: Pick<VectorStore, 'vectorsOf'>;
  projection: Pick<VectorProjection, 'refresh' | 'remove'>;
  /** Called with the number of deleted memories. Some of their vectors may still have to be removed. */
  onRemoved(count: number): void;
}

/**
 * Changes fields of a memory other than the content, so that nothing has to be embedded or enriched again.
 *
 * @param change returns undefined to leave the memory as it is
 * @returns whether the memory was changed
 */
export async function changeMemory(
  { graph, projection }: Pick<JournalParts, 'graph' | 'projection'>,
  id: string,
  change: (memory: Memory) => Memory | undefined,
): Promise<boolean> {
  let changed: Memory | undefined;
  const saved = await graph.updateMemory(id, memory => {
    changed = change(memory);
    return { memory: changed ?? memory, work: [] };
  });
  if (saved) await projection.refresh(saved);
  return saved !== undefined && changed !== undefined;
}

/** @returns whether the edge was removed; it stays if it is not as expected */
export async function removeEdgeIf(
  { graph }: Pick<JournalParts, 'graph'>,
  { from, to, type }: Pick<Relation, 'from' | 'to' | 'type'>,
  isExpected: (edge: Relation) => boolean,
): Promise<boolean> {
  const edges = (await graph.relationsOf({ ids: [from], limit: ALL_EDGES, types: [type] })).get(from) ?? [];
  const isPresent = edges.some(edge => edge.from === from && edge.to === to && isExpected(edge));
  if (isPresent) await graph.removeRelations([{ from, to, type }]);
  return isPresent;
}

/** The content of a node of the bin. The node stores it as JSON text in its property `record`. */
interface BinnedRecord {
  memory: Memory;
  /** The vector that the caller supplied, which cannot be computed again. */
  embedding?: number[];
  relations: Relation[];
  /** Edges to patterns and summaries of groups. */
  links: NodeLink[];
  /** The versions of the memory before its edits. */
  history?: StoredHistory;
}

/**
 * Copies a memory into the bin. The copy is durable when the returned promise resolves.
 *
 * @returns the copied memory; undefined if no memory has this id and `updated_at`
 */
export async function putInBin(
  { graph, vectors }: JournalParts,
  { id, updated_at }: Pick<Memory, 'id' | 'updated_at'>,
  { runId, reason, nowMs }: { runId: string; reason: string; nowMs: number },
): Promise<Memory | undefined> {
  const memory = (await graph.getMemories([id])).get(id);
  if (memory?.updated_at !== updated_at) return undefined;
  const relations = (await graph.relationsOf({ ids: [id], limit: ALL_EDGES })).get(id) ?? [];
  const links = await graph.linksOf([id]);
  const supplied = memory.embedded_by === SUPPLIED_EMBEDDING ? (await vectors.vectorsOf([id])).get(id) : undefined;
  const node = await graph.getNode('MemoryHistory', id);
  const record: BinnedRecord = {
    ...{ memory, relations, links },
    ...(supplied && { embedding: [...supplied] }),
    ...(node && { history: { properties: node.properties, updated_at: node.updated_at } }),
  };
  const deletedAt = toIso(nowMs);
  await graph.saveNode({
    kind: 'DeletedMemory',
    id,
    properties: {
      ...{ content: memory.content, deleted_at: deletedAt, reason, run_id: runId },
      record: JSON.stringify(record),
    },
    updated_at: deletedAt,
  });
  return memory;
}

/**
 * Restores memories, with their edges to memories and other nodes that still exist.
 *
 * @param accessedMs if given, sets `last_accessed` of each memory; otherwise that field is restored too
 * @throws MemoryError `conflict` when another memory with the same id was stored since its deletion; then no memory is
 * restored, and all copies stay in the bin
 */
export async function restoreFromBin(
  { graph }: JournalParts,
  ids: readonly string[],
  accessedMs?: number,
): Promise<RestoreReport> {
  const found = new Map<string, BinnedRecord>();
  const unknownIds: string[] = [];
  for (const id of new Set(ids)) {
    const node = await graph.getNode('DeletedMemory', id);
    if (node) found.set(id, recordOf(node));
    else unknownIds.push(id);
  }
  const present = await graph.getMemories([...found.keys()]);
  assertFree(present, found);
  for (const [id, { memory, embedding }] of found) {
    if (present.has(id)) continue;
    // The vector is made again, so the memory does not name the model of the deleted vector.
    const { embedded_by: _, ...unembedded } = memory;
    await graph.saveMemories([
      {
        memory: accessedMs === undefined ? unembedded : { ...unembedded, last_accessed: toIso(accessedMs) },
        work: memory.enriched ? ['embed'] : ['embed', 'enrich'],
        ...(embedding && { embedding: Float32Array.from(embedding) }),
        // Another request may have taken the id since the check. The copy in the bin must not be deleted then.
        isNew: true,
      },
    ]);
  }
  for (const [id, { history }] of found) if (history) await restoreHistory(graph, id, history);
  // Edges are restored after all memories, because an edge may connect two restored memories.
  await graph.saveRelations([...found.values()].flatMap(({ relations }) => relations));
  for (const link of [...found.values()].flatMap(({ links }) => links)) await graph.linkNode(link);
  const restoredIds = [...found.keys()];
  await graph.deleteNodes('DeletedMemory', restoredIds);
  return { restoredIds, unknownIds };
}

/** Restores the history, unless the memory was edited or deleted since it was stored again. */
async function restoreHistory(graph: GraphStore, id: string, history: StoredHistory): Promise<void> {
  await graph.updateMemory(id, (memory, present) => ({ memory, work: [], ...(!present && { history }) }));
}

/**
 * An equal memory is no obstacle: an interrupted restore has left it, or an import has brought it back. A memory with
 * the same content may lack the tags and metadata of the copy, so it is another memory.
 */
function assertFree(present: ReadonlyMap<string, Memory>, found: ReadonlyMap<string, BinnedRecord>): void {
  for (const [id, memory] of present) {
    const copy = found.get(id)?.memory;
    const differing = copy ? differingFields(memory, copy) : [];
    if (differing.length === 0) continue;
    throw new MemoryError(
      'conflict',
      `The id ${id} now belongs to a memory with different ${differing.join(', ')}; nothing was restored`,
      { hint: 'The copy stays in the bin. Omit this id, or delete the memory that has it and restore again.' },
    );
  }
}

/** Names the fields that callers can change and that differ. If the content differs, the others say nothing more. */
function differingFields(one: Memory, other: Memory): string[] {
  const fieldsOf = (memory: Memory) =>
    new Map<string, unknown>(Object.entries({ ...versionFields(memory), updated_at: memory.updated_at }));
  const [fields, others] = [fieldsOf(one), fieldsOf(other)];
  const names = [...new Set([...fields.keys(), ...others.keys()])];
  const differing = names.filter(name => canonicalJson(fields.get(name)) !== canonicalJson(others.get(name)));
  return differing.includes('content') ? ['content'] : differing;
}

function recordOf(node: AuxiliaryNode): BinnedRecord {
  try {
    return JSON.parse(String(node.properties.record)) as BinnedRecord;
  } catch (cause) {
    throw new MemoryError('internal', `The copy of ${node.id} in the bin is unreadable`, { cause });
  }
}

/** Permanently removes copies that are older than the given number of days. */
export async function emptyBin(graph: GraphStore, olderThanDays: number, nowMs: number): Promise<void> {
  for await (const page of nodePages(graph, 'DeletedMemory')) {
    const over = page.filter(node => nowMs - deletedAtMs(node) > olderThanDays * MS_PER_DAY);
    await graph.deleteNodes(
      'DeletedMemory',
      over.map(({ id }) => id),
    );
  }
}

/** Returns copies in the bin, the most recently deleted memory first. */
export async function listBinned(graph: Pick<NodeStore, 'listNodes'>, limit: number): Promise<BinnedMemory[]> {
  return (await graph.listNodes('DeletedMemory', limit)).map(binnedOf);
}

function binnedOf({ id, properties }: AuxiliaryNode): BinnedMemory {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const { content, deleted_at, reason } = properties;
  return { id, content: text(content), deletedAt: text(deleted_at), reason: text(reason) };
}

/** Returns infinity for a copy without a time of deletion, so that such a copy never expires. */
function deletedAtMs({ properties }: AuxiliaryNode): number {
  return parseIso(String(properties.deleted_at ?? '')) ?? Number.POSITIVE_INFINITY;
}
