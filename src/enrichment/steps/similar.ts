/** Finds SIMILAR_TO edges: the memories nearest in meaning. */
import pLimit from 'p-limit';
import { type Memory, SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { Relation } from '../../domain/relation.js';
import type { EnrichmentSettings } from '../../domain/settings.js';
import type { VectorHit, VectorStore } from '../../stores/vector-store.js';

/** Number of parallel searches. Parallel searches are faster, because each mostly waits for a server or a thread. */
const SEARCHES_AT_ONCE = 8;

export interface SimilarParts {
  vectors: Pick<VectorStore, 'vectorsOf' | 'search'>;
  /** Model of the vectors that are compared. */
  model: string;
  settings: EnrichmentSettings;
  nowIso: string;
}

/**
 * Edges by the id of their source memory. A memory needs a stored vector, from the current model or from a caller.
 * Otherwise it gets no edges, because edges come from comparing vectors.
 */
export async function similarEdges(
  memories: readonly Memory[],
  { vectors, model, settings, nowIso }: SimilarParts,
): Promise<Map<string, Relation[]>> {
  const models = [model, SUPPLIED_EMBEDDING];
  const ids = memories.filter(({ embedded_by }) => models.includes(embedded_by ?? '')).map(({ id }) => id);
  const inTurn = pLimit(SEARCHES_AT_ONCE);
  const edgesOf = async ([from, vector]: [string, Float32Array]): Promise<[string, Relation[]]> => {
    const { similarityLimit, similarityThreshold: leastSimilarity } = settings;
    const search = { vector, limit: similarityLimit + 1, leastSimilarity, filter: {}, models };
    const hits = await inTurn(() => vectors.search(search));
    const nearest = hits
      .filter(({ id, similarity }) => id !== from && similarity >= leastSimilarity)
      .slice(0, similarityLimit);
    return [from, nearest.map(hit => edgeTo(from, hit, nowIso))];
  };
  const found = ids.length > 0 ? [...(await vectors.vectorsOf(ids))] : [];
  return new Map(await Promise.all(found.map(edgesOf)));
}

function edgeTo(from: string, { id, similarity }: VectorHit, nowIso: string): Relation {
  const strength = Math.min(1, similarity);
  return { from, to: id, type: 'SIMILAR_TO', strength, properties: { score: strength }, updated_at: nowIso };
}
