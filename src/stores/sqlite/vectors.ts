/** Keeps the vectors consistent with their memories, whether both are in one file or the vectors in another store. */
import { SUPPLIED_EMBEDDING } from '../../domain/memory.js';
import type { Connection } from '../database/connection.js';
import type { StaleVector } from '../graph-store.js';

const BYTES_PER_VALUE = Float32Array.BYTES_PER_ELEMENT;

/**
 * Ensures that a memory has `embedded_by` exactly when the file has its vector. Memories that lose `embedded_by` are
 * embedded again. A supplied vector whose length differs from VECTOR_SIZE cannot be compared, so it is removed, and the
 * memory is embedded from its text.
 *
 * @param dimensions VECTOR_SIZE
 */
export function matchVectors(connection: Connection, dimensions: number): void {
  connection.transaction(() => {
    connection.run(
      `DELETE FROM vectors WHERE model = ? AND id IN (
         SELECT id FROM supplied_embeddings JOIN memories ON memories.row = memory WHERE length(vector) <> ?
       )`,
      SUPPLIED_EMBEDDING,
      dimensions * BYTES_PER_VALUE,
    );
    const counts = connection.get<{ vectors: number; memories: number }>(
      `SELECT (SELECT count(*) FROM vectors) AS vectors,
              (SELECT count(*) FROM memories WHERE embedded_by IS NOT NULL) AS memories`,
    );
    // Memories and vectors in one file change in one transaction, so equal counts mean equal sets.
    if (counts?.vectors === counts?.memories) return;
    connection.execute(`
      UPDATE memories SET embedded_by = NULL
        WHERE embedded_by IS NOT NULL AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.id = memories.id);
      DELETE FROM vectors WHERE id NOT IN (SELECT id FROM memories WHERE embedded_by IS NOT NULL);
      DELETE FROM exact_vectors WHERE row NOT IN (SELECT row FROM vectors);
    `);
  });
}

/**
 * Removes all vectors from the graph file. Called if another store contains the vectors. While the file had vectors, the
 * other store did not follow the changes of their memories, so all memories are embedded again.
 */
export function removeVectors(connection: Connection): void {
  if (!connection.get('SELECT 1 FROM vectors LIMIT 1')) return;
  connection.transaction(() =>
    connection.execute(`
      UPDATE memories SET embedded_by = NULL WHERE embedded_by IS NOT NULL;
      DELETE FROM vectors;
      DELETE FROM exact_vectors;
    `),
  );
}

/** Notes that the vector of a memory is stale. A later note about the same memory replaces an earlier note. */
export function noteStaleVector(connection: Connection, id: string): void {
  connection.run('INSERT OR REPLACE INTO stale_vectors (id) VALUES (?)', id);
}

export function staleVectors(connection: Connection, limit: number): StaleVector[] {
  const statement = 'SELECT note, id FROM stale_vectors ORDER BY note LIMIT ?';
  const rows = connection.all<{ note: number; id: string }>(statement, limit);
  return rows.map(({ note, id }) => ({ id, token: String(note) }));
}

export function settleStaleVectors(connection: Connection, tokens: readonly string[]): void {
  connection.transaction(() => {
    for (const token of tokens) connection.run('DELETE FROM stale_vectors WHERE note = ?', Number(token));
  });
}
