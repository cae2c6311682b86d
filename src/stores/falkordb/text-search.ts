/**
 * Finds full-text candidates. A search usually reads a bounded number of index entries, rarest words first, so that
 * its cost does not grow with the number of memories. A search for one frequent word reads the newest memories. If a
 * search finds too few hits and few memories pass the filter, it reads these memories. If it finds too few hits and many
 * memories pass, it reads the index entries of all words. Without a filter, it does so only if these entries are few.
 */
import { type Condition, conditionsOf, isSetCondition, isUnmeetable } from '../../domain/filter.js';
import type { TermStatistics, TextAnswer, TextHit, TextSearch } from '../ports/search-index.js';
import { planTerms, type ScopeValue, scopeFields, scopeSizeOf } from '../text-plan.js';
import type { Connection } from './connection.js';
import type { OrderedWalk } from './ordered-walk.js';
import { countStatement, selectionOf } from './selection.js';
import type { TermFrequencies } from './term-frequencies.js';
import { type Ranking, rankFound, rankSelected } from './text-ranking.js';
import { stemToken, valueToken } from './tokens.js';

/**
 * Maximum number of index entries that a search for several words reads first. If it then has too few hits and the
 * filter is not selective, it reads the entries of all words, unless `ENTRIES_MAX` prevents this.
 */
const POSTINGS_MAX = 4_000;
/**
 * If the words of a search without a filter have more index entries than this, memories that contain only common words
 * are not searched. Otherwise the time would grow with the number of memories.
 */
const ENTRIES_MAX = 8_000;
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
    window: { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) },
    selection: selectionOf(filter),
  };
  return { hits: await findHits(ranking), statistics };
}

export async function countTerms(index: TextIndex, terms: readonly string[]): Promise<TermStatistics> {
  return (await count(index, terms, [])).statistics;
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
 * counts these memories before the search by words. Without a time window, counts them only when the search by words
 * finds too few hits.
 */
async function findHits(ranking: Ranking): Promise<TextHit[]> {
  const { conditions, limit, plan } = ranking;
  const isWindowed = hasWindow(conditions);
  if (isWindowed && (await isSelective(ranking))) return rankSelected(ranking);
  const hits = await rankFound(ranking, plan.affordable);
  if (hits.length >= limit || plan.isComplete) return hits;
  if (!isWindowed && (await isSelective(ranking))) return rankSelected(ranking);
  const isWhole = plan.affordable.length === plan.terms.length;
  const isEnough = hits.length > 0 && isUnfiltered(conditions) && entriesOf(ranking) > ENTRIES_MAX;
  return isWhole || isEnough ? hits : rankFound(ranking, plan.terms);
}

/** Whether most memories meet the conditions. With a filter, the rare words may occur only in memories that fail it. */
function isUnfiltered(conditions: readonly Condition[]): boolean {
  return !conditions.some(isSetCondition) && !hasWindow(conditions);
}

/** Returns the number of index entries of all words, over all memories. */
function entriesOf({ plan, statistics }: Ranking): number {
  return plan.terms.reduce((sum, { term }) => sum + (statistics.frequencies.get(term) ?? 0), 0);
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
