/** Selects memories for the search for links: all memories, or a random sample that fits in memory. */
import type { Memory } from '../../domain/memory.js';
import { comparedPages } from '../evidence/compared-memories.js';
import { traitsOf } from '../evidence/traits.js';
import { eachInSteps } from '../in-steps.js';
import type { PlanContext } from '../planner.js';

/** Maximum size of the sample. Up to this number, the sample contains all memories. */
export const SAMPLE_MAX = 2_000;

export interface SampledMemory {
  id: string;
  type: Memory['type'];
  timestamp: string;
  traits: Uint32Array;
}

export interface Sample {
  /** Ordered by id. */
  memories: readonly SampledMemory[];
  /** Whether the sample contains every memory. */
  isWhole: boolean;
}

export function toSampled(memory: Memory): SampledMemory {
  const { id, type, timestamp } = memory;
  return { id, type, timestamp, traits: traitsOf(memory) };
}

/**
 * Returns a uniform sample of the current memories with a vector (Vitter, "Random Sampling with a Reservoir", 1985).
 */
export async function readSample(context: PlanContext): Promise<Sample> {
  const memories: SampledMemory[] = [];
  let seen = 0;
  for await (const page of comparedPages(context)) {
    await eachInSteps(page, memory => {
      const place = seen < SAMPLE_MAX ? seen : Math.floor(context.random() * (seen + 1));
      seen += 1;
      if (place < SAMPLE_MAX) memories[place] = toSampled(memory);
    });
  }
  return { memories: memories.sort((a, b) => (a.id < b.id ? -1 : 1)), isWhole: seen <= SAMPLE_MAX };
}
