/**
 * Writes one page of records into a memory. A record that already has a later state there is not changed. At the end,
 * removes histories whose memory does not exist.
 */

import { partsOf } from '../../domain/collections.js';
import { canonicalJson } from '../../domain/json.js';
import { type Memory, SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import { tagPrefixes } from '../../domain/tags.js';
import {
  type ArrivalCounts,
  type EdgesOf,
  type ImportPage,
  type ImportReport,
  isKept,
  type MemoryRecord,
  type NodeRecord,
  noArrivals,
} from '../../domain/transfer.js';
import { inSteps } from '../../event-loop.js';
import type { VectorProjection } from '../../projection/vector-projection.js';
import type { GraphStore } from '../../stores/graph-store.js';
import { MEMORIES_PER_PAGE, nodePages } from '../../stores/pages.js';
import type { MemoryChange, NewRecord } from '../../stores/ports/memory-store.js';
import type { AuxiliaryNode } from '../../stores/ports/node-store.js';
import type { WorkKind } from '../../stores/ports/work-queue.js';
import { edgesOf, linkKey, relationKey, transferred } from './export-page.js';

export interface ImportParts {
  graph: Pick<
    GraphStore,
    | 'getMemories'
    | 'saveMemories'
    | 'updateMemory'
    | 'relationsOf'
    | 'saveRelations'
    | 'linksOf'
    | 'linkNode'
    | 'getNode'
    | 'saveNode'
  >;
  projection: Pick<VectorProjection, 'isInGraph'>;
}

/** An edge needs both its ends, so pages of memories and nodes must come before pages of edges. */
export async function importPage(parts: ImportParts, page: ImportPage): Promise<Omit<ImportReport, 'credentials'>> {
  return {
    nodes: await importNodes(parts, page),
    memories: await importMemories(parts, page),
    edges: await importEdges(parts, page),
  };
}

async function importNodes({ graph }: ImportParts, { nodes, isDryRun }: ImportPage): Promise<ArrivalCounts> {
  const counts = noArrivals();
  for (const node of nodes) {
    const present = await graph.getNode(node.kind, node.id);
    const outcome = outcomeOf(present, node, isLaterNode);
    counts[outcome] += 1;
    if (!isDryRun && isWritten(outcome)) await graph.saveNode(node);
  }
  return counts;
}

/** A run keeps the time of its start when it is undone, so the mark of the undoing decides between equal times. */
function isLaterNode(present: AuxiliaryNode, arriving: NodeRecord): boolean {
  if (present.updated_at !== arriving.updated_at) return present.updated_at > arriving.updated_at;
  return present.properties.undone_at !== undefined && arriving.properties.undone_at === undefined;
}

type Outcome = keyof ArrivalCounts;

function outcomeOf<Record>(
  present: Record | undefined,
  arriving: Record,
  isLaterThan: (present: Record, arriving: Record) => boolean,
): Outcome {
  if (present === undefined) return 'created';
  if (canonicalJson(present) === canonicalJson(arriving)) return 'unchanged';
  return isLaterThan(present, arriving) ? 'kept' : 'updated';
}

function isWritten(outcome: Outcome): boolean {
  return outcome === 'created' || outcome === 'updated';
}

async function importMemories(parts: ImportParts, { memories, isDryRun }: ImportPage): Promise<ArrivalCounts> {
  const { graph, projection } = parts;
  const counts = noArrivals();
  const created: NewRecord[] = [];
  const updated: MemoryRecord[] = [];
  for await (const part of inSteps(partsOf(memories, MEMORIES_PER_PAGE))) {
    const there = await graph.getMemories(part.map(({ memory }) => memory.id));
    for (const record of part) {
      const present = there.get(record.memory.id);
      const outcome = outcomeOf(present && transferred(present), record.memory, there => isKept(there, record));
      counts[outcome] += 1;
      if (outcome === 'created') created.push(newRecord(record, projection.isInGraph));
      else if (outcome === 'updated') updated.push(record);
    }
  }
  if (isDryRun) return counts;
  if (created.length > 0) await graph.saveMemories(created);
  for await (const record of inSteps(updated)) {
    await graph.updateMemory(record.memory.id, current => changeOf(current, record, projection.isInGraph));
  }
  return counts;
}

/**
 * A graph that also stores the vectors saves a supplied vector together with the record. With a separate vector store,
 * the worker saves the vector later.
 */
function newRecord(record: MemoryRecord, isVectorInGraph: boolean): NewRecord {
  const { embedding } = record;
  const memory = wholeMemory(record);
  const later = laterWork(record);
  if (embedding && isVectorInGraph) {
    return { memory: { ...memory, embedded_by: SUPPLIED_EMBEDDING }, embedding, vector: embedding, work: later };
  }
  return { memory, ...(embedding && { embedding }), work: ['embed', ...later] };
}

function wholeMemory({ memory }: MemoryRecord): Memory {
  return { ...memory, tag_prefixes: tagPrefixes(memory.tags) };
}

function laterWork({ isEnrichmentPending }: MemoryRecord): WorkKind[] {
  return isEnrichmentPending ? ['enrich'] : [];
}

/**
 * Takes the supplied vector of the record. Otherwise keeps the vector if the content has not changed, and queues the memory
 * for a new vector if it has.
 */
function changeOf(current: Memory, record: MemoryRecord, isVectorInGraph: boolean): MemoryChange {
  const memory = wholeMemory(record);
  // The memory may have changed since `importMemories` compared it.
  if (isKept(current, record)) return { memory: current, work: [] };
  if (record.embedding) return newRecord(record, isVectorInGraph);
  const { embedded_by } = current;
  const keepsVector = embedded_by !== undefined && current.content === memory.content;
  const work = laterWork(record);
  return keepsVector ? { memory: { ...memory, embedded_by }, work } : { memory, work: ['embed', ...work] };
}

async function importEdges(parts: ImportParts, { edges, isDryRun }: ImportPage): Promise<ImportReport['edges']> {
  const counts = { ...noArrivals(), leftOut: 0 };
  const { graph } = parts;
  const there = await edgesOf(
    graph,
    edges.map(({ from }) => from),
  );
  const relations = edges.flatMap(({ from, relations: arriving }) => {
    const present = new Map(there.get(from)?.relations.map(edge => [relationKey(edge), edge]));
    return arriving.flatMap(edge => {
      const outcome = outcomeOf(present.get(relationKey(edge)), edge, isUpdatedLater);
      counts[outcome] += 1;
      return isWritten(outcome) ? [{ outcome, relation: { from, ...edge } }] : [];
    });
  });
  const links = linksToWrite(edges, there, counts);
  if (isDryRun) return counts;
  const saved = relations.length === 0 ? [] : await graph.saveRelations(relations.map(({ relation }) => relation));
  for (const [index, { outcome }] of relations.entries()) if (saved[index] === false) moveToLeftOut(counts, outcome);
  const ends = await graph.getMemories(links.map(({ link }) => link.memoryId));
  for (const { outcome, link } of links) {
    const hasEnds = ends.has(link.memoryId) && (await graph.getNode(link.kind, link.nodeId)) !== undefined;
    if (hasEnds) await graph.linkNode(link);
    else moveToLeftOut(counts, outcome);
  }
  return counts;
}

function linksToWrite(edges: readonly EdgesOf[], there: Awaited<ReturnType<typeof edgesOf>>, counts: ArrivalCounts) {
  return edges.flatMap(({ from, links: arriving }) => {
    const present = new Map(there.get(from)?.links.map(link => [linkKey(link), link]));
    return arriving.flatMap(link => {
      const outcome = outcomeOf(present.get(linkKey(link)), link, isUpdatedLater);
      counts[outcome] += 1;
      const { id, ...rest } = link;
      return isWritten(outcome) ? [{ outcome, link: { memoryId: from, nodeId: id, ...rest } }] : [];
    });
  });
}

function isUpdatedLater(present: { updated_at: string }, arriving: { updated_at: string }): boolean {
  return present.updated_at > arriving.updated_at;
}

function moveToLeftOut(counts: ImportReport['edges'], outcome: Outcome): void {
  counts[outcome] -= 1;
  counts.leftOut += 1;
}

/**
 * An imported file may contain a history without its memory, for instance if the memory was deleted during the export.
 * No request could delete the texts of such a history.
 */
export async function removeOrphanHistories(
  graph: Pick<GraphStore, 'readNodes' | 'getMemories' | 'deleteNodes'>,
): Promise<void> {
  for await (const page of nodePages(graph, 'MemoryHistory')) {
    const ids = page.map(({ id }) => id);
    const memories = await graph.getMemories(ids);
    const orphans = ids.filter(id => !memories.has(id));
    if (orphans.length > 0) await graph.deleteNodes('MemoryHistory', orphans);
  }
}
