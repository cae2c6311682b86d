/** How close memories are to a question in meaning, measured on the vectors themselves. */
import type { Memory } from '../../domain/memory.js';
import type { RecallContext } from '../context.js';
import type { QuestionVectors } from './question-vectors.js';
import { comparableModels } from './vector.js';

export interface Similarity {
  /** Cosine similarity of memory and question, 0..1: what lies below 0 says no less than 0. */
  cosine: number;
  /** The same on a scale from unrelated texts, 0, to identity, 1, with as much weight for the question without its names. */
  closeness: number;
}

export const NO_SIMILARITY: Similarity = { cosine: 0, closeness: 0 };

/** By id; memories without a comparable vector are absent. Never fails. */
export async function similaritiesTo(
  context: RecallContext,
  question: QuestionVectors | undefined,
  memories: readonly Memory[],
): Promise<Map<string, Similarity>> {
  const { vectors, onDegraded } = context;
  const models = new Set(comparableModels(context));
  const ids = memories.filter(({ embedded_by }) => models.has(embedded_by ?? '')).map(({ id }) => id);
  if (!vectors || !question || ids.length === 0) return new Map();
  const { whole, subject, unrelatedSimilarity } = question;
  const asked = subject ? whole.map((value, index) => value + (subject[index] ?? 0)) : whole;
  try {
    const found = new Map<string, Similarity>();
    for (const [id, vector] of await vectors.vectorsOf(ids)) {
      const cosine = cosineSimilarity(whole, vector);
      const ofSubject = subject ? cosineSimilarity(asked, vector) : cosine;
      const closeness = (ofSubject - unrelatedSimilarity) / (1 - unrelatedSimilarity);
      found.set(id, { cosine: within(cosine), closeness: within(closeness) });
    }
    return found;
  } catch (error) {
    onDegraded(error);
    return new Map();
  }
}

function within(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** a · b / (|a| |b|), -1..1; shorter vectors count as ending in zeros. */
export function cosineSimilarity(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let index = 0; index < a.length; index++) {
    const valueA = a[index] as number;
    const valueB = (b[index] ?? 0) as number;
    dot += valueA * valueB;
    squaresA += valueA * valueA;
    squaresB += valueB * valueB;
  }
  return squaresA === 0 || squaresB === 0 ? 0 : dot / Math.sqrt(squaresA * squaresB);
}
