/** Finds full-text candidates (`stores/text-plan.ts` says how), and counts the memories with each word. */
import { createRecent } from '../../domain/collections.js';
import { conditionsOf } from '../../domain/filter.js';
import type { TextAnswer, TextHit, TextSearch } from '../ports/search-index.js';
import { findByWords, type WeightedTerm } from '../text-plan.js';
import { type Connection, nowMs } from './connection.js';
import { countMemories } from './figures.js';
import { selectionOf, stemExpression, stemToken, valueToken } from './index-node.js';
import { CACHED_MAX, type Ordered } from './ordered.js';
import { decodeText, idIn, type Parameters } from './values.js';

/** Maximum number of index entries that a statement reads for a single word, all of which it has to read. */
const ENTRIES_OF_ONE_MAX = 30_000;
/** Number of the newest memories that a search ranks if its words have too many entries. */
const NEWEST_RANKED = 1_000;
/** Rare words select this many more memories than requested; these memories are then ranked by all words. */
const RANKED_AGAIN = 200;

export interface TextIndex {
  connection: Connection;
  ordered: Ordered;
  frequencies: TermFrequencies;
}

/** Of hits with equal scores the newer memory comes first, so each hit has the creation time of its memory. */
interface RankedHit extends TextHit {
  createdMs: number;
}

export function searchText(index: TextIndex, search: TextSearch): Promise<TextAnswer> {
  return findByWords<RankedHit>(
    {
      entriesOfOneMax: ENTRIES_OF_ONE_MAX,
      count: async (terms, scope) => {
        const tokens = new Map(terms.map(term => [term, stemToken(term)]));
        const asked = [...tokens.values(), ...scope.map(value => valueToken(...value))];
        const { memoryCount, frequencies: found } = await index.frequencies(asked);
        const frequencies = new Map(terms.map(term => [term, found.get(tokens.get(term) ?? '') ?? 0]));
        return {
          statistics: { memoryCount, frequencies },
          countOf: (...value) => found.get(valueToken(...value)) ?? 0,
        };
      },
      rankMatches: async (terms, all) => ({ hits: await rankMatches(index, search, { terms, all }) }),
      rankNewest: all => rankNewest(index, search, all),
      inOrder,
    },
    search,
  );
}

/** Ranks the memories with any of the `terms`, and the best of these by `all` terms of the search. */
function rankMatches(
  { connection }: TextIndex,
  { filter, limit }: TextSearch,
  { terms, all }: { terms: readonly WeightedTerm[]; all: readonly WeightedTerm[] },
): Promise<RankedHit[]> {
  const { besideText, parameters } = selectionOf(filter);
  const conditions = conditionsOf(filter);
  const others = all.filter(term => !terms.includes(term));
  // Grouping takes longer than the search. The entries of one word need no grouping.
  const score = terms.length > 1 ? 'sum(each.weight)' : 'each.weight';
  const again = `WITH i, ${withWords('score')} AS score ${BEST_FIRST} LIMIT $limit`;
  return readHits(
    connection,
    `UNWIND $expressions AS each CALL db.idx.fulltext.queryNodes('_MemoryIndex', each.expression) YIELD node
     WITH node AS i, ${score} AS score WHERE ${besideText}
     WITH i, score ${BEST_FIRST} LIMIT $candidates
     ${others.length > 0 ? again : ''}`,
    {
      ...parameters,
      expressions: terms.map(({ term, weight }) => ({ expression: stemExpression(term, conditions), weight })),
      words: wordWeights(others),
      candidates: others.length > 0 ? limit + RANKED_AGAIN : limit,
      limit,
    },
  );
}

