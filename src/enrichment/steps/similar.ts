/** Finds SIMILAR_TO edges: the memories nearest in meaning. */
import { type Memory, SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { Relation } from '../../domain/relation.js';
import type { EnrichmentSettings } from '../../domain/settings.js';
import type { VectorHit, VectorStore } from '../../stores/vector-store.js';

export interface SimilarParts {
  vectors: Pick<VectorStore, 'vectorsOf' | 'searchEach'>;
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
  const { similarityLimit, similarityThreshold: leastSimilarity } = settings;
  const found = ids.length > 0 ? [...(await vectors.vectorsOf(ids))] : [];
  if (found.length === 0) return new Map();
  const limit = similarityLimit + 1;
  const hits = await vectors.searchEach(
    found.map(([, vector]) => ({ vector, limit, leastSimilarity, filter: {}, models })),
  );
  return new Map(
    found.map(([from], index) => {
      const nearest = (hits[index] ?? [])
        .filter(({ id, similarity }) => id !== from && similarity >= leastSimilarity)
        .slice(0, similarityLimit);
      return [from, nearest.map(hit => edgeTo(from, hit, nowIso))];
    }),
  );
}

function edgeTo(from: string, { id, similarity }: VectorHit, nowIso: string): Relation {
  const strength = Math.min(1, similarity);
  return { from, to: id, type: 'SIMILAR_TO', strength, properties: { score: strength }, updated_at: nowIso };
}
