/**
 * Finds full-text candidates. A search reads a bounded number of index entries, rarest words first, so that its cost
 * does not grow with the number of memories. A search for one frequent word reads the newest memories. If a search with
 * a filter finds too few hits and the entries of all words are too many, it ranks the memories that pass the filter, or
 * the newest of them. If it still has too few hits, it reads all entries of the words, provided that they are at most
 * `LAST_ENTRIES_MAX`. If it has no hits, it reads them in any case.
 */
import { type Condition, conditionsOf, isSetCondition, isUnmeetable } from '../../domain/filter.js';
import type { TextAnswer, TextSearch } from '../ports/search-index.js';
import { bestOf, planTerms, type ScopeValue, scopeFields, scopeSizeOf } from '../text-plan.js';
import type { Connection } from './connection.js';
import type { OrderedWalk } from './ordered-walk.js';
import { countStatement, selectionOf } from './selection.js';
import type { TermFrequencies } from './term-frequencies.js';
import { inOrder, type RankedHit, type Ranking, rankFound, rankNewestSelected, rankSelected } from './text-ranking.js';
import { stemToken, valueToken } from './tokens.js';

/** Maximum number of index entries that a search for several words reads first. */
const POSTINGS_MAX = 4_000;
/** Maximum number of index entries that a search reads if it then has too few hits. */
const ENTRIES_MAX = 8_000;
/** Maximum number of index entries that a search reads if the newest memories contain too few hits. */
const LAST_ENTRIES_MAX = 30_000;
/** Maximum number of memories that are read and ranked one by one. */
const FEW = 2_000;

export interface TextIndex {
  connection: Connection;
  walk: OrderedWalk;
  frequencies: TermFrequencies;
}

export async function searchText(index: TextIndex, search: TextSearch): Promise<TextAnswer> {
  const { terms, filter } = search;
  const conditions = conditionsOf(filter);
  const { statistics, found } = await count(index, terms, scopeFields(conditions));
  const scopeSize = scopeSizeOf(conditions, (field, value) => found.get(valueToken(field, value)) ?? 0);
  const plan = planTerms(terms, { statistics, scopeSize, postingsMax: POSTINGS_MAX });
  if (plan.terms.length === 0 || search.limit <= 0 || conditions.some(isUnmeetable)) return { hits: [], statistics };
  const { fromMs, toMs } = filter;
  const ranking = {
    connection: index.connection,
    walk: index.walk,
    conditions,
    limit: search.limit,
    plan,
    statistics,
    scopeShare: Math.min(1, scopeSize / statistics.memoryCount),
    filter,
    window: { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) },
    selection: selectionOf(filter),
  };
  const hits = await findHits(ranking);
  return { hits: hits.map(({ id, score }) => ({ id, score })), statistics };
}

/** @param scope values of filter fields; for each value, the memories that have the value are counted too */
async function count(index: TextIndex, terms: readonly string[], scope: readonly ScopeValue[]) {
  const tokens = new Map(terms.map(term => [term, stemToken(term)]));
  const asked = [...tokens.values(), ...scope.map(value => valueToken(...value))];
  const { memoryCount, frequencies: found } = await index.frequencies.of(asked);
  const frequencies = new Map(terms.map(term => [term, found.get(tokens.get(term) ?? '') ?? 0]));
  return { statistics: { memoryCount, frequencies }, found };
}

/**
 * Searches by words, or reads the memories that pass the filter if they are few. If the filter has a time window,
 * counts these memories before the search by words, because the index of words does not contain the times.
 */
async function findHits(ranking: Ranking): Promise<RankedHit[]> {
  const { conditions, limit, plan } = ranking;
  const isWindowed = hasWindow(conditions);
  if (isWindowed && (await isSelective(ranking))) return rankSelected(ranking);
  const hits = await rankFound(ranking, plan.affordable);
  if (hits.length >= limit || plan.affordable.length === plan.terms.length) return hits;
  if (entriesOf(ranking) <= ENTRIES_MAX) return rankFound(ranking, plan.terms);
  if (!isWindowed && (await isSelective(ranking))) return rankSelected(ranking);
  if (hits.length > 0 && isUnfiltered(conditions)) return hits;
  const best = bestOf([hits, await rankNewestSelected(ranking)], limit, inOrder);
  const isEnough = best.length >= limit || (best.length > 0 && entriesOf(ranking) > LAST_ENTRIES_MAX);
  return isEnough ? best : bestOf([best, await rankFound(ranking, plan.terms)], limit, inOrder);
}

/** Whether most memories meet the conditions. With a filter, the hits may be few because most memories fail it. */
function isUnfiltered(conditions: readonly Condition[]): boolean {
  return !conditions.some(isSetCondition) && !hasWindow(conditions);
}

/** Estimates the number of index entries that a search by all words reads. */
function entriesOf({ plan, statistics, scopeShare }: Ranking): number {
  return scopeShare * plan.terms.reduce((sum, { term }) => sum + (statistics.frequencies.get(term) ?? 0), 0);
}

function hasWindow(conditions: readonly Condition[]): boolean {
  return conditions.some(condition => !isSetCondition(condition) && condition.field === 'createdMs');
}

/**
 * Whether few memories meet the conditions. Memories are not counted if all conditions are exclusions, because most
 * memories meet an exclusion.
 */
async function isSelective({ connection, conditions, selection }: Ranking): Promise<boolean> {
  if (conditions.every(condition => isSetCondition(condition) && condition.needs === 'none')) return false;
  const [row] = await connection.read<{ count: number }>(countStatement(selection), {
    ...selection.parameters,
    max: FEW + 1,
  });
  return (row?.count ?? 0) <= FEW;
}
