/** Finds, for given memories, the memories with a common tag that were created just before and just after. */

import type { Connection } from '../database/connection.js';
import type { Neighbour, NeighbourRequest } from '../ports/search-index.js';
import type { RecordReader } from './record-reader.js';

/** A given memory, and its neighbours by one of its tags, nearest first. */
type Seed = readonly [id: string, before: readonly Near[], after: readonly Near[]];
type Near = readonly [row: number, timestampMs: number];

/**
 * Conditions that quickly exclude most memories. They ignore tags, because most memories have no other memory at all
 * near in time. The conditions for "before" and "after" are separate, so that neither of them reads memories of the
 * same instant.
 */
const IS_ANY_BEFORE = `EXISTS (
  SELECT 1 FROM memories AS near INDEXED BY memories_by_timestamp
  WHERE near.timestamp_ms < memories.timestamp_ms AND near.timestamp_ms >= memories.timestamp_ms - ?
)`;
const IS_ANY_AFTER = `EXISTS (
  SELECT 1 FROM memories AS near INDEXED BY memories_by_timestamp
  WHERE near.timestamp_ms > memories.timestamp_ms AND near.timestamp_ms <= memories.timestamp_ms + ?
)`;

/**
 * Finds the rows of the neighbours with one statement, which needs one index seek for each seed, tag and side. It
 * returns one JSON text, because the driver takes longer to return many rows. The ids are read afterwards, because many
 * of them are in the cache of records.
 */
export function neighbours(
  connection: Connection,
  { ids, span, maxGapMs, keys }: NeighbourRequest,
  { idsOf }: Pick<RecordReader, 'idsOf'>,
): Neighbour[] {
  if (ids.length === 0) return [];
  const found = connection.get<{ seeds: string }>(
    `WITH seeds AS MATERIALIZED (
       SELECT memories.id AS seed, memories.timestamp_ms AS at, memory_tags.key AS key
       FROM memories JOIN memory_tags ON memory_tags.memory = memories.row AND memory_tags.is_whole = 1
       WHERE memories.id IN (SELECT value FROM json_each(?))
         ${keys ? 'AND memory_tags.key IN (SELECT value FROM json_each(?))' : ''}
         AND (${IS_ANY_BEFORE} OR ${IS_ANY_AFTER})
     )
     SELECT json_group_array(json_array(seed,
       json(${nearest('other.timestamp_ms < at AND other.timestamp_ms >= at - ?', 'DESC')}),
       json(${nearest('other.timestamp_ms > at AND other.timestamp_ms <= at + ?', 'ASC')})
     )) AS seeds FROM seeds`,
    ...[JSON.stringify(ids), ...(keys ? [JSON.stringify(keys)] : []), maxGapMs, maxGapMs],
    ...[maxGapMs, span, maxGapMs, span],
  );
  const ofSeeds = byId(JSON.parse(found?.seeds ?? '[]') as Seed[]);
  const placed = ofSeeds.flatMap(ofTags => numbered(ofTags, span));
  const idOf = idsOf(new Set(placed.map(({ row }) => row)));
  return placed.flatMap(({ of, row, distance }) => {
    const id = idOf.get(row);
    return id === undefined ? [] : [{ of, id, distance }];
  });
}

/** Returns SQL that lists, as JSON, the nearest memories with one tag, either before or after the given memory. */
function nearest(isOnSide: string, direction: 'ASC' | 'DESC'): string {
  return `(SELECT json_group_array(json_array(memory, timestamp_ms)) FROM (
    SELECT other.memory, other.timestamp_ms FROM memory_tags AS other
    WHERE other.key = seeds.key AND other.is_whole = 1 AND ${isOnSide}
    ORDER BY other.timestamp_ms ${direction}, other.memory ${direction} LIMIT ?
  ))`;
}

/** Groups the seeds by the id of their memory. */
function byId(seeds: readonly Seed[]): Seed[][] {
  const found = new Map<string, Seed[]>();
  for (const seed of seeds) {
    const others = found.get(seed[0]);
    if (others) others.push(seed);
    else found.set(seed[0], [seed]);
  }
  return [...found.values()];
}

/** A neighbour of the memory `of`. `row` is the row number of the neighbour. */
interface Placed {
  of: string;
  row: number;
  distance: number;
}

/**
 * Merges the neighbours that each tag of a memory has yielded, and numbers the nearest before and after the memory.
 *
 * @param ofTags the neighbours of one memory by each of its tags
 */
function numbered(ofTags: readonly Seed[], span: number): Placed[] {
  const [of] = ofTags[0] as Seed;
  const side = (number: 1 | 2, direction: -1 | 1): Placed[] => {
    const near = ofTags.length === 1 ? (ofTags[0]?.[number] ?? []) : distinct(ofTags.flatMap(seed => seed[number]));
    const nearest = [...near].sort((a, b) => direction * (a[1] - b[1] || a[0] - b[0]));
    return nearest.slice(0, span).map(([row], index) => ({ of, row, distance: direction * (index + 1) }));
  };
  return [...side(1, -1), ...side(2, 1)];
}

function distinct(near: readonly Near[]): Iterable<Near> {
  return new Map(near.map(each => [each[0], each])).values();
}
