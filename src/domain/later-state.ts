/** Decides which of two states of one memory is later. */
import type { Memory } from './memory.js';

type Dated = Pick<Memory, 'updated_at' | 'enriched' | 'last_accessed'>;

/**
 * Whether `present` is later than `other`. If both states have the same time of change, enrichment decides, and then
 * the time of the last recall.
 */
export function isLater(present: Dated | undefined, other: Dated): boolean {
  if (!present) return false;
  if (present.updated_at !== other.updated_at) return present.updated_at > other.updated_at;
  if (present.enriched !== other.enriched) return present.enriched;
  return present.last_accessed > other.last_accessed;
}
