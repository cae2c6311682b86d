/** What was said just before and after: neighbours in time among memories that share a tag. */
import type { Neighbour, NeighbourRequest } from '../graph-store.js';
import type { Connection } from './connection.js';
import { decodeText, idIn, keyOf } from './encoding.js';

interface NeighbourRow {
  seed: string;
  before: [id: string, gapMs: number][];
  after: [id: string, gapMs: number][];
}

/** Many memories of a tag may lie within the gap: a narrow window is read first, the rest only where that has too few. */
const NARROW_SHARE = 0.001;

export async function neighbours(
  connection: Connection,
  { ids, span, maxGapMs }: NeighbourRequest,
): Promise<Neighbour[]> {
  if (ids.length === 0 || span <= 0) return [];
  const keys = [...new Set(ids.map(keyOf))];
  const narrow = await readAround(connection, keys, { span, gapMs: Math.floor(maxGapMs * NARROW_SHARE) });
  const isFull = new Set(
    narrow.filter(({ before, after }) => before.length >= span && after.length >= span).map(({ seed }) => seed),
  );
  const sparse = keys.filter(key => !isFull.has(key));
  const wide = sparse.length > 0 ? await readAround(connection, sparse, { span, gapMs: maxGapMs }) : [];
  const idByKey = new Map(ids.map(id => [keyOf(id), id]));
  return [...narrow.filter(({ seed }) => isFull.has(seed)), ...wide].flatMap(({ seed, before, after }) => {
    const of = idByKey.get(seed) ?? seed;
    return [
      ...before.map(([id], index) => ({ of, id: decodeText(id), distance: -(index + 1) })),
      ...after.map(([id], index) => ({ of, id: decodeText(id), distance: index + 1 })),
    ];
  });
}

/** Several tags may each name the same neighbour: the nearest of all of them count, each once. */
function readAround(
  connection: Connection,
  ids: readonly string[],
  { span, gapMs }: { span: number; gapMs: number },
): Promise<NeighbourRow[]> {
  const side = (name: string, condition: string, gap: string) => `CALL {
    WITH s UNWIND s.tag_tokens AS token
    WITH s, token WHERE token STARTS WITH 'w'
    MATCH (i:MemoryIndex) WHERE token IN i.tag_tokens AND ${condition}
    WITH DISTINCT i, ${gap} AS gap_ms ORDER BY gap_ms, i.id LIMIT $span
    RETURN collect([${idIn('i')}, gap_ms]) AS ${name}
  }`;
  return connection.read<NeighbourRow>(
    `UNWIND $ids AS id MATCH (s:MemoryIndex {id: id})
     ${side('before', 'i.timestamp_ms < s.timestamp_ms AND i.timestamp_ms >= s.timestamp_ms - $gap_ms', 's.timestamp_ms - i.timestamp_ms')}
     ${side('after', 'i.timestamp_ms > s.timestamp_ms AND i.timestamp_ms <= s.timestamp_ms + $gap_ms', 'i.timestamp_ms - s.timestamp_ms')}
     RETURN s.id AS seed, before, after`,
    { ids, span, gap_ms: gapMs },
  );
}
