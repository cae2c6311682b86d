/** Decides which of two states of one memory is later. */
import type { Memory } from './memory.js';

type Dated = Pick<Memory, 'updated_at' | 'enriched' | 'last_accessed'>;

/**
 * Whether `present` is later than `other`. If both states have the same time of change, an enriched state is later
 * than a state that is not enriched. If that does not decide either, the state with the later recall is later.
 */
export function isLater(present: Dated | undefined, other: Dated): boolean {
  if (!present) return false;
  if (present.updated_at !== other.updated_at) return present.updated_at > other.updated_at;
  if (present.enriched !== other.enriched) return present.enriched;
  return present.last_accessed > other.last_accessed;
}
