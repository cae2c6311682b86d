/** Edges SIMILAR_TO: the memories nearest in meaning. */
import { type Memory, SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { Relation } from '../../domain/relation.js';
import type { EnrichmentSettings } from '../../domain/settings.js';
import type { VectorStore } from '../../stores/vector-store.js';

/** Needs the vector of the memory in the store; without it, or with one of an earlier model, there is nothing to compare. */
export async function similarEdges(
  memory: Memory,
  parts: { vectors: VectorStore; model: string; settings: EnrichmentSettings; nowIso: string },
): Promise<Relation[]> {
  const { vectors, model, settings, nowIso } = parts;
  const models = [model, SUPPLIED_EMBEDDING];
  if (!models.includes(memory.embedded_by ?? '')) return [];
  const vector = (await vectors.vectorsOf([memory.id])).get(memory.id);
  if (!vector) return [];
  const hits = await vectors.search({ vector, limit: settings.similarityLimit + 1, filter: {}, models });
  return hits
    .filter(({ id, similarity }) => id !== memory.id && similarity >= settings.similarityThreshold)
    .slice(0, settings.similarityLimit)
    .map(({ id, similarity }) => {
      const strength = Math.min(1, similarity);
      return {
        from: memory.id,
        to: id,
        type: 'SIMILAR_TO',
        strength,
        properties: { score: strength },
        updated_at: nowIso,
      };
    });
}
