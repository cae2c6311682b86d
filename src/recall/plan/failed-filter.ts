/** Determines which part of a recall's filter a memory fails. */
import { createFilterCheck, type FilterPart, invalidityAt, type MemoryFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { DropReason } from '../../domain/why-not.js';

const REASONS: Record<FilterPart, (memory: Memory, filter: MemoryFilter) => DropReason | undefined> = {
  tags: (_, { tags }) => ({ reason: 'filteredByTags', tagKeys: tags?.keys ?? [] }),
  excludedTags: () => ({ reason: 'filteredByExcludedTags' }),
  time: () => ({ reason: 'filteredByTime' }),
  validity: (memory, { validAtMs = 0 }) => {
    const reason = invalidityAt(memory, validAtMs);
    return reason && { reason };
  },
};

/**
 * Creates a function that says why a memory fails the filter. It names the first failed part, and returns undefined for
 * a memory that passes.
 */
export function failedFilterOf(filter: MemoryFilter): (memory: Memory) => DropReason | undefined {
  const failedPart = createFilterCheck(filter);
  return memory => {
    const part = failedPart(memory);
    return part && REASONS[part](memory, filter);
  };
}
