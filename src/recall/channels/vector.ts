/** Candidates close to the query in meaning. Never fails: without vectors recall goes on, and says so. */
import type { MemoryFilter } from '../../domain/filter.js';
import { SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { Embedder } from '../../embedding/embedder.js';
import type { VectorStore } from '../../stores/vector-store.js';

export interface VectorParts {
  /** Absent where there is no vector store. */
  vectors: VectorStore | undefined;
  embedder: Embedder;
  onDegraded(error: unknown): void;
}

export interface VectorOutcome {
  /** False when there is no vector store, or it or the embedder failed. */
  isEnabled: boolean;
  /** Closeness in meaning by id, 0..1. */
  similarities: Map<string, number>;
}

export async function vectorChannel(
  { vectors, embedder, onDegraded }: VectorParts,
  question: { text: string; embedding: readonly number[] | undefined },
  search: { filter: MemoryFilter; limit: number },
): Promise<VectorOutcome> {
  const nothing = new Map<string, number>();
  if (!vectors) return { isEnabled: false, similarities: nothing };
  try {
    const vector = await questionVector(embedder, question);
    if (!vector) return { isEnabled: true, similarities: nothing };
    const hits = await vectors.search({ vector, models: [embedder.model, SUPPLIED_EMBEDDING], ...search });
    // Of a vector the caller supplied we do not know which model made it.
    const floor = question.embedding ? 0 : embedder.unrelatedSimilarity;
    return { isEnabled: true, similarities: new Map(hits.map(hit => [hit.id, closeness(hit.similarity, floor)])) };
  } catch (error) {
    onDegraded(error);
    return { isEnabled: false, similarities: nothing };
  }
}

/** Cosine similarity on a scale from what unrelated texts have, 0, to identity, 1: comparable between models. */
function closeness(similarity: number, floor: number): number {
  return Math.min(1, Math.max(0, (similarity - floor) / (1 - floor)));
}

async function questionVector(
  embedder: Embedder,
  { text, embedding }: { text: string; embedding: readonly number[] | undefined },
): Promise<Float32Array | undefined> {
  if (embedding) return Float32Array.from(embedding);
  return text === '' ? undefined : (await embedder.embed([text], 'query'))[0];
}
