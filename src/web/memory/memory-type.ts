/** The types of memories, as fields offer them. */
import type { MemoryType } from '../../domain/memory-type.js';

/** An object, so that a new type cannot be forgotten here. */
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
