/**
 * Computes how close memories are to a question in meaning. The hits of the search yield an estimate for all memories.
 * The vectors yield the exact closeness of the best memories.
 */

import type { Memory } from '../../domain/memory.js';
import type { ExactSimilarities, VectorStore } from '../../stores/vector-store.js';
import type { RecallContext } from '../context.js';
import type { RetrievedQuestion } from '../pool.js';
import type { Similarity } from '../score/own-evidence.js';
import type { QuestionVectors } from './question-vectors.js';
import { comparableModels } from './vector.js';

const NONE: Similarity = { cosine: 0, closeness: 0, isMeasured: true };
/** If the search did not return a memory, its assumed similarity is this share of the lowest returned similarity. */
const SIMILARITY_BEYOND = 0.9;

/**
 * Estimates similarities from the hits of the search, because reading every vector would cost more than the rest of the
 * recall.
 */
export function estimatedSimilarities(
  context: RecallContext,
  { vectors, nearest }: RetrievedQuestion,
): (memory: Memory) => Similarity {
  if (!vectors || !nearest) return () => NONE;
  const models = new Set(comparableModels(context));
  // If results are ordered by time, estimate 0 outside the hits, because a guess must not make a memory a match.
  const isAll = nearest.isAll || context.plan.order !== 'score';
  const beyond = isAll ? 0 : (nearest.hits.at(-1)?.similarity ?? 0) * SIMILARITY_BEYOND;
  return ({ id, embedded_by }) => {
    const similarity = nearest.byId.get(id)?.similarity ?? (models.has(embedded_by ?? '') ? beyond : 0);
    const closeness = closenessOf(similarity, vectors.unrelatedSimilarity);
    return { cosine: within(similarity), closeness, isMeasured: false };
  };
}

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

/** Measures similarities with the vectors. Memories without a comparable vector have no similarity. Never fails. */
export async function measuredSimilarities(
  context: RecallContext,
  asked: RetrievedQuestion,
  memories: readonly Memory[],
): Promise<(memory: Memory) => Similarity> {
  const { vectors, onDegraded } = context;
  const { vectors: question, nearest, compared } = asked;
  const models = new Set(comparableModels(context));
  // A memory among the hits has a comparable vector even if its record names no model yet: a separate vector store
  // contains a new vector slightly before the record names the model.
  const isComparable = ({ id, embedded_by }: Memory) => models.has(embedded_by ?? '') || nearest?.byId.has(id) === true;
  const ids = memories.filter(isComparable).map(({ id }) => id);
  if (!vectors || !question || ids.length === 0) return () => NONE;
  const { unrelatedSimilarity } = question;
  const found = new Map<string, Similarity>();
  const note = (id: string, similarities: ExactSimilarities) => {
    const closeness = closenessOf(similarities.sought, unrelatedSimilarity);
    found.set(id, { cosine: within(similarities.beside), closeness, isMeasured: true });
  };
  const unread: string[] = [];
  for (const id of ids) {
    const exact = nearest?.byId.get(id)?.exact ?? compared.get(id);
    if (exact) note(id, exact);
    else unread.push(id);
  }
  if (unread.length === 0) return ({ id }) => found.get(id) ?? NONE;
  try {
    for (const [id, similarities] of await compareWith(vectors, unread, question)) note(id, similarities);
  } catch (error) {
    onDegraded(error);
    return estimatedSimilarities(context, asked);
  }
  return ({ id }) => found.get(id) ?? NONE;
}

async function compareWith(
  vectors: VectorStore,
  ids: readonly string[],
  { whole, sought }: QuestionVectors,
): Promise<Map<string, ExactSimilarities>> {
  return vectors.compare(ids, { vector: sought, ...(sought !== whole && { beside: whole }) });
}

function closenessOf(similarity: number, unrelatedSimilarity: number): number {
  return within((similarity - unrelatedSimilarity) / (1 - unrelatedSimilarity));
}

function within(value: number): number {
  return Math.min(1, Math.max(0, value));
}
