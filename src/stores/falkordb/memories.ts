/** Reads, changes and deletes memories, and writes each memory with its index in one statement. */
import { idTaken } from '../../domain/errors.js';
import type { Memory } from '../../domain/memory.js';
import type {
  Annotation,
  MemoryChange,
  NewRecord,
  RecordParts,
  SaveOutcome,
  StoredHistory,
} from '../ports/memory-store.js';
import { adoptExisting, readAdopted } from './adopt-nodes.js';
import type { Connection } from './connection.js';
import { decodeText, encodeText, idIn, keyOf, keysOf, NONE } from './encoding.js';
import { memoriesById } from './found-records.js';
import { readByIds } from './in-parts.js';
import { nodeProperties } from './node-properties.js';
import { getNode } from './nodes.js';
import { Float, type Parameters } from './parameters.js';
import { memoryOf, type RecordRow, recordOf } from './read-record.js';
import type { RecordReader } from './record-reader.js';
import { newNodes } from './records.js';
import { untilWritten, WRITE_CONFLICT } from './retry.js';
import { rewriteClauses, rewriteOf } from './rewrite.js';
import { noteStaleVectors } from './stale-vectors.js';

/**
 * Creates the nodes of new memories. The index node is merged, because another program may have removed a memory with
 * the same id and left its index node.
 */
const NEW_NODES = `UNWIND $records AS record
  CREATE (m:Memory) SET m = record.memory
  MERGE (i:_MemoryIndex {id: record.index.id}) SET i = record.index`;

/** Collects all records first, because one request writes all of them. */
export async function saveMemories(
  connection: Connection,
  given: readonly NewRecord[] | RecordParts,
): Promise<SaveOutcome[]> {
  if (!(Symbol.asyncIterator in given)) return saveRecords(connection, given);
  const records: NewRecord[] = [];
  for await (const part of given) records.push(...part);
  return saveRecords(connection, records);
}

/** Reads the existing contents only if a write finds that an id is taken, because conflicts are rare. */
async function saveRecords(connection: Connection, records: readonly NewRecord[]): Promise<SaveOutcome[]> {
  if (records.length === 0) return [];
  let existing = new Map<string, string>();
  return untilWritten(async () => {
    const { outcomes, created } = planSave(records, existing);
    if (created.length === 0) return outcomes;
    const rows = await connection.write(
      `OPTIONAL MATCH (taken:Memory) WHERE taken.id IN $ids
       WITH count(taken) AS taken WHERE taken = 0
       ${NEW_NODES}
       RETURN count(m) AS created, 1 AS written`,
      { ids: created.map(({ memory: { id } }) => keyOf(id)), records: created.map(newNodes) },
    );
    const isWritten = rows.length > 0 && (rows[0] as { created: number }).created === created.length;
    if (isWritten) return outcomes;
    existing = await contentsOf(connection, records);
    return WRITE_CONFLICT;
  });
}

/**
 * Decides the outcome of each record, given the existing contents.
 *
 * @throws MemoryError `conflict` with the index of the record
 */
export function planSave(records: readonly NewRecord[], existing: ReadonlyMap<string, string>) {
  const contents = new Map(existing);
  const created: NewRecord[] = [];
  const outcomes = records.map((record, index): SaveOutcome => {
    const { id, content } = record.memory;
    const known = contents.get(id);
    if (known === content && !record.isNew) return 'replayed';
    if (known !== undefined) throw idTaken(id, { index, isSameContent: known === content });
    contents.set(id, content);
    created.push(record);
    return 'created';
  });
  return { outcomes, created };
}

/** Represents the content of an unreadable node; no memory has this content. */
const NOT_READABLE = '';

/** Returns the contents of the existing nodes, by id. */
export async function contentsOf(connection: Connection, records: readonly NewRecord[]): Promise<Map<string, string>> {
  const statement = `UNWIND $ids AS id MATCH (m:Memory {id: id}) RETURN ${recordOf('m')} AS record, ${idIn('m')} AS key`;
  const ids = records.map(({ memory }) => memory.id);
  const rows = await readByIds<{ record: RecordRow; key: string }>(connection, statement, ids);
  // An unreadable node also occupies its id.
  return new Map(
    rows.map(({ record, key }) => [memoryOf(record)?.id ?? key, memoryOf(record)?.content ?? NOT_READABLE]),
  );
}

/** Returns the memories in the order of the ids. */
export async function getMemories(records: RecordReader, ids: readonly string[]): Promise<Map<string, Memory>> {
  const found = memoriesById(await records.read(ids));
  return new Map(ids.flatMap(id => (found.has(id) ? [[id, found.get(id) as Memory]] : [])));
}

/**
 * Reads the record first, and then the history. A change that writes a history also raises the revision of its record.
 * If another change has changed the history in between, the revision therefore differs, and this change is tried again.
 */
export function updateMemory(
  connection: Connection,
  id: string,
  change: (current: Memory, history: StoredHistory | undefined) => MemoryChange,
): Promise<Memory | undefined> {
  return untilWritten(async () => {
    const stored = await readAdopted(connection, id);
    if (!stored) return undefined;
    const { memory, work, history } = change(stored.memory, await getNode(connection, 'MemoryHistory', id));
    const rewrite = rewriteOf(stored, memory, work);
    const rows = await connection.write(
      `MATCH (m:Memory {id: $id}) WHERE m._revision = $revision
       ${rewriteClauses(rewrite)}
       ${history ? 'WITH m MERGE (h:MemoryHistory {id: $id}) SET h += $history' : ''}
       RETURN 1 AS written`,
      {
        ...rewrite.parameters,
        ...(history && { history: nodeProperties({ kind: 'MemoryHistory', id, ...history }) }),
      },
    );
    return rows.length > 0 ? memory : WRITE_CONFLICT;
  });
}

