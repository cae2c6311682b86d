/** Walks over all records in pages, ordered by id. */

import type { NewRecord, PageRequest } from '../ports/memory-store.js';
import type { WorkKind } from '../ports/work-queue.js';
import type { Connection } from './connection.js';
import { memoryOf, type RecordRow, recordOf } from './record.js';
import { decodeVector, idRank, keyOf, RANK_END } from './values.js';
import { NO_WORK, WORK_FIELDS } from './work-fields.js';

/** Factor by which a window is wider than estimated, so that one window usually contains a whole page. */
const WINDOW_MARGIN = 2;
const WIDENING = 16;

/**
 * Reads one range of id ranks after another from the index, until a page is full. The cost of a page depends on its
 * size, not on the size of the graph. Ids with the same rank are always in the same range.
 *
 * @param columns of the node `n`
 */
export async function pageByRank<Row>(
  connection: Connection,
  { afterId, limit }: PageRequest,
  label: string,
  columns: string,
): Promise<Row[]> {
  if (limit <= 0) return [];
  const rank = label === 'Memory' ? '_id_rank' : '_node_rank';
  const [counted] = await connection.read<{ count: number }>(`MATCH (n:${label}) RETURN count(n) AS count`);
  const statement = `MATCH (n:${label}) WHERE n.${rank} >= $from AND n.${rank} < $until AND n.id + '' > $after
    RETURN ${columns} ORDER BY n.id LIMIT $limit`;
  const found: Row[] = [];
  const after = afterId === undefined ? '' : keyOf(afterId);
  let from = afterId === undefined ? 0 : idRank(afterId);
  let width = Math.ceil((RANK_END / Math.max(counted?.count ?? 0, 1)) * limit * WINDOW_MARGIN);
  while (found.length < limit && from < RANK_END) {
    const until = from + width;
    found.push(...(await connection.read<Row>(statement, { from, until, after, limit: limit - found.length })));
    from = until;
    width *= WIDENING;
  }
  return found;
}

export async function readRecords(connection: Connection, page: PageRequest): Promise<NewRecord[]> {
  const states = WORK_FIELDS.map(({ state }) => `n.${state}`).join(', ');
  const columns = `${recordOf('n')} AS record, n._supplied AS supplied, [${states}] AS states`;
  type Row = { record: RecordRow; supplied: string; states: string[] };
  const rows = await pageByRank<Row>(connection, page, 'Memory', columns);
  return rows.flatMap(({ record, supplied, states: found }): NewRecord[] => {
    const memory = memoryOf(record);
    if (!memory) return [];
    const work = WORK_FIELDS.flatMap(({ kind }, index): WorkKind[] => (found[index] === NO_WORK ? [] : [kind]));
    return [{ memory, ...(supplied && { embedding: decodeVector(supplied) }), work }];
  });
}
