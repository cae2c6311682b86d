/** Reads one page of an export: memories with their edges, or other nodes, in an order that does not change. */
import { MemoryError } from '../../domain/errors.js';
import type { Memory } from '../../domain/memory.js';
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
import type { GraphStore } from '../../stores/graph-store.js';
import type { NewRecord } from '../../stores/ports/memory-store.js';
import type { NodeLink } from '../../stores/ports/node-store.js';

export type ExportedGraph = Pick<GraphStore, 'readRecords' | 'readNodes' | 'relationsOf' | 'linksOf'>;

/** A limit that no memory reaches, so that a page contains all edges of each memory. */
const EVERY_EDGE = 1_000_000;
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
  const records = await graph.readRecords({ ...(after !== undefined && { afterId: after }), limit });
  const wanted = records.filter(({ memory }) => memory.updated_at >= since);
  const edges = await edgesOf(
    graph,
    wanted.map(({ memory }) => memory.id),
  );
  const memories = wanted.map(record => ({ ...recordOf(record), ...edgesIn(edges, record.memory.id) }));
  const last = records.length < limit ? undefined : records.at(-1)?.memory.id;
  return { memories, nodes: [], ...(last !== undefined && { next: last }) };
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
  const relations = await graph.relationsOf({ ids, limit: EVERY_EDGE, isOutgoingOnly: true });
  const links = await graph.linksOf(ids);
  return new Map(
    ids.map(id => [
      id,
      {
        relations: (relations.get(id) ?? []).map(({ from: _, ...edge }) => edge).sort(byKey(relationKey)),
        links: links
          .filter(({ memoryId }) => memoryId === id)
          .map(transferredLink)
          .sort(byKey(linkKey)),
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
  const read = await graph.readNodes(kind, { ...(afterId !== undefined && { afterId }), limit });
  const nodes = read
    .filter(({ id, updated_at }) => !id.startsWith(LEASE_PREFIX) && updated_at >= since)
    .map(({ id, properties, updated_at }): NodeRecord => ({ kind, id, properties, updated_at }));
  const last = read.length < limit ? undefined : read.at(-1)?.id;
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
