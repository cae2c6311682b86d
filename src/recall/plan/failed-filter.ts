/** Determines which part of a recall's filter a memory fails. */
import { type FilterPart, failedPart, invalidityAt, type MemoryFilter } from '../../domain/filter.js';
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

/** Returns the reason of the first part of the filter that the memory fails, or undefined when the memory passes. */
export function failedFilter(memory: Memory, filter: MemoryFilter): DropReason | undefined {
  const part = failedPart(memory, filter);
  return part && REASONS[part](memory, filter);
}
