/** Decay: the relevance of each memory follows its age, its use, its edges and its weight. */
import type { RelevanceChange } from '../../domain/consolidation.js';
import type { PlanContext, PlannedPage } from '../planner.js';
import { agedMemories, numbersOf } from './aged-memories.js';

/** A smaller difference says nothing: the same data a moment later is not written again. */
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

/** It rises too: when a memory was needed, linked or given more importance. */
function reasonOf(before: number | null, relevance: number): string {
  if (before === null) return `relevance begins at ${relevance.toFixed(3)}`;
  return `relevance ${relevance < before ? 'falls' : 'rises'} from ${before.toFixed(3)} to ${relevance.toFixed(3)}`;
}

/** Every store gives these digits back as they were written. */
const DECIMALS = 1e6;

function rounded(relevance: number): number {
  return Math.round(relevance * DECIMALS) / DECIMALS;
}
