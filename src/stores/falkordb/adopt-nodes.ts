/**
 * Adopts memories that another program wrote: adds the properties that Engraph needs, and keeps all other properties.
 */

import type { Memory } from '../../domain/memory.js';
import type { MalformedNode } from '../../domain/reports.js';
import { toIso } from '../../domain/time.js';
import type { Connection } from './connection.js';
import { identityOf, keyOf } from './encoding.js';
import { readByIds } from './in-parts.js';
import { indexedAs, indexProperties, isContentIndexed } from './index-node.js';
import type { Value } from './parameters.js';
import { NO_CONTENT, readRecord, type StoredMemory, type StoredRow, storedColumns, storedOf } from './read-record.js';
import { ownProperties, recordProperties } from './records.js';

/** A node `Memory` as it was read. */
export interface FoundNode extends StoredRow {
  /** The number that the server gave the node. */
  node: number;
  /** Names of the node's properties. */
  names: string[];
  /** The time of the server. */
  now_ms: number;
}

/** Returns the columns of a `FoundNode`. */
export function foundColumns(alias: string): string {
  return `ID(${alias}) AS node, keys(${alias}) AS names, timestamp() AS now_ms, ${storedColumns(alias)}`;
}

export interface Adoption {
  /** Ids of the adopted memories. */
  adopted: string[];
  malformed: MalformedNode[];
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const ANOTHER = 'another memory has the same id';

/** Returns the memory in a node, or why the node is malformed; undefined if the node is not a memory. */
export function readFound(
  found: FoundNode,
  inUse: ReadonlySet<string> = new Set(),
): { memory: Memory } | { malformed: MalformedNode } | undefined {
  const { memory, problem } = readRecord(found.record);
  const [id] = found.record;
  const malformed = (reason: string) => ({
    malformed: { label: 'Memory', ...(typeof id === 'string' && { id }), problem: reason },
  });
  if (problem !== undefined) return malformed(problem);
  if (!memory) return undefined;
  if (typeof found.revision === 'number') return { memory };
  // A recall could find a memory without a valid UUID, but no request could name the memory.
  if (!UUID.test(memory.id)) return malformed('its id is not a UUID in lower case');
  if (memory.content === '') return malformed(NO_CONTENT);
  if (inUse.has(memory.id)) return malformed(ANOTHER);
  return { memory };
}

/**
 * Adopts the nodes that are not adopted yet. Any number of processes may adopt nodes at once: for each node, only one
 * process succeeds.
 */
export async function adoptNodes(connection: Connection, found: readonly FoundNode[]): Promise<Adoption> {
  const malformed: MalformedNode[] = [];
  const wanted = new Map<string, { found: FoundNode; memory: Memory }>();
  for (const each of found) {
    const read = readFound(each);
    if (read && 'malformed' in read) malformed.push(read.malformed);
    if (!read || 'malformed' in read) continue;
    const memory = dated(read.memory, each);
    if (wanted.has(memory.id)) malformed.push(another(memory.id));
    else wanted.set(memory.id, { found: each, memory });
  }
  if (wanted.size === 0) return { adopted: [], malformed };
  const nodes = [...wanted.values()].map(({ found: each, memory }) => ({
    id: keyOf(memory.id),
    node: each.node,
    memory: additions(memory, each),
    index: { ...identityOf(memory.id), ...indexProperties(memory) },
  }));
  const taken = await connection.write<{ id: string }>(
    `UNWIND $nodes AS each MATCH (m:Memory {id: each.id}) WHERE ID(m) = each.node AND m._revision IS NULL
     OPTIONAL MATCH (other:Memory {id: each.id}) WHERE other._revision > 0
     WITH m, each, count(other) AS others WHERE others = 0
     SET m += each.memory
     WITH each
     MERGE (i:_MemoryIndex {id: each.id}) SET i += each.index
     RETURN each.id AS id`,
    { nodes },
  );
  const adopted = new Set(taken.map(({ id }) => id));
  const left = nodes.filter(({ id }) => !adopted.has(id));
  return { adopted: [...adopted], malformed: [...malformed, ...(await duplicates(connection, left))] };
}

/** Returns the ids of found nodes that already belong to adopted memories. */
export async function idsInUse(connection: Connection, found: readonly FoundNode[]): Promise<Set<string>> {
  const ids = found.flatMap(({ record: [id] }) => (typeof id === 'string' ? id : []));
  const rows = await connection.read<{ id: string }>(
    'UNWIND $ids AS id MATCH (m:Memory {id: id}) WHERE m._revision > 0 RETURN DISTINCT id',
    { ids },
  );
  return new Set(rows.map(({ id }) => id));
}

/** If the node has no time property, sets the times of the memory to the present time of the server. */
function dated(memory: Memory, { names, now_ms }: FoundNode): Memory {
  if (['timestamp', 'updated_at', 'last_accessed'].some(name => names.includes(name))) return memory;
  const now = toIso(now_ms);
  return { ...memory, timestamp: now, updated_at: now, last_accessed: now };
}

/** Returns the properties of the record that the node lacks, and Engraph's own properties. */
function additions(memory: Memory, { names, indexed_as }: FoundNode): Record<string, Value> {
  const record = Object.entries(recordProperties(memory)).filter(([name]) => !names.includes(name));
  const work = memory.enriched ? (['embed'] as const) : (['embed', 'enrich'] as const);
  const { _supplied, ...own } = ownProperties(memory.id, { work });
  // The supplied vector of an earlier adoption is kept if the content is the same, because it cannot be computed again.
  const isSuppliedKept = names.includes('_supplied') && isContentIndexed(memory, String(indexed_as));
  return {
    ...Object.fromEntries(record),
    ...own,
    ...(!isSuppliedKept && _supplied !== undefined && { _supplied }),
    _indexed_as: indexedAs(memory),
  };
}

/**
 * Of the nodes that could not be adopted, returns those whose id belongs to another memory. All others were adopted or
 * changed in the meantime.
 */
async function duplicates(
  connection: Connection,
  left: readonly { id: string; node: number }[],
): Promise<MalformedNode[]> {
  if (left.length === 0) return [];
  const rows = await connection.read<{ id: string }>(
    `UNWIND $left AS each MATCH (m:Memory {id: each.id}) WHERE ID(m) = each.node AND m._revision IS NULL
     RETURN each.id AS id`,
    { left: left.map(({ id, node }) => ({ id, node })) },
  );
  return rows.map(({ id }) => another(id));
}

function another(id: string): MalformedNode {
  return { label: 'Memory', id, problem: ANOTHER };
}

/** Reads a memory, and adopts its node first if necessary; undefined if no adopted memory has the id. */
export async function readAdopted(connection: Connection, id: string): Promise<StoredMemory | undefined> {
  const stored = await readStored(connection, id);
  if (stored !== UNADOPTED) return stored;
  await adoptExisting(connection, [id]);
  const adopted = await readStored(connection, id);
  return adopted === UNADOPTED ? undefined : adopted;
}

/** Marks a node that exists but is not adopted. */
const UNADOPTED = Symbol('unadopted');

async function readStored(connection: Connection, id: string): Promise<StoredMemory | undefined | typeof UNADOPTED> {
  const statement = `MATCH (m:Memory {id: $id}) RETURN ${storedColumns('m')}`;
  const rows = await connection.read<StoredRow>(statement, { id: keyOf(id) });
  const ours = rows.find(({ revision }) => typeof revision === 'number');
  if (ours) return storedOf(ours);
  return rows.length > 0 ? UNADOPTED : undefined;
}

/** @returns ids of the memories that were adopted */
export async function adoptExisting(connection: Connection, ids: readonly string[]): Promise<string[]> {
  const statement = `UNWIND $ids AS id MATCH (m:Memory {id: id}) WHERE m._revision IS NULL RETURN ${foundColumns('m')}`;
  const found = await readByIds<FoundNode>(connection, statement, ids);
  return found.length === 0 ? [] : (await adoptNodes(connection, found)).adopted;
}
