/**
 * Walks over all memories in pages: reads them ordered by id, or writes words again that an earlier version of the text
 * analyzer wrote. The words themselves name their version, so an interruption loses nothing, and any number of servers
 * with different versions may share the graph.
 */
import { ANALYZER_VERSION } from '../../domain/versions.js';
import type { OutdatedWords, RewritingPage, RewrittenPage } from '../graph-store.js';
import type { NewRecord, PageRequest } from '../ports/memory-store.js';
import type { WorkKind } from '../ports/work-queue.js';
import type { Connection } from './connection.js';
import { markedWords, wordsMark } from './index-node.js';
import { isOurs, memoryOf, type RecordRow, recordOf, type StoredRow, storedColumns, storedOf } from './record.js';
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

const MARK = wordsMark(ANALYZER_VERSION);
const NEXT_MARK = wordsMark(ANALYZER_VERSION + 1);

export async function countOutdatedWords(connection: Connection): Promise<OutdatedWords> {
  const [counted] = await connection.read<{ older: number; newer: number }>(
    `MATCH (i:_MemoryIndex)
     RETURN sum(CASE WHEN i.words < $mark THEN 1 ELSE 0 END) AS older,
       sum(CASE WHEN i.words >= $next THEN 1 ELSE 0 END) AS newer`,
    { mark: MARK, next: NEXT_MARK },
  );
  return { outdatedCount: counted?.older ?? 0, hasNewer: (counted?.newer ?? 0) > 0 };
}

/** `from` is the number that the server gave a `_MemoryIndex`. A memory that is changed meanwhile is read again. */
export async function rewriteOutdatedWords(
  connection: Connection,
  { from = 0, limit }: RewritingPage,
): Promise<RewrittenPage> {
  const found = await connection.read<StoredRow & { node: number }>(
    `MATCH (i:_MemoryIndex) WHERE ID(i) >= $from AND i.words < $mark WITH i LIMIT $limit
     OPTIONAL MATCH (m:Memory {id: i.id}) WHERE ${isOurs('m')}
     RETURN ID(i) AS node, ${storedColumns('m')}`,
    { from, mark: MARK, limit },
  );
  const nodes = found.flatMap(row => {
    // Another program has removed the memory or made it unreadable.
    const stored = storedOf(row);
    if (!stored) return [];
    const { memory, revision } = stored;
    return [{ node: row.node, id: keyOf(memory.id), revision, words: markedWords(memory) }];
  });
  const written = new Set(await write(connection, nodes));
  const unwritten = nodes.filter(({ node }) => !written.has(node)).map(({ node }) => node);
  const isEnd = found.length < limit && unwritten.length === 0;
  const behind = Math.max(from, ...found.map(({ node }) => node + 1));
  return { rewrittenCount: written.size, ...(!isEnd && { next: Math.min(behind, ...unwritten) }) };
}

type Rewritten = {
  node: number;
  id: string;
  revision: number;
  words: string;
};

/** @returns the numbers of the nodes that were written */
async function write(connection: Connection, nodes: readonly Rewritten[]): Promise<number[]> {
  if (nodes.length === 0) return [];
  const rows = await connection.write<{ node: number }>(
    `UNWIND $nodes AS each MATCH (m:Memory {id: each.id}) WHERE m._revision = each.revision
     MATCH (i:_MemoryIndex {id: each.id}) WHERE ID(i) = each.node
     SET i.words = each.words
     RETURN each.node AS node`,
    { nodes },
  );
  return rows.map(({ node }) => node);
}
