/** Writes and reads memories. Each is written with its index in one statement, and changed only if nobody else was faster. */
import { idTaken } from '../../domain/errors.js';
import { hasSamePayload } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type {
  Annotation,
  MemoryChange,
  NewRecord,
  RecordParts,
  SaveOutcome,
  StoredHistory,
  SupersedeRequest,
} from '../ports/memory-store.js';
import type { Connection } from './connection.js';
import { noteStaleVectors } from './derived-data.js';
import { RefusedError } from './failures.js';
import { indexChanges } from './index-node.js';
import { mergeNode, NODE_COLUMNS, type NodeRow, nodeOf, nodeProperties } from './nodes.js';
import {
  idOfRow,
  isOurs,
  memoryOf,
  newNodes,
  type Properties,
  type RecordRow,
  recordOf,
  recordProperties,
  type StoredMemory,
  type StoredRow,
  storedColumns,
  storedOf,
} from './record.js';
import { memoriesIn } from './record-cache.js';
import { edgeWrites } from './relations.js';
import {
  decodeText,
  encodeText,
  encodeVector,
  Float,
  idIn,
  keyOf,
  keysOf,
  NONE,
  type Parameters,
  readInstant,
  type Value,
} from './values.js';
import { requeueClauses, requeueParameters } from './work-fields.js';

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
    const rows = await connection.write<{ created: number }>(
      `OPTIONAL MATCH (taken:Memory) WHERE taken.id IN $ids AND ${isOurs('taken')}
       WITH count(taken) AS taken WHERE taken = 0
       ${NEW_NODES}
       RETURN count(m) AS created`,
      { ids: created.map(({ memory: { id } }) => keyOf(id)), records: created.map(newNodes) },
    );
    if (rows[0]?.created === created.length) return outcomes;
    existing = await contentsOf(connection, records);
    return WRITE_CONFLICT;
  });
}

/**
 * Decides the outcome of each record, given the existing contents.
 *
 * @throws MemoryError `conflict` with the index of the record
 */
