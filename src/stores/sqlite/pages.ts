/** Walks over all records in pages, ordered by id. */

import type { Connection } from '../database/connection.js';
import type { VectorState } from '../graph-store.js';
import type { NewRecord, PageRequest } from '../ports/memory-store.js';
import type { WorkKind } from '../ports/work-queue.js';
import { type MemoryRow, memoryOf, vectorOf } from './rows.js';

interface RecordRow extends MemoryRow {
  vector: ArrayBuffer | Uint8Array | null;
  /** A JSON array of the kinds of work that is pending, is in flight or has failed. */
  waits_for: string;
}

export function readRecords(connection: Connection, { afterId = '', limit }: PageRequest): NewRecord[] {
  const rows = connection.all<RecordRow>(
    `SELECT memories.*, supplied_embeddings.vector, (
       SELECT json_group_array(kind) FROM work WHERE work.memory = memories.row
     ) AS waits_for
     FROM memories LEFT JOIN supplied_embeddings ON supplied_embeddings.memory = memories.row
     WHERE memories.id > ? ORDER BY memories.id LIMIT ?`,
    afterId,
    limit,
  );
  return rows.map(row => ({
    memory: memoryOf(row),
    ...(row.vector && { embedding: vectorOf(row.vector) }),
    work: JSON.parse(row.waits_for) as WorkKind[],
  }));
}

export function vectorStates(connection: Connection, { afterId = '', limit }: PageRequest): VectorState[] {
  const rows = connection.all<{ id: string; embedded_by: string | null; has_work: number; is_pending: number }>(
    `SELECT id, embedded_by, work.memory IS NOT NULL AS has_work, due_ms IS NOT NULL AS is_pending
     FROM memories LEFT JOIN work ON kind = 'embed' AND work.memory = memories.row
     WHERE id > ? ORDER BY id LIMIT ?`,
    afterId,
    limit,
  );
  return rows.map(({ id, embedded_by: embeddedBy, has_work, is_pending }) => ({
    id,
    ...(embeddedBy !== null && { embeddedBy }),
    isPending: is_pending === 1,
    hasFailed: has_work === 1 && is_pending === 0,
  }));
}
