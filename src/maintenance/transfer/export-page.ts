/** Reads one page of an export: memories with their edges, or other nodes, in an order that does not change. */

import { MemoryError } from '../../domain/errors.js';
import type { Memory } from '../../domain/memory.js';
import { ALL_EDGES } from '../../domain/relation.js';
import {
  EXPORTED_KINDS,
  type ExportPage,
  type ExportPageRequest,
  LEASE_PREFIX,
  type MemoryRecord,
  type NodeRecord,
  type OutgoingRelation,
  type TransferredEdges,
  type TransferredLink,
} from '../../domain/transfer.js';
import { inSteps } from '../../event-loop.js';
import type { GraphStore } from '../../stores/graph-store.js';
import { MEMORIES_PER_PAGE } from '../../stores/pages.js';
import type { NewRecord, PageRequest } from '../../stores/ports/memory-store.js';
import type { NodeLink } from '../../stores/ports/node-store.js';

export type ExportedGraph = Pick<GraphStore, 'readRecords' | 'readNodes' | 'relationsOf' | 'linksOf'>;

/** A page that has reached this number of characters of JSON ends, because a page is rendered and parsed in one step. */
const PAGE_CHARACTERS = 500_000;
/** Separates kind and id in the `next` of a page of nodes. */
const SEPARATOR = '/';

/** @throws MemoryError `invalid` when nodes are requested and `after` is not the `next` of a page of nodes */
export function exportPage(graph: ExportedGraph, request: ExportPageRequest): Promise<ExportPage> {
  return request.part === 'nodes' ? nodesPage(graph, request) : memoriesPage(graph, request);
}

async function memoriesPage(
  graph: ExportedGraph,
  { after, limit, since = '' }: ExportPageRequest,
): Promise<ExportPage> {
  const { wanted, last } = await readInSteps({ afterId: after, limit }, async request => {
    const records = await graph.readRecords(request);
    const changed = records.filter(({ memory }) => memory.updated_at >= since);
    const edges = await edgesOf(
      graph,
      changed.map(({ memory }) => memory.id),
    );
    const memories = changed.map(record => ({ ...recordOf(record), ...edgesIn(edges, record.memory.id) }));
    return { ids: records.map(({ memory }) => memory.id), wanted: memories, sizeOf: sizeOfMemory };
  });
  return { memories: wanted, nodes: [], ...(last !== undefined && { next: last }) };
}

interface ReadStep<Item> {
  /** The ids of all records that were read. */
  ids: string[];
  /** The items of the page. Records that have not changed since the asked instant are left out. */
  wanted: Item[];
  /** Size of an item in characters of JSON. */
  sizeOf(item: Item): number;
}

/**
 * Reads a page in small steps, between which other requests run.
 *
 * @returns the items, and the last id that was read if more records may follow
 */
async function readInSteps<Item>(
  { afterId, limit }: { afterId: string | undefined; limit: number },
  read: (request: PageRequest) => Promise<ReadStep<Item>>,
): Promise<{ wanted: Item[]; last?: string }> {
  const page: Item[] = [];
  let last = afterId;
  let characters = 0;
  for await (const { ids, wanted, sizeOf, isLast } of inSteps(partsOfPage({ afterId, limit }, read))) {
    page.push(...wanted);
    if (isLast) return { wanted: page };
    for (const item of wanted) characters += sizeOf(item);
    last = ids.at(-1);
    if (characters >= PAGE_CHARACTERS) break;
  }
  return { wanted: page, ...(last !== undefined && { last }) };
}

async function* partsOfPage<Item>(
  { afterId, limit }: { afterId: string | undefined; limit: number },
  read: (request: PageRequest) => Promise<ReadStep<Item>>,
): AsyncGenerator<ReadStep<Item> & { isLast: boolean }> {
  let last = afterId;
  for (let count = 0; count < limit; ) {
    const asked = Math.min(MEMORIES_PER_PAGE, limit - count);
    const part = await read({ ...(last !== undefined && { afterId: last }), limit: asked });
    yield { ...part, isLast: part.ids.length < asked };
    count += part.ids.length;
    last = part.ids.at(-1);
  }
}

