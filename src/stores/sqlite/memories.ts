/** Changes, supersedes and deletes memories. Each memory is written with all its indexes in one transaction. */
import { hasSamePayload, payloadOf } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { searchedMetadata } from '../../domain/metadata.js';
import { type Connection, GIVEN_IDS } from '../database/connection.js';
import type { Annotation, MemoryChange, SaveOutcome, StoredHistory, SupersedeRequest } from '../ports/memory-store.js';
import type { WorkOutcome } from '../ports/work-queue.js';
import { countChange } from './last-known.js';
import type { MemoryDatabase } from './memory-database.js';
import { deleteNodes, getNode, linkNode, saveNode, unlinkMemory } from './nodes.js';
import { removeOutgoing, saveRelations } from './relations.js';
import { MEMORY_COLUMNS, type MemoryRow, memoryOf, memoryValues } from './rows.js';
import { saveMemories, supplyEmbedding } from './save-memories.js';
import { rewriteTags } from './tags.js';
import { noteStaleVector } from './vectors.js';
import { deleteWords, rewriteWords } from './words.js';
import { dequeue, enqueue, parseToken, putVector, restartClaimed, settleWork } from './work.js';

const UPDATE_MEMORY = `UPDATE memories SET ${MEMORY_COLUMNS.map(column => `${column} = ?`).join(', ')} WHERE row = ?`;
export function updateMemory(
  connection: MemoryDatabase,
  id: string,
  change: (current: Memory, history: StoredHistory | undefined) => MemoryChange,
): Memory | undefined {
  return connection.transaction(() => {
    const current = connection.get<MemoryRow>('SELECT * FROM memories WHERE id = ?', id);
    if (!current) return undefined;
    const { memory, embedding, vector, work, history } = change(
      memoryOf(current),
      getNode(connection, 'MemoryHistory', id),
    );
    if (history) saveNode(connection, { kind: 'MemoryHistory', id, ...history });
    countChange(connection);
    rewrite(connection, current, memory);
    if (embedding) supplyEmbedding(connection, current.row, embedding);
    if (vector && connection.vectors) {
      putVector(connection, memory, vector);
      dequeue(connection, 'embed', current.row);
    }
    for (const kind of work) enqueue(connection, kind, current.row);
    return memory;
  });
}

/** Writes a changed record with its indexes. Work in flight on the memory starts over. */
function rewrite(connection: MemoryDatabase, current: MemoryRow, memory: Memory): void {
  connection.run(UPDATE_MEMORY, ...memoryValues(memory), current.row);
  const isContentChanged = memory.content !== current.content;
  if (isContentChanged || areLabelsChanged(current, memory)) rewriteWords(connection, current.row, memory);
  if (areTagsOrTimeChanged(current, memory) || memory.importance !== current.importance) {
    rewriteTags(connection, current.row, memory);
  }
  if (isContentChanged) connection.run('DELETE FROM supplied_embeddings WHERE memory = ?', current.row);
  updateVector(connection, current, memory);
  restartClaimed(connection, current.row);
}

/**
 * Removes the vector if the changed memory has no embedding model. Otherwise, if the payload has changed, updates the
 * payload of a vector in the same file, and notes a vector in another store as stale.
 */
function updateVector(connection: MemoryDatabase, current: MemoryRow, memory: Memory): void {
  const { vectors } = connection;
  const model = memory.embedded_by;
  if (model === undefined) {
    if (current.embedded_by !== null) vectors?.remove([memory.id]);
  } else if (!hasSamePayload(memoryOf(current), memory)) {
    if (vectors) vectors.changePayloads([{ id: memory.id, payload: payloadOf(memory, model) }]);
    else noteStaleVector(connection, memory.id);
  }
}

function areTagsChanged(current: MemoryRow, memory: Memory): boolean {
  return current.tags !== JSON.stringify(memory.tags);
}

/** Whether the words of tags or metadata may have changed. */
function areLabelsChanged(current: MemoryRow, memory: Memory): boolean {
  if (areTagsChanged(current, memory)) return true;
  return searchedMetadata(memoryOf(current).metadata) !== searchedMetadata(memory.metadata);
}

function areTagsOrTimeChanged(current: MemoryRow, memory: Memory): boolean {
  return areTagsChanged(current, memory) || current.timestamp_ms !== Date.parse(memory.timestamp);
}

export function deleteMemories(
  connection: MemoryDatabase,
  ids: readonly string[],
  updatedAt?: ReadonlyMap<string, string>,
): string[] {
  const isKept = ({ id, updated_ms }: DeletedRow) => {
    const expected = updatedAt?.get(id);
    return expected !== undefined && updated_ms !== Date.parse(expected);
  };
  return connection.transaction(() => {
    countChange(connection);
    const found = connection.all<DeletedRow>(`SELECT row, id, updated_ms FROM ${GIVEN_IDS}`, JSON.stringify(ids));
    const rows = found.filter(row => !isKept(row));
    for (const { row, id } of rows) {
      deleteWords(connection, row);
      if (!connection.vectors) noteStaleVector(connection, id);
      connection.run('DELETE FROM memories WHERE row = ?', row);
    }
    const removed = rows.map(({ id }) => id);
    connection.vectors?.remove(removed);
    deleteNodes(connection, 'MemoryHistory', removed);
    return removed;
  });
}

interface DeletedRow {
  row: number;
  id: string;
  updated_ms: number;
}

export function annotate(connection: Connection, annotations: readonly Annotation[]): void {
  connection.transaction(() => {
    for (const { id, relevance, maybeOutdatedBy, lastAccessed } of annotations) {
      if (relevance !== undefined) connection.run('UPDATE memories SET relevance = ? WHERE id = ?', relevance, id);
      if (maybeOutdatedBy !== undefined) {
        connection.run('UPDATE memories SET maybe_outdated_by = ? WHERE id = ?', maybeOutdatedBy, id);
      }
      if (lastAccessed === undefined) continue;
      const accessedMs = Date.parse(lastAccessed);
      connection.run(
        'UPDATE memories SET accessed_ms = ? WHERE id = ? AND accessed_ms < ?',
        accessedMs,
        id,
        accessedMs,
      );
    }
  });
}

export function supersede(connection: MemoryDatabase, request: SupersedeRequest): SaveOutcome | undefined {
  const { record, supersededId, change, relation } = request;
  return connection.transaction(() => {
    if (!connection.get('SELECT 1 FROM memories WHERE id = ?', supersededId)) return undefined;
    const [outcome] = saveMemories(connection, [record]);
    updateMemory(connection, supersededId, change);
    saveRelations(connection, [relation]);
    return outcome;
  });
}

/** Ends work that changes its memory: the claim, record, edges and patterns are written in one transaction. */
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
