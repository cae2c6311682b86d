/**
 * Finds full-text candidates. A search usually reads a bounded number of index entries, rarest words first, so that
 * its cost does not grow with the number of memories. If it finds too few hits and few memories pass the filter, it
 * reads these memories. If it finds too few hits and many memories pass, it reads the index entries of all words.
 */
import { type Condition, conditionsOf, isSetCondition } from '../../domain/filter.js';
import type { TermStatistics, TextAnswer, TextHit, TextSearch } from '../ports/search-index.js';
import {
  planTerms,
  type ScopeValue,
  scopeFields,
  scopeSizeOf,
  type TermPlan,
  type WeightedTerm,
} from '../text-plan.js';
import type { Connection } from './connection.js';
import { decodeText, idIn } from './encoding.js';
import type { Parameters } from './parameters.js';
import { countStatement, type Selection, selectionOf } from './selection.js';
import type { TermFrequencies } from './term-frequencies.js';
import { stemExpression, stemToken, valueToken } from './tokens.js';

/**
 * Maximum number of index entries that a search reads first. If it then has too few hits and the filter is not
 * selective, it reads the entries of all words.
 */
const POSTINGS_MAX = 4_000;
/** Maximum number of memories that are read and ranked one by one. */
const FEW = 2_000;
/** Rare words select this number of memories for each requested hit; these memories are then ranked by all words. */
const RANKED_AGAIN = 4;

export interface TextIndex {
  connection: Connection;
  frequencies: TermFrequencies;
}

export async function searchText(index: TextIndex, search: TextSearch): Promise<TextAnswer> {
  const { terms, filter } = search;
  const conditions = conditionsOf(filter);
  const { statistics, found } = await count(index, terms, scopeFields(conditions));
  const scopeSize = scopeSizeOf(conditions, (field, value) => found.get(valueToken(field, value)) ?? 0);
  const plan = planTerms(terms, { statistics, scopeSize, postingsMax: POSTINGS_MAX });
  if (plan.terms.length === 0 || search.limit <= 0) return { hits: [], statistics };
  const ranking = {
    connection: index.connection,
    conditions,
    limit: search.limit,
    plan,
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

interface Ranking {
  connection: Connection;
  conditions: readonly Condition[];
  limit: number;
  plan: TermPlan;
  selection: Selection;
}

/**
 * Searches by words, or reads the memories that pass the filter if they are few. If the filter has a time window,
 * counts these memories before the search by words. Without a time window, counts them only when the search by words
 * finds too few hits.
 */
async function findHits(ranking: Ranking): Promise<TextHit[]> {
  const { conditions, limit, plan } = ranking;
  const hasWindow = conditions.some(condition => !isSetCondition(condition) && condition.field === 'createdMs');
  if (hasWindow && (await isSelective(ranking))) return rankSelected(ranking);
  const hits = await rankFound(ranking, plan.affordable);
  if (hits.length >= limit || plan.isComplete) return hits;
  if (!hasWindow && (await isSelective(ranking))) return rankSelected(ranking);
  return plan.affordable.length === plan.terms.length ? hits : rankFound(ranking, plan.terms);
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

/**
 * Ranks memories by the sum of the idf of those `terms` that they contain. If the query has words that are not in
 * `terms`, the best memories are ranked again with these words too. The score is BM25 without term frequency and
 * length, because these two factors hardly matter for short texts. The caller scores the candidates in full.
 */
async function rankFound(ranking: Ranking, terms: readonly WeightedTerm[]): Promise<TextHit[]> {
  const { conditions, limit, plan, selection } = ranking;
  const [only, ...more] = terms;
  const expressions = terms.map(({ term, weight }) => ({ expression: stemExpression(term, conditions), weight }));
  // A search for one word reads at most `$budget` entries. A search for several words has no LIMIT here, because LIMIT
  // would make the server lose its position in the entries.
  const found =
    only !== undefined && more.length === 0
      ? `CALL db.idx.fulltext.queryNodes('_MemoryIndex', $expressions[0].expression) YIELD node
         WITH node AS i LIMIT $budget WITH i, 1 AS score`
      : `UNWIND $expressions AS each CALL db.idx.fulltext.queryNodes('_MemoryIndex', each.expression) YIELD node
         WITH node AS i, sum(each.weight) AS score`;
  const others = plan.terms.filter(term => !terms.includes(term));
  const again = `ORDER BY score DESC, i.timestamp_ms DESC LIMIT $looked_at WITH i, ${withWords('score')} AS score`;
  // The server returns no rows if a condition on `i` stands directly before RETURN.
  return rank(ranking, `${found} WHERE ${selection.conditions} WITH i, score ${others.length > 0 ? again : ''}`, {
    expressions,
    budget: POSTINGS_MAX,
    looked_at: limit * RANKED_AGAIN,
    words: wordWeights(others),
  });
}

/** Ranks all memories that pass the filter. The caller has checked that they are few. */
function rankSelected(ranking: Ranking): Promise<TextHit[]> {
  const ranked = `${ranking.selection.match} WITH i, ${withWords('0.0')} AS score WHERE score > 0`;
  return rank(ranking, ranked, { words: wordWeights(ranking.plan.terms) });
}

/** Returns an expression that adds to a score the weights of those `$words` that `i` contains. */
function withWords(score: string): string {
  return `reduce(sum = ${score}, word IN $words | sum + CASE WHEN i.words CONTAINS word[0] THEN word[1] ELSE 0.0 END)`;
}

function wordWeights(terms: readonly WeightedTerm[]) {
  return terms.map(({ term, weight }) => [` ${stemToken(term)} `, weight]);
}

/** @param ranked clauses that return nodes `i` and their `score` */
async function rank(ranking: Ranking, ranked: string, parameters: Parameters): Promise<TextHit[]> {
  const { connection, limit, selection } = ranking;
  const rows = await connection.read<{ id: string; score: number }>(
    `${ranked} RETURN ${idIn('i')} AS id, score ORDER BY score DESC, i.timestamp_ms DESC, i.id LIMIT $limit`,
    { ...selection.parameters, ...parameters, limit },
  );
  return rows.map(({ id, score }) => ({ id: decodeText(id), score }));
}
