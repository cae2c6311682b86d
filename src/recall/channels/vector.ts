/** Candidates close to the query in meaning. Never fails: without vectors recall goes on, and says so. */
import type { MemoryFilter } from '../../domain/filter.js';
import { SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { RecallQuery } from '../../domain/recall-query.js';
import type { Embedder } from '../../embedding/embedder.js';
import type { VectorHit, VectorStore } from '../../stores/vector-store.js';

export interface VectorParts {
  /** Absent where there is no vector store. */
  vectors: VectorStore | undefined;
  embedder: Embedder;
  onDegraded(error: unknown): void;
}

export interface VectorOutcome {
  /** False when there is no vector store, or it or the embedder failed. */
  isEnabled: boolean;
  hits: VectorHit[];
}

export async function vectorChannel(
  { vectors, embedder, onDegraded }: VectorParts,
  query: RecallQuery,
  search: { filter: MemoryFilter; limit: number },
): Promise<VectorOutcome> {
  if (!vectors) return { isEnabled: false, hits: [] };
  try {
    const vector = await queryVector(embedder, query);
    if (!vector) return { isEnabled: true, hits: [] };
    const models = [embedder.model, SUPPLIED_EMBEDDING];
    return { isEnabled: true, hits: await vectors.search({ vector, models, ...search }) };
  } catch (error) {
    onDegraded(error);
    return { isEnabled: false, hits: [] };
  }
}

async function queryVector(embedder: Embedder, query: RecallQuery): Promise<Float32Array | undefined> {
  if (query.embedding) return Float32Array.from(query.embedding);
  if (query.query === undefined) return undefined;
  return (await embedder.embed([query.query], 'query'))[0];
}
