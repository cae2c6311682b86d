/** Finds, for given memories, the memories with a common tag that were created just before and just after. */
import type { Neighbour, NeighbourRequest } from '../ports/search-index.js';
import type { Connection } from './connection.js';
import { valueToken } from './index-node.js';
import { decodeText, idIn, keyOf } from './values.js';

interface NeighboursRow {
  seed: string;
  before: string[];
  after: string[];
}

export async function neighbours(
  connection: Connection,
  { ids, span, maxGapMs, keys }: NeighbourRequest,
): Promise<Neighbour[]> {
  if (ids.length === 0 || span <= 0) return [];
  const idByKey = new Map(ids.map(id => [keyOf(id), id]));
  /** Builds a subquery that collects the nearest memories on one side. A memory that shares several tags counts once. */
  const side = (window: string, order: string, name: string) => `CALL {
      WITH s UNWIND s.tag_tokens AS token
      WITH s, token WHERE token STARTS WITH 'w' ${keys ? 'AND token IN $tokens' : ''}
      MATCH (i:_MemoryIndex) WHERE token IN i.tag_tokens AND ${window}
      WITH DISTINCT i ORDER BY i.timestamp_ms ${order}, i.id LIMIT $span
      RETURN collect(${idIn('i')}) AS ${name}
    }`;
  const rows = await connection.readByIds<NeighboursRow>(
    `UNWIND $ids AS id MATCH (s:_MemoryIndex {id: id})
     ${side('i.timestamp_ms < s.timestamp_ms AND i.timestamp_ms >= s.timestamp_ms - $gap_ms', 'DESC', 'before')}
     ${side('i.timestamp_ms > s.timestamp_ms AND i.timestamp_ms <= s.timestamp_ms + $gap_ms', 'ASC', 'after')}
     RETURN s.id AS seed, before, after`,
    ids,
    { span, gap_ms: maxGapMs, ...(keys && { tokens: keys.map(key => valueToken('tag', key)) }) },
  );
  return rows.flatMap(({ seed, before, after }) => {
    const of = idByKey.get(seed) ?? seed;
    const at = (found: string[], sign: number) =>
      found.map((id, position) => ({ of, id: decodeText(id), distance: sign * (position + 1) }));
    return [...at(before, -1), ...at(after, 1)];
  });
}
