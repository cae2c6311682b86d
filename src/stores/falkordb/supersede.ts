/**
 * Supersedes a memory in one statement: saves the new memory, changes the superseded memory, and adds the edge between
 * the two.
 */
import type { SaveOutcome, SupersedeRequest } from '../ports/memory-store.js';
import { readAdopted } from './adopt-nodes.js';
import type { Connection } from './connection.js';
import { keyOf } from './encoding.js';
import { contentsOf, planSave } from './memories.js';
import { newNodes } from './records.js';
import { edgeWrites } from './relations.js';
import { untilWritten, WRITE_CONFLICT } from './retry.js';
import { rewriteClauses, rewriteOf } from './rewrite.js';

export function supersede(connection: Connection, request: SupersedeRequest): Promise<SaveOutcome | undefined> {
  const { record, supersededId, change, relation } = request;
  return untilWritten(async () => {
    const stored = await readAdopted(connection, supersededId);
    if (!stored) return undefined;
    const [outcome] = planSave([record], await contentsOf(connection, [record])).outcomes;
    const { memory, work } = change(stored.memory);
    const rewrite = rewriteOf(stored, memory, work);
    const { clauses, parameters } = edgeWrites([relation]);
    const isCreated = outcome === 'created';
    const { memory: created, index: created_index } = newNodes(record);
    const rows = await connection.write(
      `OPTIONAL MATCH (taken:Memory {id: $new_id})
       WITH count(taken) AS taken WHERE taken = ${isCreated ? 0 : 1}
       MATCH (m:Memory {id: $id}) WHERE m._revision = $revision
       ${isCreated ? 'CREATE (n:Memory) SET n = $created MERGE (ni:_MemoryIndex {id: $new_id}) SET ni = $created_index WITH m' : ''}
       ${rewriteClauses(rewrite)}
       WITH m
       ${clauses}
       RETURN 1 AS written`,
      {
        ...rewrite.parameters,
        new_id: keyOf(record.memory.id),
        ...(isCreated && { created, created_index }),
        ...parameters,
      },
    );
    return rows.length > 0 ? outcome : WRITE_CONFLICT;
  });
}
