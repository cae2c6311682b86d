/** Candidates close to the query in meaning. Never fails: without vectors recall goes on, and says so. */
import { MemoryError } from '../../domain/errors.js';
import type { MemoryFilter } from '../../domain/filter.js';
import { SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { Clock } from '../../domain/time.js';
import type { Embedder } from '../../embedding/embedder.js';
import type { VectorStore } from '../../stores/vector-store.js';

export interface VectorParts {
  /** Absent where there is no vector store. */
  vectors: VectorStore | undefined;
  embedder: Embedder;
  clock: Clock;
  onDegraded(error: unknown): void;
}

export interface VectorOutcome {
  /** False when there is no vector store, or it or the embedder failed or took too long. */
  isEnabled: boolean;
  /** Closeness in meaning by id, 0..1. */
  similarities: Map<string, number>;
}

/** An assistant waits for the answer: it gets one without vectors rather than one much later. */
const EMBED_DEADLINE_MS = 3_000;

export async function vectorChannel(
  { vectors, embedder, clock, onDegraded }: VectorParts,
  question: { text: string; embedding: readonly number[] | undefined },
  search: { filter: MemoryFilter; limit: number },
): Promise<VectorOutcome> {
  const nothing = new Map<string, number>();
  if (!vectors) return { isEnabled: false, similarities: nothing };
  try {
    const vector = await beforeDeadline(clock, questionVector(embedder, question));
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

/** @throws MemoryError `unavailable` when the vector takes too long */
async function beforeDeadline<Value>(clock: Clock, work: Promise<Value>): Promise<Value> {
  let cancel = () => {};
  const deadline = new Promise<never>((_resolve, reject) => {
    const message = `no vector of the question within ${EMBED_DEADLINE_MS / 1000} seconds`;
    cancel = clock.schedule(EMBED_DEADLINE_MS, () => reject(new MemoryError('unavailable', message)));
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    cancel();
  }
}
