/** Measures how close memories are to a question in meaning, by their vectors. */

import type { Memory } from '../../domain/memory.js';
import type { ExactSimilarities, VectorStore } from '../../stores/vector-store.js';
import type { RecallContext } from '../context.js';
import type { RetrievedQuestion } from '../pool.js';
import type { Similarity } from '../score/own-evidence.js';
import type { QuestionVectors } from './question-vectors.js';
import { comparableModels } from './vector.js';

const NONE: Similarity = { cosine: 0, closeness: 0 };

/** Maximum number of candidates that are compared early. A recall waits for the comparison of all of them. */
const COMPARED_EARLY_MAX = 200;

/**
 * Compares candidates as soon as their ids are known, while a server still reads the candidates. Returns nothing for a
 * store in this process, because such a store answers without a wait. Also returns nothing if the comparison fails:
 * `measuredSimilarities` then compares the candidates.
 */
export async function comparedEarly(
  { vectors }: Pick<RecallContext, 'vectors'>,
  ids: readonly string[],
  { vectors: question, nearest }: Pick<RetrievedQuestion, 'vectors' | 'nearest'>,
): Promise<ReadonlyMap<string, ExactSimilarities>> {
  if (!vectors || vectors.isInProcess || !question || !nearest) return new Map();
  const unknown = ids.filter(id => !nearest.byId.get(id)?.exact).slice(0, COMPARED_EARLY_MAX);
  return compareWith(vectors, unknown, question).catch(() => new Map());
}

/**
 * Measures similarities by the exact vectors. Memories without a comparable vector have no similarity. Never fails: if
 * the vectors cannot be read, the similarities that the search returned are used.
 */
export async function measuredSimilarities(
  context: RecallContext,
  asked: RetrievedQuestion,
  memories: readonly Memory[],
): Promise<(memory: Memory) => Similarity> {
  const { vectors, onDegraded } = context;
  const { vectors: question, nearest, compared } = asked;
  if (!vectors || !question) return () => NONE;
  const models = new Set(comparableModels(context));
  const exactOf = (id: string) => nearest?.byId.get(id)?.exact ?? compared.get(id);
  // A memory among the hits has a comparable vector even if its record names no model yet: a separate vector store
  // contains a new vector slightly before the record names the model.
  const isComparable = ({ id, embedded_by }: Memory) => models.has(embedded_by ?? '') || nearest?.byId.has(id) === true;
  const unread = memories.filter(memory => isComparable(memory) && !exactOf(memory.id)).map(({ id }) => id);
  const read = await compareWith(vectors, unread, question).catch(error => {
    onDegraded(error);
    return new Map<string, ExactSimilarities>();
  });
  const { unrelatedSimilarity } = question;
  return ({ id }) => {
    const exact = exactOf(id) ?? read.get(id) ?? roughly(nearest?.byId.get(id)?.similarity);
    if (!exact) return NONE;
    return { cosine: within(exact.beside), closeness: closenessOf(exact.sought, unrelatedSimilarity) };
  };
}

function roughly(similarity: number | undefined): ExactSimilarities | undefined {
  return similarity === undefined ? undefined : { sought: similarity, beside: similarity };
}

async function compareWith(
  vectors: VectorStore,
  ids: readonly string[],
  { whole, sought }: QuestionVectors,
): Promise<Map<string, ExactSimilarities>> {
  if (ids.length === 0) return new Map();
  return vectors.compare(ids, { vector: sought, ...(sought !== whole && { beside: whole }) });
}

/** Maps a cosine similarity to 0..1: 0 for unrelated texts, 1 for identical texts. */
export function closenessOf(similarity: number, unrelatedSimilarity: number): number {
  return within((similarity - unrelatedSimilarity) / (1 - unrelatedSimilarity));
}

function within(value: number): number {
  return Math.min(1, Math.max(0, value));
}
