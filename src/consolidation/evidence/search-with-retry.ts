/**
 * Repeats a search while the vector store is unavailable. A run sends many searches, so one late answer must not
 * end the run.
 */
import { MemoryError } from '../../domain/errors.js';
import type { VectorHit, VectorSearch } from '../../stores/vector-store.js';
import type { PlanContext } from '../planner.js';

/** Number of attempts. The store's own time limit ends each attempt. */
const ATTEMPTS = 5;

/** @throws MemoryError `unavailable` when every attempt has failed */
export async function searchWithRetry(
  { vectors, onPage }: Pick<PlanContext, 'vectors' | 'onPage'>,
  search: VectorSearch,
): Promise<VectorHit[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await vectors.search(search);
    } catch (error) {
      const isPassing = error instanceof MemoryError && error.code === 'unavailable';
      if (!isPassing || attempt === ATTEMPTS) throw error;
    }
    await onPage();
  }
}
