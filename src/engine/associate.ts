/** Creates edges for callers, and follows edges (docs/decisions.md, "Making edges and walking them"). */

import { MemoryError, memoryNotFound } from '../domain/errors.js';
import { type Association, type RelatedQuery, type Relation, relationEntry } from '../domain/relation.js';
import type { RelatedMemory, RelatedOutcome } from '../domain/results.js';
import { type Clock, toIso } from '../domain/time.js';
import { endSuggestions } from '../replacement/suggest.js';
import type { EdgeStore } from '../stores/ports/edge-store.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';

export interface AssociateParts {
  graph: Pick<MemoryStore, 'getMemories' | 'annotate'> & EdgeStore;
  clock: Clock;
}

const MISSING_END = 'One or both memories do not exist';
/**
 * Maximum number of edges followed from one memory. A memory with more edges is a hub, and the weakest edges of a hub
 * are rarely relevant.
 */
const EDGES_PER_STEP = 200;

/** Never fails, because the edges are stored, and recall hides suggestions between memories that an edge connects. */
async function endAnswered(graph: AssociateParts['graph'], relations: readonly Relation[]): Promise<void> {
  await endSuggestions(graph, relations).catch(() => undefined);
}

/** @throws MemoryError `not_found` when one of the memories does not exist */
export async function associate(parts: AssociateParts, association: Association): Promise<Relation> {
  const relation = toRelation(association, parts.clock);
  const [isSaved] = await parts.graph.saveRelations([relation]);
  if (!isSaved) throw new MemoryError('not_found', MISSING_END);
  await endAnswered(parts.graph, [relation]);
  return relation;
}

/**
 * Returns the outcomes in the order of the items. Each item succeeds or fails independently. The valid items are
 * written together.
 */
export async function associateMany(
  { graph, clock }: AssociateParts,
  items: readonly (Association | MemoryError)[],
): Promise<(Relation | MemoryError)[]> {
  const outcomes = items.map(item => (item instanceof MemoryError ? item : toRelation(item, clock)));
  const relations = outcomes.flatMap(outcome => (outcome instanceof MemoryError ? [] : [outcome]));
  const isSaved = await graph.saveRelations(relations);
  await endAnswered(
    graph,
    relations.filter((_, index) => isSaved[index]),
  );
  const missing = new Set(relations.filter((_, index) => !isSaved[index]));
  return outcomes.map(outcome =>
    !(outcome instanceof MemoryError) && missing.has(outcome) ? new MemoryError('not_found', MISSING_END) : outcome,
  );
}

/**
 * Follows edges breadth first and in both directions. Returns the most important memories first. Of two equally
 * important memories, the newer is first.
 *
 * @throws MemoryError `not_found`
 */
export async function related({ graph }: AssociateParts, query: RelatedQuery): Promise<RelatedOutcome> {
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
      const relation = relationEntry(way.edge, way.isOutgoing ? 'outgoing' : 'incoming', memory);
      found.set(otherId, { memory, depth, relation });
    }
    frontier = [...reached.keys()];
  }
  return { query, memories: [...found.values()].sort(compareRelated).slice(0, limit) };
}

function compareRelated({ memory: a }: RelatedMemory, { memory: b }: RelatedMemory): number {
  return b.importance - a.importance || Date.parse(b.timestamp) - Date.parse(a.timestamp);
}

function toRelation({ memory1_id, memory2_id, type, strength, properties }: Association, clock: Clock): Relation {
  return { from: memory1_id, to: memory2_id, type, strength, properties, updated_at: toIso(clock.nowMs()) };
}
