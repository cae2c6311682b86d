/** Ends work that changes its memory: the claim, record, edges and patterns are written in one transaction. */
import type { WorkOutcome } from '../ports/work-queue.js';
import { rewrite } from './memories.js';
import type { MemoryDatabase } from './memory-database.js';
import { linkNode, saveNode, unlinkMemory } from './nodes.js';
import { removeOutgoing, saveRelations } from './relations.js';
import { type MemoryRow, memoryOf } from './rows.js';
import { parseToken, settleWork } from './work.js';

export function completeWork(
  connection: MemoryDatabase,
  token: string,
  { change, edges, patterns }: WorkOutcome,
): boolean {
  return connection.relaxedTransaction(() => {
    if (settleWork(connection, [token]).length === 0) return false;
    const row = connection.get<MemoryRow>('SELECT * FROM memories WHERE row = ?', parseToken(token).row);
    if (!row) return false;
    rewrite(connection, row, change(memoryOf(row)));
    if (edges) {
      removeOutgoing(connection, row.row, edges.types);
      saveRelations(connection, edges.relations);
    }
    if (patterns) {
      unlinkMemory(connection, row.row, 'Pattern');
      for (const node of patterns.nodes) saveNode(connection, node);
      for (const link of patterns.links) linkNode(connection, link);
    }
    return true;
  });
}
