/** Searches the points of a collection, with one search or several in a request, and compares points by id. */
import type { Schemas } from '@qdrant/js-client-rest';
import { partsOf } from '../../domain/collections.js';
import { conditionsOf, isSetCondition, isUnmeetable, UNBOUNDED_MS } from '../../domain/filter.js';
import type { ExactSimilarities, VectorHit, VectorSearch } from '../vector-store.js';
import type { Collection } from './collection.js';
import { MODEL_KEY, NUMBER_KEYS, SET_KEYS, unitValues } from './points.js';

/** Minimum number of candidates that a search of Qdrant's HNSW graph keeps, unless the search is rough. */
const SEARCH_BREADTH = 128;
/** Number of searches in one request. A larger request would block this thread for too long while it is serialised. */
const SEARCHES_PER_REQUEST = 10;
/** Number of vectors that one request compares. */
const COMPARED_PER_REQUEST = 1_000;

export async function findNearest(search: VectorSearch, use: Collection['use']): Promise<VectorHit[]> {
  if (findsNothing(search)) return [];
  const query = queryOf(search);
  return use(async (client, name) => {
    const found = await client.query(name, query);
    const { points } = isComplete(search, found) ? found : await client.query(name, exactly(query));
    return hitsOf(search, points);
  });
}

/** @returns the hits of each search, in the order of the searches */
export async function findEach(searches: readonly VectorSearch[], use: Collection['use']): Promise<VectorHit[][]> {
  const hits: VectorHit[][] = searches.map(() => []);
  const sent = [...searches.entries()].filter(([, search]) => !findsNothing(search));
  for (const part of partsOf(sent, SEARCHES_PER_REQUEST)) {
    const queries = part.map(([, search]) => queryOf(search));
    await use(async (client, name) => {
      const found = await client.queryBatch(name, { searches: queries });
      const again = part.flatMap(([, search], at) => (isComplete(search, found[at]) ? [] : [at]));
      const exact = again.flatMap(at => queries[at] ?? []).map(exactly);
      const foundAgain = exact.length > 0 ? await client.queryBatch(name, { searches: exact }) : [];
      for (const [position, at] of again.entries()) found[at] = foundAgain[position] ?? { points: [] };
      for (const [at, [index, search]] of part.entries()) hits[index] = hitsOf(search, found[at]?.points ?? []);
    });
  }
  return hits;
}

/** Lets the server compare the vectors, because an answer with similarities is much smaller than one with vectors. */
export async function compare(
  ids: readonly string[],
  { vector, beside }: Pick<VectorSearch, 'vector' | 'beside'>,
  use: Collection['use'],
): Promise<Map<string, ExactSimilarities>> {
  const similarities = new Map<string, ExactSimilarities>();
  for (const part of partsOf(ids, COMPARED_PER_REQUEST)) {
    const among = {
      filter: { must: [{ has_id: part }] },
      limit: part.length,
      with_payload: false,
      params: { exact: true },
    };
    const searches = [vector, ...(beside ? [beside] : [])].map(each => ({ ...among, query: unitValues(each) }));
    const [sought, others = sought] = await use((client, name) => client.queryBatch(name, { searches }));
    const besides = new Map(others?.points.map(({ id, score }) => [id, similarityOf(score)]));
    for (const { id, score } of sought?.points ?? []) {
      similarities.set(String(id), { sought: similarityOf(score), beside: besides.get(id) ?? 0 });
    }
  }
  return similarities;
}

/** Limits a score to the range of a cosine, because a server computes in single precision. */
function similarityOf(score: number): number {
  return Math.min(1, Math.max(-1, score));
}

function findsNothing({ limit, filter, models }: VectorSearch): boolean {
  return limit < 1 || passesNothing({ filter, models });
}

function queryOf({ vector, limit, isRough = false, filter, models }: VectorSearch) {
  const params = isRough
    ? { hnsw_ef: limit }
    : // If the operator has chosen quantised vectors, the full vectors decide the order.
      { hnsw_ef: Math.max(SEARCH_BREADTH, limit), quantization: { rescore: true } };
  return { query: unitValues(vector), filter: filterOf({ filter, models }), limit, with_payload: false, params };
}

/**
 * Whether the hits are final. Those of a rough search always are. Otherwise, too few points mean that few exist or that
 * the search graph missed some. An exact search shows which of the two is the case, and it is cheap if few exist.
 */
function isComplete({ isRough = false, limit }: VectorSearch, found: Schemas['QueryResponse'] | undefined): boolean {
  return isRough || (found?.points.length ?? 0) >= limit;
}

function exactly(query: ReturnType<typeof queryOf>) {
  return { ...query, params: { exact: true } };
}

/**
 * Returns hits, nearest first. Shards and segments merge equal scores in any order, so hits with equal scores are
 * sorted by id, and a repeated search returns the same result.
 */
function hitsOf({ isRough = false, beside }: VectorSearch, points: readonly Schemas['ScoredPoint'][]): VectorHit[] {
  const hits = points
    .map(({ id, score }) => ({ id: String(id), similarity: similarityOf(score) }))
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
  return isRough || beside ? hits : hits.map(withExact);
}

/** Adds exact similarities to a hit. They equal the score, because the score is the cosine with the stored vector. */
function withExact(hit: VectorHit): VectorHit {
  return { ...hit, exact: { sought: hit.similarity, beside: hit.similarity } };
}

type Conditions = Pick<VectorSearch, 'filter' | 'models'>;

/**
 * Matches the points of this store by the field `valid_to`, which all of them have. Points that another program keeps
 * in the collection must not count as vectors without a memory.
 */
export const OWN_POINTS: Schemas['Filter'] = { must_not: [{ is_empty: { key: NUMBER_KEYS.validUntilMs } }] };

/** Whether the conditions exclude every record. A Qdrant filter cannot express this, so the caller skips the search. */
function passesNothing({ filter, models }: Conditions): boolean {
  return models.length === 0 || conditionsOf(filter).some(isUnmeetable);
}

function filterOf({ filter, models }: Conditions): Schemas['Filter'] {
  const must: Schemas['FieldCondition'][] = [anyOf(MODEL_KEY, models)];
  const mustNot: Schemas['FieldCondition'][] = [];
  for (const condition of conditionsOf(filter)) {
    if (!isSetCondition(condition)) {
      const { field, least, most } = condition;
      const range = { ...(least > -UNBOUNDED_MS && { gte: least }), ...(most < UNBOUNDED_MS && { lte: most }) };
      must.push({ key: NUMBER_KEYS[field], range });
      continue;
    }
    const { field, needs, values } = condition;
    const key = SET_KEYS[field];
    if (needs === 'all') must.push(...values.map(value => ({ key, match: { value } })));
    else (needs === 'any' ? must : mustNot).push(anyOf(key, values));
  }
  return { must, ...(mustNot.length > 0 && { must_not: mustNot }) };
}

function anyOf(key: string, values: readonly string[]): Schemas['FieldCondition'] {
  return { key, match: { any: [...values] } };
}
