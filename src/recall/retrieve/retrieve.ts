/** Step: all channels search in parallel and return ids of possible answers. */
import type { MemoryFilter } from '../../domain/filter.js';
import type { FoundBy } from '../../domain/recall.js';
import { waitOutside } from '../../places.js';
import type { ListOrder, TermStatistics } from '../../stores/ports/search-index.js';
import type { VectorHit } from '../../stores/vector-store.js';
import type { RecallContext } from '../context.js';
import { datesNamed } from '../language/dates-named.js';
import { isScoped, type Query, type RecallPlan } from '../plan.js';
import type { Pool, RetrievedQuery } from '../pool.js';
import { BOUNDS } from '../ranking-constants.js';
import { analyzeQuery, searchKeys, termsOf } from '../score/analyzed-query.js';
import { findByVector, scaled } from './vector.js';
import { findByDate, findByWords, searchText } from './words.js';

export async function retrieve(context: RecallContext, pool: Pool): Promise<Pool> {
  const { plan } = context;
  const queries = plan.isListing
    ? [await retrieveList(context, pool.candidateFactor)]
    : await Promise.all(plan.queries.map(query => retrieveFor(context, query, pool.candidateFactor)));
  return { ...pool, queries };
}

const NO_STATISTICS: TermStatistics = { memoryCount: 0, frequencies: new Map() };

async function retrieveList(context: RecallContext, factor: number): Promise<RetrievedQuery> {
  const { ids, hasMore } = await list(context, factor);
  return {
    query: context.plan.queries[0] as Query,
    analysis: analyzeQuery({ text: '', terms: [] }, NO_STATISTICS),
    vectors: undefined,
    nearest: new Map(),
    isVectorSearchEnabled: context.vectors !== undefined,
    meaningShare: 0,
    speakers: new Set(),
    foundBy: new Map(ids.map(id => [id, ['list']])),
    mayHaveMore: hasMore,
  };
}

/** Runs all channels of a query at once, so that no channel waits for another one. */
async function retrieveFor(context: RecallContext, query: Query, factor: number): Promise<RetrievedQuery> {
  const { graph, plan, nowMs, zone } = context;
  const { filter } = plan;
  const isByTime = plan.order !== 'score';
  const usual = Math.max(BOUNDS.channelCandidates, query.limit);
  // When sorted by time, only the listing by time grows. The other channels keep their usual limit.
  const limit = usual * (isByTime ? 1 : factor);
  const dates = await datesNamed(query.text, { nowMs, zone });
  const terms = searchKeys(termsOf(query.text));
  // The vector search begins first, because it needs no time of this thread.
  const vectorSearch = searchVectors(context, query, { filter, limit });
  const [byVector, byWords, bySupplements, byDates, listed, waiting] = await Promise.all([
    vectorSearch.then(found => read(context, found)),
    searchWords(context, query, { filter, limit }),
    Promise.all(query.supplements.map(text => searchSupplement(context, text))),
    Promise.all(dates.map(date => findByDate(graph, date, { terms, filter, limit }))),
    // If results are sorted by time, also list memories: the caller wants the first matches, even weak matches.
    isByTime ? list(context, factor) : { ids: [], hasMore: false },
    isScoped(plan) ? graph.listWaiting({ kind: 'embed', filter, limit }) : [],
  ]);
  const { vectors, nearest, isEnabled, hasMore } = byVector;
  return {
    query,
    analysis: analyzeQuery({ text: query.text, terms: byWords.terms, dates }, byWords.statistics),
    vectors,
    nearest,
    isVectorSearchEnabled: isEnabled,
    // The step `hydrate` sets `meaningShare` and `speakers`, because both depend on the candidates.
    meaningShare: 0,
    speakers: new Set(),
    foundBy: channelsById([
      ['keyword', [...byWords.ids, ...bySupplements.flatMap(each => each.byWords.ids)]],
      ['date', byDates.flat()],
      ['vector', [...byVector.ids, ...bySupplements.flatMap(each => each.byVector.ids)]],
      ['list', listed.ids],
      ['waiting', waiting],
      ['priority', [...(plan.hints?.ids ?? [])]],
    ]),
    mayHaveMore: isByTime ? listed.hasMore : byWords.ids.length >= limit || hasMore,
  };
}

/** Reads the memories that a channel has found while the other channels still search. */
async function read<Found extends { ids: readonly string[] }>({ memories }: RecallContext, found: Found) {
  await memories.read(found.ids);
  return found;
}

type Search = { filter: MemoryFilter; limit: number };

async function searchWords(context: RecallContext, query: Query, search: Search) {
  const { graph, vectors, embedder } = context;
  if (vectors && embedder.isImmediate) await context.embedQuery(query);
  const found = await read(context, await findByWords(graph, termsOf(query.text), search));
  // The vector of the query may take a model or a service long.
  if (vectors && !embedder.isImmediate) await waitOutside(() => context.embedQuery(query));
  return found;
}

async function searchVectors(context: RecallContext, query: Pick<Query, 'text' | 'embedding'>, search: Search) {
  const nothing = { ids: [], vectors: undefined, nearest: new Map<string, VectorHit>(), hasMore: false };
  if (!context.vectors) return { isEnabled: false, ...nothing };
  const { vectors, isEnabled } = await context.embedQuery(query);
  if (!vectors) return { isEnabled, ...nothing };
  const hits = await findByVector(context, vectors, search);
  if (!hits) return { isEnabled: false, ...nothing };
  const last = hits[search.limit - 1];
  // The last hit may be as far away as an unrelated text. Then no memory beyond it matches the query.
  const isRelated = last && scaled(last.similarity, vectors) >= BOUNDS.similarity;
  return {
    isEnabled: true,
    ids: hits.slice(0, search.limit).map(({ id }) => id),
    vectors,
    nearest: new Map(hits.map(hit => [hit.id, hit])),
    hasMore: last !== undefined && (isRelated || isScoped(context.plan)),
  };
}

async function searchSupplement(context: RecallContext, text: string) {
  const { graph, plan } = context;
  const search = { filter: plan.filter, limit: BOUNDS.channelCandidates };
  const [byWords, byVector] = await Promise.all([
    searchText(graph, { terms: searchKeys(termsOf(text)), ...search }),
    searchVectors(context, { text, embedding: undefined }, search),
  ]);
  await context.memories.read(byWords.ids);
  return { byWords, byVector };
}

function channelsById(found: readonly (readonly [FoundBy, readonly string[]])[]): Map<string, FoundBy[]> {
  const channels = new Map<string, FoundBy[]>();
  for (const [channel, ids] of found) {
    for (const id of new Set(ids)) channels.set(id, [...(channels.get(id) ?? []), channel]);
  }
  return channels;
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

/** Lists memories by time or importance. More than the limit are read if some of them will not belong to the answer. */
async function list({ graph, plan }: RecallContext, factor: number): Promise<{ ids: string[]; hasMore: boolean }> {
  const { filter, order, hints, request, isListing } = plan;
  const isWhole = isListing && order !== 'score';
  const first = isWhole ? request.limit : Math.max(request.limit, BOUNDS.channelCandidates);
  const limit = first * factor;
  const lists = await Promise.all(LIST_ORDER[order].map(each => graph.list({ filter, order: each, limit })));
  const preferred = order === 'score' ? (hints?.ids ?? []) : [];
  return {
    ids: [...new Set([...lists.flat(), ...preferred])],
    hasMore: lists.every(({ length }) => length >= limit),
  };
}
