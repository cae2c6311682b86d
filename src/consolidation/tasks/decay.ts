/**
 * The task Decay updates the relevance of each memory from the memory's age, use, edges, importance and confidence.
 */
import type { RelevanceChange } from '../../domain/consolidation.js';
import type { PlanContext, PlannedPage } from '../planner.js';
import { agedMemories, numbersOf } from './aged-memories.js';

/** Smaller differences are not written, so a second run shortly after the first writes nothing. */
const DIFFERENCE_MIN = 0.001;

export async function* planDecay(context: PlanContext): AsyncGenerator<PlannedPage> {
  for await (const page of agedMemories(context)) {
    const changes = page.flatMap((aged): RelevanceChange[] => {
      const { memory, relevance, isKept } = aged;
      const before = memory.relevance_score ?? null;
      if (isKept || memory.archived) return [];
      if (before !== null && Math.abs(before - relevance) < DIFFERENCE_MIN) return [];
      return [
        {
          kind: 'relevance',
          id: memory.id,
          before,
          after: rounded(relevance),
          reason: reasonOf(before, relevance),
          numbers: numbersOf(aged),
        },
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
