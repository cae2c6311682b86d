/** Which of two states of one memory came later. */
import type { Memory } from './memory.js';

type Dated = Pick<Memory, 'updated_at' | 'enriched' | 'last_accessed'>;

/** Whether `present` was changed after `other`, or at the same instant and has been enriched or recalled since. */
export function isLater(present: Dated | undefined, other: Dated): boolean {
  if (!present) return false;
  if (present.updated_at !== other.updated_at) return present.updated_at > other.updated_at;
  if (present.enriched !== other.enriched) return present.enriched;
  return present.last_accessed > other.last_accessed;
}
