/** Changes and deletes memories. Each memory is written with all its indexes in one transaction. */

import { partsOf } from '../../domain/collections.js';
import { payloadOf } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { searchedMetadata } from '../../domain/metadata.js';
import { type Connection, placeholders } from '../database/connection.js';
import type { MemoryChange, MemoryEdit, RelevanceOf, StoredHistory, SuggestionOf } from '../ports/memory-store.js';
import { noteRevision } from './last-known.js';
import type { MemoryDatabase } from './memory-database.js';
import { deleteNodes, getNode, saveNode } from './nodes.js';
import { MEMORY_COLUMNS, type MemoryRow, memoryOf, memoryValues } from './rows.js';
import { noteStaleVector } from './stale-vectors.js';
import { rewriteTags } from './tag-rows.js';
import { deleteWords, rewriteWords } from './word-rows.js';
import { dequeue, enqueue, putVector, restartClaimed } from './work.js';

const UPDATE_MEMORY = `UPDATE memories SET ${MEMORY_COLUMNS.map(column => `${column} = ?`).join(', ')} WHERE row = ?`;
/**
 * Maximum number of ids in a statement. SQLite limits the length of a statement and the number of its parameters.
 */
const IDS_PER_STATEMENT = 500;

export function updateMemory(
  connection: MemoryDatabase,
  id: string,
  change: (current: Memory) => MemoryChange,
): Memory | undefined {
  return connection.transaction(() => {
    const current = connection.get<MemoryRow>('SELECT * FROM memories WHERE id = ?', id);
    if (!current) return undefined;
    const { memory, vector, work } = change(memoryOf(current));
    noteRevision(connection);
    rewrite(connection, current, memory);
    if (vector && connection.vectors) {
      putVector(connection, memory, vector);
      dequeue(connection, 'embed', current.row);
    }
    for (const kind of work) enqueue(connection, kind, current.row);
    return memory;
  });
}

export function editMemory(
  connection: MemoryDatabase,
  id: string,
  edit: (current: Memory, history: StoredHistory | undefined) => MemoryEdit,
): Memory | undefined {
  return connection.transaction(() =>
    updateMemory(connection, id, current => {
      const made = edit(current, getNode(connection, 'MemoryHistory', id));
      if (made.history) saveNode(connection, { kind: 'MemoryHistory', id, ...made.history });
      return made;
    }),
  );
}

/** Writes a changed record with its indexes. Work in flight on the memory starts over. */
export function rewrite(connection: MemoryDatabase, current: MemoryRow, memory: Memory): void {
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
  } else if (isPayloadChanged(current, memory)) {
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

/** Whether the payload in the vector store is out of date. */
function isPayloadChanged(current: MemoryRow, memory: Memory): boolean {
  const { t_valid, t_invalid, archived } = memoryOf(current);
  return (
    areTagsOrTimeChanged(current, memory) ||
    t_valid !== memory.t_valid ||
    t_invalid !== memory.t_invalid ||
    archived !== memory.archived
  );
}

export function deleteMemories(connection: MemoryDatabase, ids: readonly string[]): string[] {
  return connection.transaction(() => {
    noteRevision(connection);
    return partsOf(ids, IDS_PER_STATEMENT).flatMap(chunk => {
      const list = placeholders(chunk);
      const rows = connection.all<{ row: number; id: string }>(
        `SELECT row, id FROM memories WHERE id IN (${list})`,
        ...chunk,
      );
      for (const { row, id } of rows) {
        deleteWords(connection, row);
        if (!connection.vectors) noteStaleVector(connection, id);
      }
      connection.vectors?.remove(rows.map(({ id }) => id));
      deleteNodes(connection, 'MemoryHistory', chunk);
      connection.run(`DELETE FROM memories WHERE id IN (${list})`, ...chunk);
      return rows.map(({ id }) => id);
    });
  });
}

export function deleteUnchanged(
  connection: MemoryDatabase,
  given: readonly Pick<Memory, 'id' | 'updated_at'>[],
): string[] {
  return connection.transaction(() => {
    const isUnchanged = ({ id, updated_at }: Pick<Memory, 'id' | 'updated_at'>) => {
      const statement = 'SELECT 1 AS found FROM memories WHERE id = ? AND updated_ms = ?';
      return connection.get(statement, id, Date.parse(updated_at)) !== undefined;
    };
    return deleteMemories(
      connection,
      given.filter(isUnchanged).map(({ id }) => id),
    );
  });
}

export function touch(
  connection: Connection,
  ids: readonly string[],
  { lastAccessed, minGapMs = 1 }: { lastAccessed: string; minGapMs: number | undefined },
): void {
  const accessedMs = Date.parse(lastAccessed);
  connection.transaction(() => {
    for (const chunk of partsOf(ids, IDS_PER_STATEMENT)) {
      connection.run(
        `UPDATE memories SET accessed_ms = ? WHERE id IN (${placeholders(chunk)}) AND accessed_ms <= ?`,
        accessedMs,
        ...chunk,
        accessedMs - minGapMs,
      );
    }
  });
}

export function saveRelevance(connection: Connection, changes: readonly RelevanceOf[]): void {
  connection.transaction(() => {
    for (const { id, relevance } of changes) {
      connection.run('UPDATE memories SET relevance = ? WHERE id = ?', relevance, id);
    }
  });
}

export function saveSuggestions(connection: Connection, changes: readonly SuggestionOf[]): void {
  connection.transaction(() => {
    for (const { id, maybeOutdatedBy } of changes) {
      connection.run('UPDATE memories SET maybe_outdated_by = ? WHERE id = ?', maybeOutdatedBy, id);
    }
  });
}
