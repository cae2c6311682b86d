/** Edges that callers make, and walks along them (decisions D15). */
import type { AssociationAnswer, AssociationsAnswer, RelatedAnswer, RelatedMemory } from '../domain/answers.js';
import type { Association } from '../domain/association.js';
import { MemoryError, memoryNotFound } from '../domain/errors.js';
import type { RelatedQuery } from '../domain/related-query.js';
import { type Relation, relationEntry } from '../domain/relation.js';
import { type Clock, toIso } from '../domain/time.js';
import type { GraphStore } from '../stores/graph-store.js';

export interface AssociateParts {
  graph: GraphStore;
  clock: Clock;
}

const MISSING_END = 'One or both memories do not exist';
/** Edges followed from one memory: beyond that it is a hub, and its weakest edges say little. */
const EDGES_PER_STEP = 200;

/** @throws MemoryError `not_found` when one of the memories does not exist */
export async function associate(parts: AssociateParts, association: Association): Promise<AssociationAnswer> {
  const [isSaved] = await parts.graph.saveRelations([toRelation(association, parts.clock)]);
  if (!isSaved) throw new MemoryError('not_found', MISSING_END);
  const { memory1_id, memory2_id, type, strength, properties } = association;
  return {
    ...properties,
    status: 'success',
    message: `Association created between ${memory1_id} and ${memory2_id}`,
    memory1_id,
    memory2_id,
    relation_type: type,
    strength,
  };
}

/** Each item succeeds or fails by itself; those that succeed are written together. */
export async function associateMany(
  { graph, clock }: AssociateParts,
  items: readonly (Association | MemoryError)[],
): Promise<AssociationsAnswer> {
  const readable = items.flatMap((item, index) => (item instanceof MemoryError ? [] : [{ item, index }]));
  const saved = await graph.saveRelations(readable.map(({ item }) => toRelation(item, clock)));
  const failed: AssociationsAnswer['failed'] = items.flatMap((item, index) =>
    item instanceof MemoryError ? [{ index, reason: item.message, ...(item.field && { field: item.field }) }] : [],
  );
  const succeeded: AssociationsAnswer['succeeded'] = [];
  for (const [position, { item, index }] of readable.entries()) {
    const { memory1_id, memory2_id, type, strength } = item;
    if (saved[position]) succeeded.push({ index, memory1_id, memory2_id, relation_type: type, strength });
    else failed.push({ index, reason: MISSING_END });
  }
  return {
    status: failed.length === 0 ? 'success' : 'partial_success',
    created_count: succeeded.length,
    failed_count: failed.length,
    succeeded,
    failed: failed.sort((a, b) => a.index - b.index),
    summary: `${succeeded.length}/${items.length} associations created successfully`,
  };
}

/**
 * Breadth first along the edges in both directions: most important first, then newest (decisions D15).
 *
 * @throws MemoryError `not_found`
 */
export async function related({ graph }: AssociateParts, query: RelatedQuery): Promise<RelatedAnswer> {
  const { id, types, maxDepth, limit } = query;
  if (!(await graph.getMemories([id])).has(id)) throw memoryNotFound(id);
  const found = new Map<string, RelatedMemory>();
  let frontier = [id];
  for (let depth = 1; depth <= maxDepth && frontier.length > 0; depth++) {
    const edges = await graph.relationsOf({ ids: frontier, limit: EDGES_PER_STEP, types });
    const reached = new Map<string, { edge: Relation; isOutgoing: boolean }>();
    for (const [from, relations] of edges) {
      for (const edge of relations) {
        const isOutgoing = edge.from === from;
        const otherId = isOutgoing ? edge.to : edge.from;
        if (otherId !== id && !found.has(otherId) && !reached.has(otherId)) reached.set(otherId, { edge, isOutgoing });
      }
    }
    for (const [otherId, memory] of await graph.getMemories([...reached.keys()])) {
      const way = reached.get(otherId);
      if (!way) continue;
      const { content, summary, type, importance, confidence, tags, timestamp } = memory;
      const relation = relationEntry(way.edge, way.isOutgoing ? 'outgoing' : 'incoming', memory);
      const fields = { id: otherId, content, type, importance, confidence, tags, timestamp, depth, relation };
      found.set(otherId, { ...fields, ...(summary !== undefined && { summary }) });
    }
    frontier = [...reached.keys()];
  }
  const foremost = [...found.values()].sort(compareRelated).slice(0, limit);
  return {
    status: 'success',
    memory_id: id,
    count: foremost.length,
    related_memories: foremost,
    relationship_types: [...types],
    max_depth: maxDepth,
    limit,
  };
}

function compareRelated(a: RelatedMemory, b: RelatedMemory): number {
  return b.importance - a.importance || Date.parse(b.timestamp) - Date.parse(a.timestamp);
}

function toRelation({ memory1_id, memory2_id, type, strength, properties }: Association, clock: Clock): Relation {
  return { from: memory1_id, to: memory2_id, type, strength, properties, updated_at: toIso(clock.nowMs()) };
}
