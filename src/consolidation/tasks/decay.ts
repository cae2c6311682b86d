/** The task Decay lets memories fade. The task Forget reads the same ages. */
import type { RelevanceChange } from '../../domain/consolidation.js';
import type { Memory } from '../../domain/memory.js';
import { MS_PER_DAY } from '../../domain/time.js';
import { memoryPages } from '../../stores/pages.js';
import type { PlanContext, PlannedPage } from '../planner.js';

/** Smaller differences are not written, so a second run shortly after the first writes nothing. */
const DIFFERENCE_MIN = 0.001;

export async function* planDecay(context: PlanContext): AsyncGenerator<PlannedPage> {
  for await (const page of agedMemories(context)) {
    const changes = page.flatMap((aged): RelevanceChange[] => {
      const { memory, relevance, isExempt } = aged;
      const before = memory.relevance_score ?? null;
      if (isExempt || memory.archived) return [];
      if (before !== null && Math.abs(before - relevance) < DIFFERENCE_MIN) return [];
      const reason = reasonOf(before, relevance);
      return [
        { kind: 'relevance', id: memory.id, before, after: rounded(relevance), reason, numbers: numbersOf(aged) },
      ];
    });
    yield { changes, count: changes.length };
  }
}

/** Describes a change of relevance. Relevance rises when a memory was used, linked or given more importance. */
function reasonOf(before: number | null, relevance: number): string {
  if (before === null) return `relevance begins at ${relevance.toFixed(3)}`;
  return `relevance ${relevance < before ? 'falls' : 'rises'} from ${before.toFixed(3)} to ${relevance.toFixed(3)}`;
}

/** Relevances are rounded to six decimals, which every store returns exactly. */
const DECIMALS = 1e6;

function rounded(relevance: number): number {
  return Math.round(relevance * DECIMALS) / DECIMALS;
}

export interface AgedMemory extends Relevance {
  memory: Memory;
  relationCount: number;
  /**
   * Whether the memory is too important to lose relevance. Such a memory keeps its relevance, which is 1 if decay has
   * never changed it.
   */
  isExempt: boolean;
}

/** Reads all memories with their present relevance, page by page. */
export async function* agedMemories(context: PlanContext): AsyncGenerator<readonly AgedMemory[]> {
  const { graph, settings, nowMs } = context;
  for await (const page of memoryPages(context)) {
    const relationCounts = await graph.countRelations(page.map(({ id }) => id));
    yield page.map(memory => {
      const relationCount = relationCounts.get(memory.id) ?? 0;
      const aged = relevanceOf(memory, { relationCount, nowMs });
      const isExempt = memory.importance > settings.decayImportanceThreshold;
      return { memory, relationCount, isExempt, ...aged, ...(isExempt && { relevance: memory.relevance_score ?? 1 }) };
    });
  }
}

/** Returns the numbers that determined the relevance. */
export function numbersOf({ memory, relevance, ageDays, idleDays, relationCount }: AgedMemory) {
  const { importance, confidence } = memory;
  return { relevance, age_days: ageDays, idle_days: idleDays, relations: relationCount, importance, confidence };
}

/** Rates per day at which relevance decays with age, and with the time since the last access. */
const DECAY_RATE = 0.01;
const ACCESS_DECAY_RATE = 0.05;
const ACCESS_WEIGHT = 0.3;
const RELATION_WEIGHT = 0.3;
const CONFIDENCE_WEIGHT = 0.3;
const IMPORTANCE_BASE = 0.5;
/** The relevance of a memory never falls below this share of its importance. */
const IMPORTANCE_FLOOR = 0.3;

interface Relevance {
  /** 0..1 */
  relevance: number;
  ageDays: number;
  /** Days since the last access. */
  idleDays: number;
}

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
    ACCESS_WEIGHT *
    (1 + access) *
    (1 + RELATION_WEIGHT * Math.log(1 + relationCount)) *
    (IMPORTANCE_BASE + importance) *
    (1 - CONFIDENCE_WEIGHT * (1 - confidence));
  const floor = importance * IMPORTANCE_FLOOR;
  return { relevance: Math.min(1, Math.max(floor, decayed)), ageDays, idleDays };
}

/** Returns the days since an instant. An instant in the future counts as now. */
function daysSince(instant: string, nowMs: number): number {
  return Math.max(0, (nowMs - Date.parse(instant)) / MS_PER_DAY);
}
