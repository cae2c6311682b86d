/** Finds, for given memories, the memories with a common tag that were created just before and just after. */
import type { Neighbour, NeighbourRequest } from '../ports/search-index.js';
import type { Connection } from './connection.js';
import { valueToken } from './tokens.js';
import { decodeText, idIn, keyOf } from './values.js';

/**
 * Maximum number of index entries read at once for a memory. If a time gap contains this many entries or more, a
 * narrower gap is tried.
 */
const READ_MAX = 300;
const ALL = Number.MAX_SAFE_INTEGER;

const SIDES = [
  {
    sign: -1,
    window: 'i.timestamp_ms < s.timestamp_ms AND i.timestamp_ms >= s.timestamp_ms - seed.gap_ms',
    gap: 's.timestamp_ms - i.timestamp_ms',
  },
  {
    sign: 1,
    window: 'i.timestamp_ms > s.timestamp_ms AND i.timestamp_ms <= s.timestamp_ms + seed.gap_ms',
    gap: 'i.timestamp_ms - s.timestamp_ms',
  },
] as const;
type Side = (typeof SIDES)[number];

export async function neighbours(connection: Connection, request: NeighbourRequest): Promise<Neighbour[]> {
  const { ids, span } = request;
  if (ids.length === 0 || span <= 0) return [];
  const idByKey = new Map(ids.map(id => [keyOf(id), id]));
  const sides = await Promise.all(
    SIDES.map(side => nearestOn(connection, side, { ...request, ids: [...idByKey.keys()] })),
  );
  return sides.flatMap((found, index) =>
    [...found].flatMap(([key, nearest]) =>
      nearest.map((id, position) => ({
        of: idByKey.get(key) ?? key,
        id: decodeText(id),
        distance: (SIDES[index]?.sign ?? 1) * (position + 1),
      })),
    ),
  );
}

/**
 * A memory whose neighbours are searched. The search narrows the time gap between two bounds: a gap of `tooFewMs`
 * contains too few memories, and a gap of `tooManyMs` contains too many.
 */
interface Seed {
  id: string;
  gap_ms: number;
  tooFewMs: number;
  tooManyMs: number;
}

/** Returns, for each of `ids`, the ids of the nearest memories on one side, nearest first. */
async function nearestOn(
  connection: Connection,
  side: Side,
  { ids, span, maxGapMs, keys }: NeighbourRequest,
): Promise<Map<string, string[]>> {
  const named = keys && { keys };
  const found = new Map<string, string[]>();
  const crowded: Seed[] = [];
  let seeds: Seed[] = ids.map(id => ({ id, gap_ms: maxGapMs, tooFewMs: 0, tooManyMs: maxGapMs }));
  while (seeds.length > 0) {
    const rows = await readSide(connection, side, { seeds, span, ...named, readMax: READ_MAX });
    const byKey = new Map(rows.map(row => [row.seed, row]));
    seeds = seeds.flatMap(seed => {
      const row = byKey.get(seed.id);
      if (!row) return [];
      const isTooMany = row.count >= READ_MAX;
      if (!isTooMany && (row.nearest.length >= span || seed.gap_ms === maxGapMs)) {
        found.set(seed.id, row.nearest);
        return [];
      }
      const next = between(seed, isTooMany);
      if (next.gap_ms < next.tooManyMs) return [next];
      crowded.push(next);
      return [];
    });
  }
  // Every gap around a crowded seed contains too few or too many memories, because many memories share one instant.
  // The neighbours of such a seed are therefore read without a limit.
  const rest =
    crowded.length > 0 ? await readSide(connection, side, { seeds: crowded, span, ...named, readMax: ALL }) : [];
  for (const { seed, nearest } of rest) found.set(seed, nearest);
  return found;
}

/**
 * Chooses a gap between the widest gap with too few memories and the narrowest gap with too many memories. If the two
 * gaps differ by one millisecond, returns the wider gap. The caller then reads all memories in it.
 */
function between({ id, gap_ms, ...known }: Seed, isTooMany: boolean): Seed {
  const tooFewMs = isTooMany ? known.tooFewMs : gap_ms;
  const tooManyMs = isTooMany ? gap_ms : known.tooManyMs;
  // The geometric mean suits gaps of all magnitudes: many memories may lie within a second or within an hour.
  const middle = Math.floor(Math.sqrt((tooFewMs + 1) * tooManyMs));
  return { id, tooFewMs, tooManyMs, gap_ms: Math.min(Math.max(middle, tooFewMs + 1), tooManyMs) };
}

interface SeedsToRead {
  seeds: readonly Seed[];
  readMax: number;
}

/**
 * Reads the nearest neighbours that share any tag, or any tag of `keys` if given. A neighbour that shares several tags
 * counts once.
 */
function readSide(
  connection: Connection,
  { window, gap }: Side,
  { seeds, span, keys, readMax }: Pick<NeighbourRequest, 'span' | 'keys'> & SeedsToRead,
): Promise<{ seed: string; nearest: string[]; count: number }[]> {
  return connection.read(
    `UNWIND $seeds AS seed MATCH (s:_MemoryIndex {id: seed.id})
     CALL {
       WITH s, seed UNWIND s.tag_tokens AS token
       WITH s, seed, token WHERE token STARTS WITH 'w' ${keys ? 'AND token IN $tokens' : ''}
       MATCH (i:_MemoryIndex) WHERE token IN i.tag_tokens AND ${window}
       WITH DISTINCT i, ${gap} AS gap_ms, seed LIMIT $read_max
       WITH i ORDER BY gap_ms, i.id
       WITH collect(${idIn('i')}) AS found
       RETURN found[0..$span] AS nearest, size(found) AS count
     }
     RETURN s.id AS seed, nearest, count`,
    {
      seeds: seeds.map(({ id, gap_ms }) => ({ id, gap_ms })),
      ...(keys && { tokens: keys.map(key => valueToken('tag', key)) }),
      span,
      read_max: readMax,
    },
  );
}
