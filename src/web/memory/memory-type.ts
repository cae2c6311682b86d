/** The types of memories that a form offers. */
import type { MemoryType } from '../../domain/memory.js';

/** This is an object and not a list, so that the compiler reports a new type that is missing here. */
const ALL: Record<MemoryType, true> = {
  Decision: true,
  Pattern: true,
  Preference: true,
  Style: true,
  Habit: true,
  Insight: true,
  Context: true,
};

export const MEMORY_TYPES = Object.keys(ALL) as MemoryType[];