function planSave(records: readonly NewRecord[], existing: ReadonlyMap<string, string>) {
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

/** Returns the contents of the existing memories by id. */
async function contentsOf(connection: Connection, records: readonly NewRecord[]): Promise<Map<string, string>> {
  const statement = `MATCH (m:Memory) WHERE m.id IN $ids AND ${isOurs('m')} RETURN ${recordOf('m')} AS record`;
  const ids = records.map(({ memory }) => memory.id);
  const rows = await connection.readByIds<{ record: RecordRow }>(statement, ids);
  // The content of a memory that cannot be read equals no other content.
  return new Map(rows.map(({ record }) => [idOfRow(record), memoryOf(record)?.content ?? '']));
}

/** Returns the memories in the order of the ids. They are read as few rows, because the client takes longer for many. */
export async function getMemories(connection: Connection, ids: readonly string[]): Promise<Map<string, Memory>> {
  const statement = `MATCH (m:Memory) WHERE m.id IN $ids AND ${isOurs('m')} RETURN collect(${recordOf('m')}) AS records`;
  const rows = await connection.readByIds<{ records: RecordRow[] }>(statement, ids);
  const found = memoriesIn(rows.flatMap(({ records }) => records));
  return new Map(ids.flatMap(id => (found.has(id) ? [[id, found.get(id) as Memory]] : [])));
}

/**
 * A change that writes a history also raises the revision of its record. If another change has changed the history in
 * between, the revision therefore differs, and this change is tried again.
 */
export function updateMemory(
  connection: Connection,
  id: string,
  change: (current: Memory, history: StoredHistory | undefined) => MemoryChange,
): Promise<Memory | undefined> {
  return untilWritten(async () => {
    const stored = await readStored(connection, id);
    if (!stored) return undefined;
    const { history, ...made } = change(stored.memory, stored.history);
    const rewrite = rewriteOf(stored, made);
    const rows = await connection.write(
      `MATCH (m:Memory {id: $id}) WHERE m._revision = $revision
       ${rewriteClauses(rewrite)}
       ${history ? `WITH m ${mergeNode('MemoryHistory', '$history')}` : ''}
       RETURN 1 AS written`,
      {
        ...rewrite.parameters,
        ...(history && { history: nodeProperties({ kind: 'MemoryHistory', id, ...history }) }),
      },
    );
    return rows.length > 0 ? made.memory : WRITE_CONFLICT;
  });
}

async function readStored(connection: Connection, id: string) {
  const [row] = await connection.read<StoredRow & NodeRow>(
    `MATCH (m:Memory {id: $id}) WHERE ${isOurs('m')} OPTIONAL MATCH (n:MemoryHistory {id: $id}) WHERE n._node_rank >= 0
     RETURN ${storedColumns('m')}, ${NODE_COLUMNS}`,
    { id: keyOf(id) },
  );
  const stored = row && storedOf(row);
  return stored && { ...stored, history: row.properties ? nodeOf('MemoryHistory', row) : undefined };
}

/** Saves the new memory, changes the superseded memory, and adds the edge between the two, in one statement. */
export function supersede(connection: Connection, request: SupersedeRequest): Promise<SaveOutcome | undefined> {
  const { record, supersededId, change, relation } = request;
  return untilWritten(async () => {
    const stored = await readStored(connection, supersededId);
    if (!stored) return undefined;
    const [outcome] = planSave([record], await contentsOf(connection, [record])).outcomes;
    const rewrite = rewriteOf(stored, change(stored.memory));
    const { clauses, parameters } = edgeWrites([relation]);
    const isCreated = outcome === 'created';
    const rows = await connection.write(
      `OPTIONAL MATCH (taken:Memory {id: $new_id}) WHERE ${isOurs('taken')}
       WITH count(taken) AS taken WHERE taken = ${isCreated ? 0 : 1}
       MATCH (m:Memory {id: $id}) WHERE m._revision = $revision
       ${isCreated ? `WITH m AS old ${NEW_NODES} WITH old AS m` : ''}
       ${rewriteClauses(rewrite)}
       WITH m
       ${clauses}
       RETURN 1 AS written`,
      {
        ...rewrite.parameters,
        new_id: keyOf(record.memory.id),
        ...(isCreated && { records: [newNodes(record)] }),
        ...parameters,
      },
    );
    return rows.length > 0 ? outcome : WRITE_CONFLICT;
  });
}

export interface Rewrite {
  /** Parameters for `MATCH (m:Memory {id: $id}) WHERE m._revision = $revision` and `rewriteClauses`. */
  parameters: Parameters;
  /** Properties that the record no longer has. */
  removed: readonly string[];
  isIndexChanged: boolean;
  isVectorStale: boolean;
}

/**
 * Plans the writes that replace a record. Writes only differences, because the server rewrites the index entries of
 * a node even for an unchanged value.
 */
export function rewriteOf(
  { memory: before, revision }: StoredMemory,
  { memory: after, embedding, work }: Omit<MemoryChange, 'history'>,
): Rewrite {
  const { set, removed } = changes(recordProperties(before), recordProperties(after));
  const index = indexChanges(before, after);
  const isSuppliedDropped = before.content !== after.content;
  const supplied = embedding ? encodeVector(embedding) : isSuppliedDropped ? NONE : undefined;
  return {
    parameters: {
      id: keyOf(before.id),
      revision,
      record: { ...set, ...(supplied !== undefined && { _supplied: supplied }), _revision: revision + 1 },
      index,
      ...requeueParameters(work, true),
    },
    removed,
    isIndexChanged: Object.keys(index).length > 0,
    isVectorStale: after.embedded_by !== undefined && !hasSamePayload(before, after),
  };
}

/**
 * Returns clauses that rewrite the memory in `m`. An earlier clause must have compared the revision. Later clauses can
 * still use the row and `m`. Each property is removed by its own clause. A clause that removed several properties, or
 * also set properties, would remove properties that the clause does not name (FalkorDB issue 1787).
 */
export function rewriteClauses({ removed, isIndexChanged, isVectorStale }: Rewrite): string {
  const removals = removed.map(name => `REMOVE m.${name} WITH m`).join(' ');
  const index = isIndexChanged ? 'WITH * MERGE (i:_MemoryIndex {id: $id}) SET i += $index' : '';
  const stale = isVectorStale
    ? `WITH *, [{id: m.id, _exact_id: m._exact_id}] AS stale ${noteStaleVectors('stale')}`
    : '';
  return `${removals} SET m += $record ${requeueClauses('m')} ${index} ${stale}`;
}

function changes(before: Properties, after: Properties): { set: Record<string, Value>; removed: string[] } {
  return {
    set: Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(before[name], value))),
    removed: Object.keys(before).filter(name => !(name in after)),
  };
}

function isSame(a: Value | undefined, b: Value): boolean {
  if (a === b) return true;
  if (a instanceof Float && b instanceof Float) return a.value === b.value;
  return typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b);
}

export async function deleteMemories(
  connection: Connection,
  ids: readonly string[],
  updatedAt?: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (ids.length === 0) return [];
  if (!updatedAt)
    return deleteWhere(
      connection,
      '',
      keysOf(ids).map(key => [key]),
    );
  return deleteWhere(connection, 'AND m.updated_at = each[1]', await unchangedOf(connection, ids, updatedAt));
}

