/** All memories with what time has left of them, page by page. */
import type { Memory } from '../../domain/memory.js';
import type { PlanContext } from '../planner.js';
import { type Relevance, relevanceOf } from './relevance.js';

/** Requests get in between two pages, and each of them waits for several. */
const PAGE_SIZE = 100;

export interface AgedMemory extends Relevance {
  memory: Memory;
  relationCount: number;
  /** Whether it is too important to lose relevance: it keeps the one it has, 1 when decay has never reached it. */
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
      const aged = relevanceOf(memory, { relationCount, nowMs, settings });
      const isKept = memory.importance > settings.decayImportanceThreshold;
      return { memory, relationCount, isKept, ...aged, ...(isKept && { relevance: memory.relevance_score ?? 1 }) };
    });
  }
}

/** The numbers that decided a relevance. */
export function numbersOf({ memory, relevance, ageDays, idleDays, relationCount }: AgedMemory) {
  const { importance, confidence } = memory;
  return { relevance, age_days: ageDays, idle_days: idleDays, relations: relationCount, importance, confidence };
}
