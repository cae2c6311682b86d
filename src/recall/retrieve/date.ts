/** Finds candidates by the dates that a question names. */

import type { MemoryFilter } from '../../domain/filter.js';
import type { SearchIndex } from '../../stores/ports/search-index.js';
import type { NamedDate } from '../language/dates-named.js';
import { BOUNDS } from '../ranking-constants.js';
import { keywordChannel } from './keyword.js';

/**
 * Number of memories listed for a date. They are listed because a question may share no word with the memories of that
 * date.
 */
const LISTED_LIMIT = 20;

/**
 * Finds memories that were noted on the date or soon after it, and that share the other words of the question. Also
 * lists the most important memories of the date itself.
 */
export async function dateChannel(
  graph: Pick<SearchIndex, 'list' | 'searchText'>,
  date: NamedDate,
  search: { terms: readonly string[]; filter: MemoryFilter; limit: number },
): Promise<string[]> {
  const { filter, limit } = search;
  const { fromMs: earliestMs = -Infinity, toMs: latestMs = Infinity } = filter;
  const fromMs = Math.max(earliestMs, date.fromMs);
  const within = (toMs: number) => ({ ...filter, fromMs, toMs: Math.min(latestMs, toMs) });
  if (fromMs > latestMs) return [];
  const terms = search.terms.filter(term => !date.terms.has(term));
  const [{ ids }, listed] = await Promise.all([
    keywordChannel(graph, { terms, filter: within(date.toMs + BOUNDS.notedLaterMs), limit }),
    graph.list({ filter: within(date.toMs), order: 'importance', limit: LISTED_LIMIT }),
  ]);
  return [...new Set([...ids, ...listed])];
}
