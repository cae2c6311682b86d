/** Finds candidates that share words with the question, and the document frequencies of these words. */
import type { MemoryFilter } from '../../domain/filter.js';
import { halvesOf, type QueryTerm } from '../../domain/text/terms.js';
import type { ListOrder, SearchIndex, TermStatistics } from '../../stores/ports/search-index.js';
import type { RecallContext } from '../context.js';
import type { NamedDate } from '../language/dates-named.js';
import type { RecallPlan } from '../plan.js';
import { BOUNDS } from '../ranking-constants.js';
import { searchKeys } from '../score/evidence.js';

export interface KeywordOutcome {
  ids: string[];
  statistics: TermStatistics;
}

/**
 * Searches for the terms of a question. A word that no memory has is also searched as two words.
 *
 * @returns the terms with the pairs of words that were found, and what `keywordChannel` returns
 */
export async function searchWords(
  graph: Pick<SearchIndex, 'searchText'>,
  asked: readonly QueryTerm[],
  search: { filter: MemoryFilter; limit: number },
): Promise<KeywordOutcome & { asked: readonly QueryTerm[] }> {
  const found = await keywordChannel(graph, { terms: searchKeys(asked), ...search });
  const unknown = asked.filter(({ term, isName }) => !isName && !found.statistics.frequencies.get(term));
  const halves = new Map(unknown.map(({ term, word }) => [term, halvesOf(word)]));
  const possible = [...new Set([...halves.values()].flat(2))];
  if (possible.length === 0) return { asked, ...found };
  const { frequencies } = (await graph.searchText({ terms: possible, filter: {}, limit: 0 })).statistics;
  const isKnown = (pair: readonly string[]) => pair.every(half => frequencies.get(half));
  const terms = [...new Set([...halves.values()].flat().filter(isKnown).flat())];
  if (terms.length === 0) return { asked, ...found };
  const known = asked.map(each => ({
    ...each,
    spellings: [...each.spellings, ...(halves.get(each.term) ?? []).filter(isKnown)],
  }));
  const further = await keywordChannel(graph, { terms, ...search });
  return {
    asked: known,
    ids: [...new Set([...found.ids, ...further.ids])],
    statistics: { ...found.statistics, frequencies: new Map([...found.statistics.frequencies, ...frequencies]) },
  };
}

export async function keywordChannel(
  graph: Pick<SearchIndex, 'searchText'>,
  search: { terms: readonly string[]; filter: MemoryFilter; limit: number },
): Promise<KeywordOutcome> {
  if (search.terms.length === 0) return { ids: [], statistics: { memoryCount: 0, frequencies: new Map() } };
  const { hits, statistics } = await graph.searchText(search);
  return { ids: hits.map(({ id }) => id), statistics };
}

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

const LIST_ORDER: Record<RecallPlan['order'], readonly ListOrder[]> = {
  // No store sorts by score, so the most important and the newest memories are read instead of the best ones.
  score: ['importance', 'newest'],
  importance: ['importance'],
  time_desc: ['updated_desc'],
  updated_desc: ['updated_desc'],
  time_asc: ['updated_asc'],
  updated_asc: ['updated_asc'],
};
/** Minimum and maximum number of memories to read when some of them will not belong to the answer. */
const LOOKED_THROUGH_MIN = 100;
const LOOKED_THROUGH_MAX = 6_400;

export interface Listed {
  ids: string[];
  hasMore: boolean;
}

export async function listIds({ graph, plan }: RecallContext, reach: number): Promise<Listed> {
  const { filter, order, hints, query, isListing } = plan;
  const first = order === 'score' || !isListing ? Math.max(query.limit, LOOKED_THROUGH_MIN) : query.limit;
  const limit = Math.min(first * reach, LOOKED_THROUGH_MAX);
  const lists = await Promise.all(LIST_ORDER[order].map(each => graph.list({ filter, order: each, limit })));
  const preferred = order === 'score' ? (hints?.ids ?? []) : [];
  return {
    ids: [...new Set([...lists.flat(), ...preferred])],
    hasMore: limit < LOOKED_THROUGH_MAX && lists.every(({ length }) => length >= limit),
  };
}
