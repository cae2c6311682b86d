/**
 * Recall as a list of named steps: channels in parallel, merge by id, hydrate, let neighbours lend evidence, score together
 * with one pure function, order and cut in one place, attach relations in one read.
 */
import type { RecallAnswer } from '../domain/answers.js';
import { filterOf, type RecallQuery, type SortOrder } from '../domain/recall-query.js';
import { browse } from './browse.js';
import { orderByScore } from './order.js';
import { relationEntries } from './relations.js';
import { toResult } from './result.js';
import { type RecallParts, search } from './search.js';

/** Answers a recall. The caller notes the access to what is returned. */
export async function recall(parts: RecallParts, query: RecallQuery): Promise<RecallAnswer> {
  const startedMs = parts.clock.elapsedMs();
  const asksSomething = query.query !== undefined || query.embedding !== undefined;
  const sort = query.sort ?? defaultSort(query, asksSomething);
  const filter = filterOf(query);
  const found = asksSomething ? await search(parts, query, filter) : await browse(parts, query, { filter, sort });
  const chosen = asksSomething ? orderByScore(found.candidates, sort, query.limit) : found.candidates;
  const ids = chosen.map(({ memory }) => memory.id);
  const relations = await relationEntries(parts.graph, ids, query.relation_limit ?? parts.settings.relationLimit);
  return {
    status: 'success',
    query: query.query ?? '',
    results: chosen.map(candidate => toResult(candidate, relations.get(candidate.memory.id) ?? [])),
    count: chosen.length,
    dedup_removed: 0,
    sort,
    vector_search: {
      enabled: found.isVectorSearchEnabled,
      matched: chosen.some(({ isVectorHit }) => isVectorHit),
    },
    tag_mode: query.tag_mode,
    tag_match: query.tag_match,
    ...appliedFilters(query),
    query_time_ms: Math.round((parts.clock.elapsedMs() - startedMs) * 1000) / 1000,
  };
}

/** A time window without a question reads as "what happened then", newest first. */
function defaultSort(query: RecallQuery, asksSomething: boolean): SortOrder {
  const hasWindow = query.start !== undefined || query.end !== undefined;
  return hasWindow && !asksSomething ? 'time_desc' : 'score';
}

function appliedFilters(query: RecallQuery): Partial<RecallAnswer> {
  const { start, end, tags, exclude_tags } = query;
  const window = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  return {
    ...(Object.keys(window).length > 0 && { time_window: window }),
    ...(tags.length > 0 && { tags }),
    ...(exclude_tags.length > 0 && { exclude_tags }),
  };
}