function sizeOfMemory({ memory, relations, links }: MemoryRecord & TransferredEdges): number {
  return JSON.stringify([memory, relations, links]).length;
}

/** The fields of a memory that an export contains. */
export function transferred({ tag_prefixes: _prefixes, embedded_by: _model, ...memory }: Memory) {
  return memory;
}

function recordOf({ memory, embedding, work }: NewRecord): MemoryRecord {
  return {
    memory: transferred(memory),
    isEnrichmentPending: work.includes('enrich'),
    ...(embedding && { embedding }),
  };
}

/** Returns the outgoing edges of each memory, and its links to nodes. */
export async function edgesOf(
  graph: Pick<ExportedGraph, 'relationsOf' | 'linksOf'>,
  ids: readonly string[],
): Promise<Map<string, TransferredEdges>> {
  if (ids.length === 0) return new Map();
  const relations = await graph.relationsOf({ ids, limit: ALL_EDGES, isOutgoingOnly: true });
  const links = new Map(ids.map(id => [id, [] as NodeLink[]]));
  for (const link of await graph.linksOf(ids)) links.get(link.memoryId)?.push(link);
  return new Map(
    ids.map(id => [
      id,
      {
        relations: (relations.get(id) ?? []).map(({ from: _, ...edge }) => edge).sort(byKey(relationKey)),
        links: (links.get(id) ?? []).map(transferredLink).sort(byKey(linkKey)),
      },
    ]),
  );
}

function edgesIn(edges: ReadonlyMap<string, TransferredEdges>, id: string): TransferredEdges {
  return edges.get(id) ?? { relations: [], links: [] };
}

function transferredLink({ kind, nodeId, confidence, updated_at }: NodeLink): TransferredLink {
  return { kind, id: nodeId, confidence, updated_at };
}

/** Identifies an edge among the outgoing edges of one memory. */
export function relationKey({ type, to }: OutgoingRelation): string {
  return `${type} ${to}`;
}

export function linkKey({ kind, id }: TransferredLink): string {
  return `${kind} ${id}`;
}

function byKey<Edge>(keyOf: (edge: Edge) => string) {
  return (one: Edge, other: Edge) => (keyOf(one) < keyOf(other) ? -1 : 1);
}

async function nodesPage(graph: ExportedGraph, request: ExportPageRequest): Promise<ExportPage> {
  const { limit, since = '' } = request;
  const { kindIndex, afterId } = readPosition(request.after);
  const kind = EXPORTED_KINDS[kindIndex];
  if (kind === undefined) return { memories: [], nodes: [] };
  const { wanted: nodes, last } = await readInSteps({ afterId, limit }, async page => {
    const read = await graph.readNodes(kind, page);
    const changed = read.filter(({ id, updated_at }) => !id.startsWith(LEASE_PREFIX) && updated_at >= since);
    return {
      ids: read.map(({ id }) => id),
      wanted: changed.map(({ id, properties, updated_at }): NodeRecord => ({ kind, id, properties, updated_at })),
      sizeOf: ({ properties }: NodeRecord) => JSON.stringify(properties).length,
    };
  });
  const nextKind = EXPORTED_KINDS[kindIndex + 1];
  if (last !== undefined) return { memories: [], nodes, next: `${kind}${SEPARATOR}${last}` };
  return { memories: [], nodes, ...(nextKind !== undefined && { next: `${nextKind}${SEPARATOR}` }) };
}

function readPosition(after: string | undefined): { kindIndex: number; afterId?: string } {
  if (after === undefined) return { kindIndex: 0 };
  const end = after.indexOf(SEPARATOR);
  const kinds: readonly string[] = EXPORTED_KINDS;
  const kindIndex = kinds.indexOf(after.slice(0, Math.max(end, 0)));
  if (kindIndex < 0) {
    throw new MemoryError('invalid', "'after' must be the 'next' of a page of nodes", { field: 'after' });
  }
  const afterId = after.slice(end + 1);
  return { kindIndex, ...(afterId !== '' && { afterId }) };
}
