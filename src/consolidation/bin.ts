/** Deleted memories wait in nodes DeletedMemory, whole and with their edges, until they are restored or their time is over. */

import type { BinnedMemory, RestoreReport } from '../domain/consolidation.js';
import { MemoryError } from '../domain/errors.js';
import { type Memory, SUPPLIED_EMBEDDING } from '../domain/memory.js';
import type { Relation } from '../domain/relation.js';
import { MS_PER_DAY, parseIso, toIso } from '../domain/time.js';
import type { GraphStore } from '../stores/graph-store.js';
import type { AuxiliaryNode, NodeLink, NodeStore } from '../stores/ports/node-store.js';
import type { VectorStore } from '../stores/vector-store.js';

export interface BinParts {
  graph: Pick<
    GraphStore,
    | 'getMemories'
    | 'relationsOf'
    | 'linksOf'
    | 'linkNode'
    | 'saveNode'
    | 'getNode'
    | 'readNodes'
    | 'deleteNodes'
    | 'saveMemories'
    | 'saveRelations'
  >;
  vectors: Pick<VectorStore, 'vectorsOf'>;
}

export interface Binning {
  runId: string;
  reason: string;
  nowMs: number;
}

/** What a node of the bin holds, as text in `record`. */
interface BinnedRecord {
  memory: Memory;
  /** Of a vector that the caller supplied: it cannot be made again. */
  embedding?: number[];
  relations: Relation[];
  /** With patterns and summaries of groups. */
  links: NodeLink[];
}

/** More edges than any memory should have. */
const EDGES_MAX = 10_000;
const PAGE_SIZE = 200;

/**
 * Copies a memory into the bin; the copy is durable when it resolves.
 *
 * @returns the memory as it was copied; undefined where there is none that was last changed then
 */
export async function putInBin(
  { graph, vectors }: BinParts,
  { id, updated_at }: Pick<Memory, 'id' | 'updated_at'>,
  binning: Binning,
): Promise<Memory | undefined> {
  const memory = (await graph.getMemories([id])).get(id);
  if (memory?.updated_at !== updated_at) return undefined;
  const relations = (await graph.relationsOf({ ids: [id], limit: EDGES_MAX })).get(id) ?? [];
  const links = await graph.linksOf([id]);
  const supplied = memory.embedded_by === SUPPLIED_EMBEDDING ? (await vectors.vectorsOf([id])).get(id) : undefined;
  const record: BinnedRecord = { memory, relations, links, ...(supplied && { embedding: [...supplied] }) };
  const deletedAt = toIso(binning.nowMs);
  await graph.saveNode({
    kind: 'DeletedMemory',
    id,
    properties: {
      content: memory.content,
      deleted_at: deletedAt,
      reason: binning.reason,
      run_id: binning.runId,
      record: JSON.stringify(record),
    },
    updated_at: deletedAt,
  });
  return memory;
}

/**
 * Brings memories back as they were, and their edges to memories and other nodes that exist.
 *
 * @param accessedMs notes an access to each of them; without it even `last_accessed` is as it was
 * @throws MemoryError `conflict` when a memory with the same id and other content was stored since; then none is restored
 */
export async function restoreFromBin(
  { graph }: BinParts,
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
  await assertFree(graph, found);
  for (const { memory, embedding } of found.values()) {
    await graph.saveMemories([
      {
        memory: accessedMs === undefined ? memory : { ...memory, last_accessed: toIso(accessedMs) },
        work: ['embed'],
        ...(embedding && { embedding: Float32Array.from(embedding) }),
      },
    ]);
  }
  // After all of them, since some may lead from one to another.
  await graph.saveRelations([...found.values()].flatMap(({ relations }) => relations));
  for (const link of [...found.values()].flatMap(({ links }) => links)) await graph.linkNode(link);
  const restoredIds = [...found.keys()];
  await graph.deleteNodes('DeletedMemory', restoredIds);
  return { restoredIds, unknownIds };
}

async function assertFree(graph: BinParts['graph'], found: ReadonlyMap<string, BinnedRecord>): Promise<void> {
  const present = await graph.getMemories([...found.keys()]);
  for (const [id, { content }] of present) {
    if (content === found.get(id)?.memory.content) continue;
    throw new MemoryError('conflict', `The id ${id} has other content by now; nothing was restored`, {
      hint: 'Leave this id out, or delete the memory that has it.',
    });
  }
}

function recordOf(node: AuxiliaryNode): BinnedRecord {
  try {
    return JSON.parse(String(node.properties.record)) as BinnedRecord;
  } catch (cause) {
    throw new MemoryError('internal', `The copy of ${node.id} in the bin cannot be read`, { cause });
  }
}

/** Removes for good what has waited longer than that. */
export async function emptyBin(graph: BinParts['graph'], olderThanDays: number, nowMs: number): Promise<void> {
  for await (const page of pagesOf(graph)) {
    const over = page.filter(node => nowMs - deletedAtMs(node) > olderThanDays * MS_PER_DAY);
    await graph.deleteNodes(
      'DeletedMemory',
      over.map(({ id }) => id),
    );
  }
}

/** Deleted last first. */
export async function listBinned(graph: Pick<NodeStore, 'listNodes'>, limit: number): Promise<BinnedMemory[]> {
  return (await graph.listNodes('DeletedMemory', limit)).map(binnedOf);
}

function binnedOf({ id, properties }: AuxiliaryNode): BinnedMemory {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const { content, deleted_at, reason } = properties;
  return { id, content: text(content), deletedAt: text(deleted_at), reason: text(reason) };
}

/** One that does not say when it was deleted is kept. */
function deletedAtMs({ properties }: AuxiliaryNode): number {
  return parseIso(String(properties.deleted_at ?? '')) ?? Number.POSITIVE_INFINITY;
}

async function* pagesOf(graph: Pick<BinParts['graph'], 'readNodes'>): AsyncGenerator<AuxiliaryNode[]> {
  let afterId: string | undefined;
  for (;;) {
    const page = await graph.readNodes('DeletedMemory', {
      ...(afterId !== undefined && { afterId }),
      limit: PAGE_SIZE,
    });
    if (page.length > 0) yield page;
    if (page.length < PAGE_SIZE) return;
    afterId = page.at(-1)?.id;
  }
}
