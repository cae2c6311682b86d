/** Reads all memories with their present relevance, page by page. */
import type { Memory } from '../../domain/memory.js';
import type { PlanContext } from '../planner.js';
import { type Relevance, relevanceOf } from './relevance.js';

/**
 * Pages are small, because requests are processed only in the pauses between pages, and each request needs several
 * pauses.
 */
const PAGE_SIZE = 25;

export interface AgedMemory extends Relevance {
  memory: Memory;
  relationCount: number;
  /**
   * Whether the memory is too important to lose relevance. Such a memory keeps its relevance, which is 1 if decay has
   * never changed it.
   */
  isKept: boolean;
}

export async function* agedMemories({
  graph,
  settings,
  nowMs,
  onPage,
}: PlanContext): AsyncGenerator<readonly AgedMemory[]> {
  let afterId: string | undefined;
  for (;;) {
    await onPage();
    const records = await graph.readRecords({ ...(afterId !== undefined && { afterId }), limit: PAGE_SIZE });
    const last = records.at(-1);
    if (!last) return;
    afterId = last.memory.id;
    const relationCounts = await graph.countRelations(records.map(({ memory }) => memory.id));
    yield records.map(({ memory }) => {
      const relationCount = relationCounts.get(memory.id) ?? 0;
      const aged = relevanceOf(memory, { relationCount, nowMs });
      const isKept = memory.importance > settings.decayImportanceThreshold;
      return { memory, relationCount, isKept, ...aged, ...(isKept && { relevance: memory.relevance_score ?? 1 }) };
    });
  }
}

/** Returns the numbers that determined the relevance. */
export function numbersOf({ memory, relevance, ageDays, idleDays, relationCount }: AgedMemory) {
  const { importance, confidence } = memory;
  return { relevance, age_days: ageDays, idle_days: idleDays, relations: relationCount, importance, confidence };
}
