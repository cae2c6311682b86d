/**
 * Finds candidates close to the question in meaning. Never fails: without vectors the recall continues, and the answer
 * reports the missing vectors.
 */
import type { MemoryFilter } from '../../domain/filter.js';
import { SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { VectorHit } from '../../stores/vector-store.js';
import type { RecallContext } from '../context.js';
import type { Nearest } from '../pool.js';
import type { QuestionVectors } from './question-vectors.js';

/** The models whose vectors can be compared with the question's vector. */
export function comparableModels({ embedder }: Pick<RecallContext, 'embedder'>): string[] {
  return [embedder.model, SUPPLIED_EMBEDDING];
}

/** @returns undefined when the vectors could not be searched */
export async function vectorChannel(
  context: RecallContext,
  { sought, whole }: QuestionVectors,
  search: { filter: MemoryFilter; limit: number },
): Promise<Nearest | undefined> {
  const { vectors, memories, onDegraded } = context;
  if (!vectors) return undefined;
  try {
    const hits = await vectors.search({
      vector: sought,
      ...(whole !== sought && { beside: whole }),
      models: comparableModels(context),
      filter: search.filter,
      limit: search.limit,
      // Ignore a failure here. The recall reads the same memories again later, and that read reports the failure.
      ahead: { count: search.limit, receive: ids => void memories.read(ids).catch(() => undefined) },
    });
    const byId = new Map<string, VectorHit>();
    for (const hit of hits) byId.set(hit.id, hit);
    return { hits, byId };
  } catch (error) {
    onDegraded(error);
    return undefined;
  }
}
