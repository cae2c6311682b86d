/** Candidates close to the query in meaning. Never fails: without vectors recall goes on, and says so. */
import { MemoryError } from '../../domain/errors.js';
import type { MemoryFilter } from '../../domain/filter.js';
import { type Memory, SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { Clock } from '../../domain/time.js';
import type { Embedder } from '../../embedding/embedder.js';
import type { VectorStore } from '../../stores/vector-store.js';
import { withoutNames } from '../names.js';

export interface VectorParts {
  /** Absent where there is no vector store. */
  vectors: VectorStore | undefined;
  embedder: Embedder;
  clock: Clock;
  onDegraded(error: unknown): void;
}

export interface VectorOutcome {
  /** The question's vector, where one was made. */
  vector?: Float32Array | undefined;
  /** False when there is no vector store, or it or the embedder failed or took too long. */
  isEnabled: boolean;
  /** Closeness in meaning by id, 0..1, of the nearest. */
  similarities: Map<string, number>;
  /** The same of a memory that something else has found: known of the nearest hundreds, estimated beyond. */
  closenessOf(memory: Memory): number;
}

/** An assistant waits for the answer: it gets one without vectors rather than one much later. */
const EMBED_DEADLINE_MS = 3_000;

/** Asking for more than the candidates costs hardly anything, and tells how near those are that words have found. */
const CLOSENESS_KNOWN = 200;
/** What is further away than the last of these is taken to have so much of its similarity: reading its vector costs more. */
const SIMILARITY_BEYOND = 0.9;

interface VectorQuestion {
  text: string;
  /** Takes the place of the text's own vector. */
  embedding: readonly number[] | undefined;
  /** The text's own vector, where an earlier search has made it. */
  vector?: Float32Array | undefined;
}

export async function vectorChannel(
  { vectors, embedder, clock, onDegraded }: VectorParts,
  question: VectorQuestion,
  search: { filter: MemoryFilter; limit: number },
): Promise<VectorOutcome> {
  const nothing = { similarities: new Map<string, number>(), closenessOf: () => 0 };
  if (!vectors) return { isEnabled: false, ...nothing };
  const models = [embedder.model, SUPPLIED_EMBEDDING];
  try {
    const vector = question.vector ?? (await beforeDeadline(clock, questionVector(embedder, question)));
    if (!vector) return { isEnabled: true, ...nothing };
    const limit = Math.max(search.limit, CLOSENESS_KNOWN);
    const hits = await vectors.search({ vector, models, filter: search.filter, limit });
    // Of a vector the caller supplied we do not know which model made it.
    const floor = question.embedding ? 0 : embedder.unrelatedSimilarity;
    const known = new Map(hits.map(hit => [hit.id, closeness(hit.similarity, floor)]));
    const beyond = hits.length < limit ? 0 : closeness((hits.at(-1)?.similarity ?? 0) * SIMILARITY_BEYOND, floor);
    return {
      vector,
      isEnabled: true,
      similarities: new Map([...known].slice(0, search.limit)),
      closenessOf: ({ id, embedded_by }) => known.get(id) ?? (models.includes(embedded_by ?? '') ? beyond : 0),
    };
  } catch (error) {
    onDegraded(error);
    return { isEnabled: false, ...nothing };
  }
}

/** Cosine similarity on a scale from what unrelated texts have, 0, to identity, 1: comparable between models. */
function closeness(similarity: number, floor: number): number {
  return Math.min(1, Math.max(0, (similarity - floor) / (1 - floor)));
}

async function questionVector(
  embedder: Embedder,
  { text, embedding }: VectorQuestion,
): Promise<Float32Array | undefined> {
  if (embedding) return Float32Array.from(embedding);
  if (text === '') return undefined;
  const subject = withoutNames(text);
  const [whole, ofSubject] = await embedder.embed(subject === undefined ? [text] : [text, subject], 'query');
  // Both have unit length, so the sum weighs them alike; its own length plays no part in a cosine.
  return whole && ofSubject ? whole.map((value, index) => value + (ofSubject[index] ?? 0)) : whole;
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
