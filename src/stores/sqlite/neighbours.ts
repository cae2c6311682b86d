/** What was said just before and after: neighbours in time among memories that share a tag. */

import { type Connection, placeholders, type SqlValue } from '../database/connection.js';
import type { Neighbour, NeighbourRequest } from '../ports/search-index.js';

interface NeighbourRow {
  seed: string;
  id: string;
  /** Time of the neighbour minus time of the seed. */
  offset_ms: number;
}

/** Notes are mostly alone in their time, whatever their tags. Two conditions, lest many of one instant be passed over. */
const IS_ANY_BEFORE = `EXISTS (
  SELECT 1 FROM memories AS near INDEXED BY memories_by_timestamp
  WHERE near.timestamp_ms < memories.timestamp_ms AND near.timestamp_ms >= memories.timestamp_ms - ?
)`;
const IS_ANY_AFTER = `EXISTS (
  SELECT 1 FROM memories AS near INDEXED BY memories_by_timestamp
  WHERE near.timestamp_ms > memories.timestamp_ms AND near.timestamp_ms <= memories.timestamp_ms + ?
)`;

/** One index seek for each seed, tag, side and step; all in one statement. */
export function neighbours(connection: Connection, { ids, span, maxGapMs }: NeighbourRequest): Neighbour[] {
  if (ids.length === 0) return [];
  const values: SqlValue[] = [...ids, maxGapMs, maxGapMs];
  const steps: string[] = [];
  for (let step = 0; step < span; step++) {
    steps.push(
      `SELECT seed, at, (
         SELECT memory FROM memory_tags AS other
         WHERE other.key = seeds.key AND other.is_whole = 1 AND other.timestamp_ms < at AND other.timestamp_ms >= at - ?
         ORDER BY other.timestamp_ms DESC, other.memory DESC LIMIT 1 OFFSET ${step}
       ) AS neighbour FROM seeds`,
      `SELECT seed, at, (
         SELECT memory FROM memory_tags AS other
         WHERE other.key = seeds.key AND other.is_whole = 1 AND other.timestamp_ms > at AND other.timestamp_ms <= at + ?
         ORDER BY other.timestamp_ms, other.memory LIMIT 1 OFFSET ${step}
       ) AS neighbour FROM seeds`,
    );
    values.push(maxGapMs, maxGapMs);
  }
  const rows = connection.all<NeighbourRow>(
    `WITH seeds AS MATERIALIZED (
       SELECT memories.id AS seed, memories.timestamp_ms AS at, memory_tags.key AS key
       FROM memories JOIN memory_tags ON memory_tags.memory = memories.row AND memory_tags.is_whole = 1
       WHERE memories.id IN (${placeholders(ids)}) AND (${IS_ANY_BEFORE} OR ${IS_ANY_AFTER})
     )
     SELECT DISTINCT found.seed AS seed, memories.id AS id, memories.timestamp_ms - found.at AS offset_ms
     FROM (${steps.join(' UNION ALL ')}) AS found JOIN memories ON memories.row = found.neighbour
     ORDER BY seed, abs(offset_ms), memories.row`,
    ...values,
  );
  return nearest(rows, span);
}

/** Several tags may each have named neighbours: the nearest of all of them count. */
function nearest(rowsByNearness: readonly NeighbourRow[], span: number): Neighbour[] {
  const taken = new Map<string, number>();
  const found: Neighbour[] = [];
  for (const { seed, id, offset_ms } of rowsByNearness) {
    const side = Math.sign(offset_ms);
    const rank = (taken.get(`${seed} ${side}`) ?? 0) + 1;
    if (rank > span) continue;
    taken.set(`${seed} ${side}`, rank);
    found.push({ of: seed, id, distance: side * rank });
  }
  return found;
}