/** Ranks the newest memories that pass the filter by all words of the search. */
async function rankNewest(
  { ordered }: TextIndex,
  { filter, limit }: TextSearch,
  terms: readonly WeightedTerm[],
): Promise<RankedHit[]> {
  const request = { filter, order: 'newest', limit: NEWEST_RANKED + limit } as const;
  const hits = await ordered.first<[id: string, score: number, createdMs: number]>(request, {
    follow: `WITH i, measure, ${withWords('0.0')} AS score ${BEST_FIRST} LIMIT $best`,
    column: `CASE WHEN score > 0 THEN [${idIn('i')}, score, i.timestamp_ms] END`,
    parameters: { words: wordWeights(terms), best: limit },
  });
  return hits.map(([id, score, createdMs]) => ({ id: decodeText(id), score, createdMs }));
}

/** Returns an expression that adds to a score the weights of those `$words` that `i` contains. */
function withWords(score: string): string {
  return `reduce(sum = ${score}, word IN $words | sum + CASE WHEN i.words CONTAINS word[0] THEN word[1] ELSE 0.0 END)`;
}

function wordWeights(terms: readonly WeightedTerm[]): [word: string, weight: number][] {
  return terms.map(({ term, weight }) => [` ${stemToken(term)} `, weight]);
}

const BEST_FIRST = 'ORDER BY score DESC, i.timestamp_ms DESC, i.id';

/**
 * Returns hits in the order of the nodes. They are read as one row, because the client takes longer to decode many rows.
 *
 * @param ranked clauses that return nodes `i` and their `score`
 */
async function readHits(connection: Connection, ranked: string, parameters: Parameters): Promise<RankedHit[]> {
  const [row] = await connection.read<{ ids: string[]; scores: number[]; times: number[] }>(
    `${ranked} RETURN collect(${idIn('i')}) AS ids, collect(score) AS scores, collect(i.timestamp_ms) AS times`,
    parameters,
  );
  const { ids = [], scores = [], times = [] } = row ?? {};
  return ids.map((id, at) => ({ id: decodeText(id), score: scores[at] as number, createdMs: times[at] as number }));
}

function inOrder(a: RankedHit, b: RankedHit): number {
  const difference = b.score - a.score;
  // Equal sums of weights may differ a little, because statements add the weights in different orders.
  if (Math.abs(difference) > 1e-9) return difference;
  return b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1);
}

/** Counts the memories with each word of the index; words that occur in no memory are missing. */
export type TermFrequencies = (tokens: readonly string[]) => Promise<Occurrences>;

interface Occurrences {
  memoryCount: number;
  frequencies: Map<string, number>;
}

/** Minimum count that is cached. Counting fewer entries costs no more than the request itself. */
const CACHED_FROM = 1_000;
/** In this time, the weights of words hardly change. */
const CACHED_FOR_MS = 5_000;
/** Stands for all memories in the cache. */
const ALL = '*';

const COUNTS = `UNWIND $tokens AS token CALL db.idx.fulltext.queryNodes('_MemoryIndex', token) YIELD node
  RETURN token, count(node) AS count`;

/** Caches the counts of common words, because the index walks all entries of a word to count them. */
export function createTermFrequencies(connection: Connection): TermFrequencies {
  const cache = createRecent<{ count: number; countedMs: number }>(CACHED_MAX, () => 1);
  const cached = (token: string): number | undefined => {
    const known = cache.get(token);
    return known && nowMs() - known.countedMs < CACHED_FOR_MS ? known.count : undefined;
  };
  const counted = (token: string, count: number): number => {
    if (count >= CACHED_FROM) cache.set(token, { count, countedMs: nowMs() });
    return count;
  };
  return async tokens => {
    const known = new Map([...new Set(tokens)].map(token => [token, cached(token)]));
    const unknown = [...known].flatMap(([token, count]) => (count === undefined ? [token] : []));
    const [memoryCount, rows] = await Promise.all([
      cached(ALL) ?? countMemories(connection).then(count => counted(ALL, count)),
      unknown.length === 0 ? [] : connection.read<{ token: string; count: number }>(COUNTS, { tokens: unknown }),
    ]);
    for (const { token, count } of rows) known.set(token, counted(token, count));
    const entries = [...known].flatMap(([token, count]): [string, number][] => (count ? [[token, count]] : []));
    return { memoryCount, frequencies: new Map(entries) };
  };
}
