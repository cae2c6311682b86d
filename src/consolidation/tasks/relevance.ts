/** Computes the relevance of a memory (docs/consolidation.md, "Decay: what fades, and by which formula?"). */
import type { Memory } from '../../domain/memory.js';
import { MS_PER_DAY } from '../../domain/time.js';

/**
 * Within a day of the last access, the factor for access is the sum of both shares. Later it falls towards
 * `UNREAD_SHARE`.
 */
const UNREAD_SHARE = 0.3;
const READ_SHARE = 0.3;
/** Decay per day since the last access. */
const ACCESS_DECAY_RATE = 0.05;
const RELATION_WEIGHT = 0.3;
const IMPORTANCE_BASE = 0.5;
const CONFIDENCE_BASE = 0.7;
const CONFIDENCE_WEIGHT = 0.3;

export interface Relevance {
  /** 0..1 */
  relevance: number;
  ageDays: number;
  /** Days since the last access. */
  idleDays: number;
}

/** Rate per day at which relevance decays exponentially with age. */
const DECAY_RATE = 0.01;
/** The relevance of a memory never falls below this share of its importance. */
const IMPORTANCE_FLOOR = 0.3;

/**
 * Returns e^(-rate * age) * (0.3 + 0.3 * access) * (1 + 0.3 * ln(1 + relations)) * (0.5 + importance) * (0.7 + 0.3 *
 * confidence), with times in days. The result is at least the importance times the floor factor, and at most 1.
 * `access` is 1 within a day of the last access and e^(-0.05 * days) later. Source: AutoMem 0.16,
 * `calculate_relevance_score`.
 *
 * @param relationCount edges with other memories
 */
export function relevanceOf(
  memory: Pick<Memory, 'timestamp' | 'last_accessed' | 'importance' | 'confidence'>,
  { relationCount, nowMs }: { relationCount: number; nowMs: number },
): Relevance {
  const { importance, confidence } = memory;
  const ageDays = daysSince(memory.timestamp, nowMs);
  const idleDays = daysSince(memory.last_accessed, nowMs);
  const access = idleDays < 1 ? 1 : Math.exp(-ACCESS_DECAY_RATE * idleDays);
  const decayed =
    Math.exp(-DECAY_RATE * ageDays) *
    (UNREAD_SHARE + READ_SHARE * access) *
    (1 + RELATION_WEIGHT * Math.log(1 + relationCount)) *
    (IMPORTANCE_BASE + importance) *
    (CONFIDENCE_BASE + CONFIDENCE_WEIGHT * confidence);
  const floor = importance * IMPORTANCE_FLOOR;
  return { relevance: Math.min(1, Math.max(floor, decayed)), ageDays, idleDays };
}

/** Returns the days since an instant. An instant in the future counts as now. */
function daysSince(instant: string, nowMs: number): number {
  return Math.max(0, (nowMs - Date.parse(instant)) / MS_PER_DAY);
}