export async function deleteMemories(
  connection: Connection,
  ids: readonly string[],
  updatedAt?: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (ids.length === 0) return [];
  if (updatedAt) return deleteUnchanged(connection, ids, updatedAt);
  const gone = await deleteIndexed(connection, ids);
  const rest = ids.filter(id => !gone.includes(id));
  const adopted = rest.length > 0 ? await adoptExisting(connection, rest) : [];
  return adopted.length > 0 ? [...gone, ...(await deleteIndexed(connection, adopted))] : gone;
}

/** Deletes the memories whose `updated_at` is unchanged. A node that is not adopted yet is not deleted. */
async function deleteUnchanged(
  connection: Connection,
  ids: readonly string[],
  updatedAt: ReadonlyMap<string, string>,
): Promise<string[]> {
  const wanted = new Map(ids.map(id => [keyOf(id), updatedAt.get(id) ?? '']));
  return deleteWhere(
    connection,
    `UNWIND $wanted AS each WITH each[0] AS id, each[1] AS updated_at
     MATCH (m:Memory {id: id}) WHERE m._revision > 0 AND m.updated_at = updated_at`,
    { wanted: [...wanted] },
  );
}

async function deleteIndexed(connection: Connection, ids: readonly string[]): Promise<string[]> {
  const pattern = 'UNWIND $ids AS id MATCH (m:Memory {id: id}) WHERE m._revision > 0';
  return deleteWhere(connection, pattern, { ids: keysOf(ids) });
}

/** @param pattern finds each memory as `m`, and its id as `id` */
async function deleteWhere(connection: Connection, pattern: string, parameters: Parameters): Promise<string[]> {
  const rows = await connection.write<{ gone: string[] }>(
    `${pattern} OPTIONAL MATCH (i:_MemoryIndex {id: id})
     WITH m, i, m.id AS id, m._exact_id AS exact_id
     OPTIONAL MATCH (h:MemoryHistory {id: id})
     DELETE m, i, h
     WITH collect({id: id, _exact_id: exact_id}) AS stale WHERE size(stale) > 0
     ${noteStaleVectors('stale')}
     RETURN [each IN stale | ${idIn('each')}] AS gone`,
    parameters,
  );
  return rows.flatMap(({ gone }) => gone.map(decodeText));
}

/** Writes each field with one statement, and the last annotation of each memory only. */
export async function annotate(connection: Connection, annotations: readonly Annotation[]): Promise<void> {
  await saveRelevance(
    connection,
    lastOf(annotations, ({ relevance }) => relevance),
  );
  await saveSuggestions(
    connection,
    lastOf(annotations, ({ maybeOutdatedBy }) => maybeOutdatedBy),
  );
  await saveAccesses(
    connection,
    lastOf(annotations, ({ lastAccessed }) => lastAccessed),
  );
}

/** Returns the last value of each memory, by the key of the memory. */
function lastOf<Value>(
  annotations: readonly Annotation[],
  read: (annotation: Annotation) => Value | undefined,
): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const annotation of annotations) {
    const value = read(annotation);
    if (value !== undefined) values.set(keyOf(annotation.id), value);
  }
  return values;
}

/**
 * Writes only the public property `relevance_score`. The property `_exact` may still contain the former relevance.
 * Readers notice the difference, and use the public property.
 */
async function saveRelevance(connection: Connection, ofKeys: ReadonlyMap<string, number | null>): Promise<void> {
  const set = [...ofKeys].flatMap(([id, relevance]) =>
    relevance === null ? [] : [{ id, relevance: new Float(relevance) }],
  );
  const removed = [...ofKeys].flatMap(([id, relevance]) => (relevance === null ? [id] : []));
  if (set.length > 0) {
    const statement = 'UNWIND $changes AS each MATCH (m:Memory {id: each.id}) SET m.relevance_score = each.relevance';
    await connection.write(statement, { changes: set });
  }
  if (removed.length > 0) {
    await connection.write('UNWIND $ids AS id MATCH (m:Memory {id: id}) REMOVE m.relevance_score', { ids: removed });
  }
}

async function saveSuggestions(connection: Connection, ofKeys: ReadonlyMap<string, string | null>): Promise<void> {
  const changes = [...ofKeys].map(([id, text]) => ({ id, text: text === null ? NONE : encodeText(text) }));
  const statement = 'UNWIND $changes AS each MATCH (m:Memory {id: each.id}) SET m._maybe_outdated_by = each.text';
  if (changes.length > 0) await connection.write(statement, { changes });
}

async function saveAccesses(connection: Connection, ofKeys: ReadonlyMap<string, string>): Promise<void> {
  const changes = [...ofKeys].map(([id, at]) => ({ id, at }));
  const statement = `UNWIND $changes AS each MATCH (m:Memory {id: each.id})
    WHERE coalesce(m.last_accessed, '') < each.at SET m.last_accessed = each.at`;
  if (changes.length > 0) await connection.write(statement, { changes });
}
