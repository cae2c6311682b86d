/**
 * Finds the edges of a memory to earlier ones: SIMILAR_TO to the memories nearest in meaning, and PRECEDED_BY to memories
 * that share a tag or an entity (docs/decisions.md, "Preceding memories").
 */

import { partsOf } from '../domain/collections.js';
import { type Memory, SUPPLIED_EMBEDDING } from '../domain/memory.js';
import type { Relation } from '../domain/relation.js';
import type { EnrichmentSettings } from '../domain/settings.js';
import { tagKeys } from '../domain/tags.js';
import { inSteps } from '../event-loop.js';
import type { MemoryStore } from '../stores/ports/memory-store.js';
import type { SearchIndex } from '../stores/ports/search-index.js';
import type { VectorHit, VectorStore } from '../stores/vector-store.js';

export interface SimilarParts {
  vectors: Pick<VectorStore, 'vectorsOf' | 'searchEach'>;
  /** Model of the vectors that are compared. */
  model: string;
  settings: EnrichmentSettings;
  /** Number of nearest memories that are needed in addition to those of edges, however similar they are. */
  nearestCount: number;
  nowIso: string;
  /** No search begins once this signal is aborted. */
  signal: AbortSignal;
}

/**
 * Number of searches in one call of `searchEach`. While the next call runs, the edges of these memories can be written.
 * It equals the number of searches in one request to Qdrant.
 */
const SEARCHES_PER_CALL = 10;

export interface Similar {
  edges: Relation[];
  /** The nearest memories. Undefined without a vector. */
  nearest?: readonly VectorHit[];
}

/**
 * Starts the searches for several memories, a few at a time. A memory needs a stored vector, from the current model or
 * from a caller. Otherwise it gets no edges, because edges come from comparing vectors. After a failed search, no other
 * search begins, and the memories that still wait get the same error.
 *
 * @returns the findings for each memory, in the order of the memories
 */
export function startSimilarEdges(memories: readonly Memory[], parts: SimilarParts): Promise<Similar>[] {
  const models = [parts.model, SUPPLIED_EMBEDDING];
  const ids = memories.filter(({ embedded_by }) => models.includes(embedded_by ?? '')).map(({ id }) => id);
  const vectors = ids.length > 0 ? parts.vectors.vectorsOf(ids) : Promise.resolve(new Map<string, Float32Array>());
  let previous: Promise<unknown> = vectors;
  return partsOf(memories, SEARCHES_PER_CALL).flatMap(part => {
    const found = previous.then(async () => similarTo(part, await vectors, { ...parts, models }));
    previous = found;
    return part.map(async ({ id }) => (await found).get(id) ?? { edges: [] });
  });
}

/** @param known vectors by id */
async function similarTo(
  memories: readonly Memory[],
  known: ReadonlyMap<string, Float32Array>,
  { vectors, models, settings, nearestCount, nowIso, signal }: SimilarParts & { models: readonly string[] },
): Promise<Map<string, Similar>> {
  signal.throwIfAborted();
  const { similarityLimit, similarityThreshold: leastSimilarity } = settings;
  const found = memories.flatMap(({ id }) => {
    const vector = known.get(id);
    return vector ? [{ id, vector }] : [];
  });
  if (found.length === 0) return new Map();
  const limit = Math.max(similarityLimit, nearestCount) + 1;
  const bound = nearestCount > 0 ? {} : { leastSimilarity };
  const hits = await vectors.searchEach(found.map(({ vector }) => ({ vector, limit, ...bound, filter: {}, models })));
  return new Map(
    found.map(({ id: from }, index) => {
      const nearest = (hits[index] ?? []).filter(({ id }) => id !== from);
      const close = nearest.filter(({ similarity }) => similarity >= leastSimilarity).slice(0, similarityLimit);
      return [from, { edges: close.map(hit => edgeTo(from, hit, nowIso)), nearest }];
    }),
  );
}

function edgeTo(from: string, { id, similarity }: VectorHit, nowIso: string): Relation {
  const strength = Math.min(1, similarity);
  return { from, to: id, type: 'SIMILAR_TO', strength, properties: { score: strength }, updated_at: nowIso };
}

type PrecedingGraph = Pick<MemoryStore, 'getMemories'> & Pick<SearchIndex, 'list'>;

const EDGES_MAX = 3;
/** Number of parallel searches. Parallel searches are faster, because each mostly waits for a server. */
const SEARCHES_AT_ONCE = 8;

/** A memory, with its tags and the tags of the entities just found in it, which may not be stored yet. */
export interface Tagged {
  memory: Memory;
  tags: readonly string[];
}

/** Returns the edges of each memory, in the order of the memories. Reads the earlier memories of the whole batch together. */
export async function precedingEdges(
  examined: readonly Tagged[],
  { graph, nowIso }: { graph: PrecedingGraph; nowIso: string },
): Promise<Relation[][]> {
  const lists: string[][] = [];
  for await (const part of inSteps(partsOf(examined, SEARCHES_AT_ONCE))) {
    lists.push(...(await Promise.all(part.map(each => idsBefore(each, graph)))));
  }
  const ids = new Set(lists.flat());
  const earlier = ids.size > 0 ? await graph.getMemories([...ids]) : new Map<string, Memory>();
  return examined.map((each, index) =>
    (lists[index] ?? []).flatMap(id => {
      const other = earlier.get(id);
      return other ? [edgeBetween(each, other, nowIso)] : [];
    }),
  );
}

async function idsBefore({ memory, tags }: Tagged, graph: PrecedingGraph): Promise<string[]> {
  const keys = tagKeys(tags);
  if (keys.length === 0) return [];
  const filter = { tags: { keys, mode: 'any', match: 'exact' }, toMs: Date.parse(memory.timestamp) - 1 } as const;
  return graph.list({ filter, order: 'newest', limit: EDGES_MAX });
}

function edgeBetween({ memory, tags }: Tagged, other: Memory, nowIso: string): Relation {
  const keys = tagKeys(tags);
  const present = new Set(tagKeys(other.tags));
  const shared = keys.filter(key => present.has(key)).length;
  return {
    from: memory.id,
    to: other.id,
    type: 'PRECEDED_BY',
    strength: shared / keys.length,
    properties: { count: shared },
    updated_at: nowIso,
  };
}
