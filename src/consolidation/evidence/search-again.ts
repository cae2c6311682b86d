/** A search for a run that nobody waits for: one answer that comes too late must not end hours of work. */
import { MemoryError } from '../../domain/errors.js';
import type { VectorHit, VectorSearch } from '../../stores/vector-store.js';
import type { PlanContext } from '../planner.js';

/** Each fails by the limit of the store itself. */
const ATTEMPTS = 5;

/** @throws MemoryError `unavailable` when the store has failed in each attempt */
export async function searchAgain(
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
