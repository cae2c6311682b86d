/**
 * Recall as a list of named steps: channels in parallel, merge by id, hydrate in one read, score together with one pure
 * function, order and cut in one place, attach relations in one read.
 */
import type { RecallAnswer } from '../domain/answers.js';
import { type MemoryFilter, passesFilter } from '../domain/filter.js';
import { filterOf, type RecallQuery, type SortOrder } from '../domain/recall-query.js';
import type { RecallSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { GraphStore } from '../stores/graph-store.js';
import { keywordChannel } from './channels/keyword.js';
import { listedChannel } from './channels/listed.js';
import { type VectorOutcome, type VectorParts, vectorChannel } from './channels/vector.js';
import { readEvidence, termsOf } from './evidence.js';
import { orderByScore, type Scored } from './order.js';
import { relationEntries } from './relations.js';
import { toResult } from './result.js';
import { scoreMemory } from './score.js';

export interface RecallParts extends VectorParts {
  graph: GraphStore;
  settings: RecallSettings;
  clock: Clock;
}

/** Candidates a channel is asked for: enough that the other channels' evidence can still change the order. */
const CANDIDATES_MIN = 100;
const CANDIDATES_PER_RESULT = 4;
const CANDIDATES_MAX = 400;

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
    vector_search: { enabled: found.vector.isEnabled, matched: chosen.some(({ isVectorHit }) => isVectorHit) },
    tag_mode: query.tag_mode,
    tag_match: query.tag_match,
    ...appliedFilters(query),
    query_time_ms: Math.round((parts.clock.elapsedMs() - startedMs) * 1000) / 1000,
  };
}

interface Found {
  candidates: Scored[];
  vector: VectorOutcome;
}

/** A time window without a question reads as "what happened then", newest first. */
function defaultSort(query: RecallQuery, asksSomething: boolean): SortOrder {
  const hasWindow = query.start !== undefined || query.end !== undefined;
  return hasWindow && !asksSomething ? 'time_desc' : 'score';
}

async function search(parts: RecallParts, query: RecallQuery, filter: MemoryFilter): Promise<Found> {
  const limit = Math.min(Math.max(query.limit * CANDIDATES_PER_RESULT, CANDIDATES_MIN), CANDIDATES_MAX);
  const text = query.query ?? '';
  const terms = termsOf(text);
  const [vector, keywordIds, statistics] = await Promise.all([
    vectorChannel(parts, query, { filter, limit }),
    keywordChannel(parts.graph, { terms, filter, limit }),
    parts.graph.termStatistics(terms),
  ]);
  const similarities = new Map(vector.hits.map(({ id, similarity }) => [id, similarity]));
  const memories = await parts.graph.getMemories([...new Set([...similarities.keys(), ...keywordIds])]);
  const evidence = readEvidence(text, statistics);
  const nowMs = parts.clock.nowMs();
  const candidates = [...memories.values()]
    .filter(memory => passesFilter(memory, filter))
    .map(memory => {
      const similarity = similarities.get(memory.id);
      const score = scoreMemory({ memory, evidence, similarity }, parts.settings.weights, nowMs);
      return { memory, score, isVectorHit: similarity !== undefined };
    });
  return { candidates, vector };
}

async function browse(
  parts: RecallParts,
  query: RecallQuery,
  { filter, sort }: { filter: MemoryFilter; sort: SortOrder },
): Promise<Found> {
  const ids = await listedChannel(parts.graph, { filter, sort, limit: query.limit });
  const memories = await parts.graph.getMemories(ids);
  const evidence = readEvidence('', { memoryCount: 0, frequencies: new Map() });
  const nowMs = parts.clock.nowMs();
  const matchType = query.tags.length > 0 ? 'tag' : 'keyword';
  const candidates = ids.flatMap(id => {
    const memory = memories.get(id);
    if (!memory) return [];
    const score = scoreMemory({ memory, evidence, similarity: undefined }, parts.settings.weights, nowMs);
    return [{ memory, score: { ...score, matchType, matchScore: memory.importance } as const, isVectorHit: false }];
  });
  return { candidates, vector: { isEnabled: parts.vectors !== undefined, hits: [] } };
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
