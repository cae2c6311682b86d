/**
 * Writes the words of memories again that an earlier version of the text analyzer wrote. The words themselves name
 * their version, so an interruption loses nothing, and any number of servers with different versions may share the graph.
 */
import { ANALYZER_VERSION } from '../../domain/versions.js';
import type { OutdatedWords, RewritingPage, RewrittenPage } from '../graph-store.js';
import type { Connection } from './connection.js';
import { markedWords, wordsMark } from './index-node.js';
import { isOurs, type StoredRow, storedColumns, storedOf } from './record.js';
import { keyOf } from './values.js';

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
