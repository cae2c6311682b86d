/** Which part of a recall's filter a memory fails. */
import { invalidityAt, type MemoryFilter, passesFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { DropReason } from '../../domain/why-not.js';

/** The first part that it fails; undefined when it passes. */
export function failedFilter(memory: Memory, filter: MemoryFilter): DropReason | undefined {
  const { tags, excludedTagKeys, fromMs, toMs, validAtMs } = filter;
  const fails = (part: MemoryFilter) => !passesFilter(memory, part);
  if (tags && fails({ tags })) return { reason: 'filteredByTags', tagKeys: tags.keys };
  if (excludedTagKeys && fails({ excludedTagKeys })) return { reason: 'filteredByExcludedTags' };
  if (fails({ ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) })) {
    return { reason: 'filteredByTime' };
  }
  const invalidity = validAtMs === undefined ? undefined : invalidityAt(memory, validAtMs);
  return invalidity && { reason: invalidity };
}
