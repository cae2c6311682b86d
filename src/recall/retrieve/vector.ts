/** Candidates close to the question in meaning. Never fails: without vectors recall goes on, and says so. */
import type { MemoryFilter } from '../../domain/filter.js';
import { SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { RecallContext } from '../context.js';
import type { Nearest } from '../pool.js';
import type { QuestionVectors } from './question-vectors.js';

/** Whose vectors can be compared with the question's. */
export function comparableModels({ embedder }: Pick<RecallContext, 'embedder'>): string[] {
  return [embedder.model, SUPPLIED_EMBEDDING];
}

/** Asking for more than the candidates costs hardly anything, and tells how near those are that words have found. */
const NEAREST_KNOWN = 200;

/** @returns undefined where the vectors could not be searched */
export async function vectorChannel(
  context: RecallContext,
  { sought, whole }: QuestionVectors,
  search: { filter: MemoryFilter; limit: number },
): Promise<Nearest | undefined> {
  const { vectors, onDegraded } = context;
  if (!vectors) return undefined;
  const limit = Math.max(search.limit, NEAREST_KNOWN);
  try {
    const hits = await vectors.search({
      vector: sought,
      ...(whole !== sought && { beside: whole }),
      models: comparableModels(context),
      filter: search.filter,
      limit,
    });
    return { hits, isAll: hits.length < limit };
  } catch (error) {
    onDegraded(error);
    return undefined;
  }
}