/** Returns the keys of the memories with these times, and the times as stored, which other programs may write in any form. */
async function unchangedOf(
  connection: Connection,
  ids: readonly string[],
  updatedAt: ReadonlyMap<string, string>,
): Promise<[key: string, stored: string][]> {
  const statement = `MATCH (m:Memory) WHERE m.id IN $ids AND ${isOurs('m')} RETURN m.id AS key, m.updated_at AS stored`;
  const rows = await connection.readByIds<{ key: string; stored: string }>(statement, ids);
  const given = new Map(ids.map(id => [keyOf(id), updatedAt.get(id) ?? '']));
  return rows.flatMap(({ key, stored }) => (readInstant(stored) === given.get(key) ? [[key, stored]] : []));
}

/**
 * @param condition about the memory `m` and the entry `each` of `wanted`
 * @param wanted lists that begin with the key of a memory
 */
async function deleteWhere(
  connection: Connection,
  condition: string,
  wanted: readonly (readonly string[])[],
): Promise<string[]> {
  const rows = await connection.write<{ gone: string[] }>(
    `UNWIND $wanted AS each MATCH (m:Memory {id: each[0]}) WHERE ${isOurs('m')} ${condition}
     OPTIONAL MATCH (i:_MemoryIndex {id: m.id})
     WITH m, i, m.id AS id, m._exact_id AS exact_id
     OPTIONAL MATCH (h:MemoryHistory {id: id})
     DELETE m, i, h
     WITH collect({id: id, _exact_id: exact_id}) AS stale WHERE size(stale) > 0
     ${noteStaleVectors('stale')}
     RETURN [each IN stale | ${idIn('each')}] AS gone`,
    { wanted },
  );
  return rows.flatMap(({ gone }) => gone.map(decodeText));
}

/** Writes each field with one statement, and the last annotation of each memory only. */
export async function annotate(connection: Connection, annotations: readonly Annotation[]): Promise<void> {
  // Without a value, SET removes the property.
  const relevances = lastOf(annotations, ({ relevance }) => relevance).map(({ id, value }) => ({
    id,
    ...(value !== null && { value: new Float(value) }),
  }));
  const suggestions = lastOf(annotations, ({ maybeOutdatedBy }) => maybeOutdatedBy).map(({ id, value }) => ({
    id,
    value: value === null ? NONE : encodeText(value),
  }));
  const accesses = lastOf(annotations, ({ lastAccessed }) => lastAccessed);
  // The property `_exact` may still contain the former relevance. Readers notice the difference.
  await annotateEach(connection, relevances, 'SET m.relevance_score = each.value');
  await annotateEach(connection, suggestions, 'SET m._maybe_outdated_by = each.value');
  await annotateEach(connection, accesses, 'AND m.last_accessed < each.value SET m.last_accessed = each.value');
}

/** @param change clauses that change the memory `m`, and may begin with a further condition */
async function annotateEach(connection: Connection, annotations: readonly Properties[], change: string): Promise<void> {
  if (annotations.length === 0) return;
  const statement = `UNWIND $annotations AS each MATCH (m:Memory {id: each.id}) WHERE ${isOurs('m')} ${change}`;
  await connection.write(statement, { annotations });
}

/** Returns the last value of each memory, with the key of the memory. */
function lastOf<Value>(
  annotations: readonly Annotation[],
  read: (annotation: Annotation) => Value | undefined,
): { id: string; value: Value }[] {
  const values = new Map<string, Value>();
  for (const annotation of annotations) {
    const value = read(annotation);
    if (value !== undefined) values.set(keyOf(annotation.id), value);
  }
  return [...values].map(([id, value]) => ({ id, value }));
}

/**
 * Maximum number of attempts. In each round of attempts, one of the competing writers succeeds. Therefore every writer
 * succeeds if fewer writers than this number compete.
 */
const ATTEMPTS_MAX = 200;

/** Signals that nothing was written, because the data has changed since it was read. */
export const WRITE_CONFLICT = Symbol('write conflict');

/**
 * Repeats a read-change-write cycle as long as another writer is faster.
 *
 * @throws MemoryError `unavailable` when other writers were faster in every attempt
 */
export async function untilWritten<Result>(attempt: () => Promise<Result | typeof WRITE_CONFLICT>): Promise<Result> {
  for (let count = 0; count < ATTEMPTS_MAX; count++) {
    const result = await attempt();
    if (result !== WRITE_CONFLICT) return result;
  }
  throw new RefusedError('The memory is being changed by too many writers at once', { hint: 'Try again.' });
}
