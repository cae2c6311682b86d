/** Candidates close to the question in meaning. Never fails: without vectors recall goes on, and says so. */
import type { MemoryFilter } from '../../domain/filter.js';
import { SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { RecallContext } from '../context.js';
import type { QuestionVectors } from './question-vectors.js';

/** Whose vectors can be compared with the question's. */
export function comparableModels({ embedder }: Pick<RecallContext, 'embedder'>): string[] {
  return [embedder.model, SUPPLIED_EMBEDDING];
}

/** @returns ids, nearest first; undefined where the vectors could not be searched */
export async function vectorChannel(
  context: RecallContext,
  { whole, subject }: QuestionVectors,
  search: { filter: MemoryFilter; limit: number },
): Promise<string[] | undefined> {
  const { vectors, onDegraded } = context;
  if (!vectors) return undefined;
  // Both have unit length, so the sum weighs them alike; its own length plays no part in a cosine.
  const vector = subject ? whole.map((value, index) => value + (subject[index] ?? 0)) : whole;
  try {
    const hits = await vectors.search({ vector, models: comparableModels(context), ...search });
    return hits.map(({ id }) => id);
  } catch (error) {
    onDegraded(error);
    return undefined;
  }
}
