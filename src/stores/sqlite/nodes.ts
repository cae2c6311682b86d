/** Stores nodes other than memories, such as patterns, cluster summaries and the records of consolidation. */
import type { Metadata } from '../../domain/json.js';
import { toIso, WAIT_HORIZON_MS } from '../../domain/time.js';
import { type Connection, GIVEN_IDS } from '../database/connection.js';
import type { Lease, Leases } from '../graph-store.js';
import type { PageRequest } from '../ports/memory-store.js';
import type { AuxiliaryNode, LinkedKind, NodeKind, NodeLink, NodeStore } from '../ports/node-store.js';
import { none, type Write } from './memory-database.js';

/** Implements the port `NodeStore`. */
export function nodeStore(connection: Connection, write: Write): NodeStore {
  return {
    saveNode: (node, memberIds) => write(() => saveNode(connection, node, memberIds), none),
    getNode: async (kind, id) => getNode(connection, kind, id),
    listNodes: async (kind, limit) => listNodes(connection, kind, limit),
    readNodes: async (kind, page) => readNodes(connection, kind, page),
    countNodes: async (kind, state) => countNodes(connection, kind, state),
    deleteNodes: (kind, ids) => write(() => deleteNodes(connection, kind, ids), none),
    linkNode: link => write(() => linkNode(connection, link), none),
    linksOf: async ids => linksOf(connection, ids),
    countNodeLinks: async (kind, id, bounds) => countNodeLinks(connection, kind, id, bounds),
  };
}

export interface NodeRow {
  kind: NodeKind;
  id: string;
  properties: string;
  updated_ms: number;
}

interface LinkRow {
  memory_id: string;
  kind: LinkedKind;
  node: string;
  confidence: number;
  updated_ms: number;
}

export function saveNode(connection: Connection, node: AuxiliaryNode, memberIds?: readonly string[]): void {
  connection.transaction(() => {
    insertNode(connection, node);
    if (memberIds) linkMembers(connection, node, memberIds);
  });
}

function insertNode(connection: Connection, node: AuxiliaryNode): void {
  connection.run(
    // An existing row is updated and not replaced, because replacing the row would delete its links.
    `INSERT INTO nodes (kind, id, properties, updated_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, id) DO UPDATE SET properties = excluded.properties, updated_ms = excluded.updated_ms`,
    node.kind,
    node.id,
    JSON.stringify(node.properties),
    Date.parse(node.updated_at),
  );
}

export function getNode(connection: Connection, kind: NodeKind, id: string): AuxiliaryNode | undefined {
  const row = connection.get<NodeRow>('SELECT * FROM nodes WHERE kind = ? AND id = ?', kind, id);
  return row && nodeOf(row);
}

export function listNodes(connection: Connection, kind: NodeKind, limit: number): AuxiliaryNode[] {
  const statement = 'SELECT * FROM nodes WHERE kind = ? ORDER BY updated_ms DESC, id LIMIT ?';
  return connection.all<NodeRow>(statement, kind, limit).map(nodeOf);
}

export function readNodes(
  connection: Connection,
  kind: NodeKind,
  { afterId = '', limit }: PageRequest,
): AuxiliaryNode[] {
  const statement = 'SELECT * FROM nodes WHERE kind = ? AND id > ? ORDER BY id LIMIT ?';
  return connection.all<NodeRow>(statement, kind, afterId, limit).map(nodeOf);
}

export function countNodes(connection: Connection, kind: NodeKind, state?: string): number {
  const having = state === undefined ? '' : "AND json_extract(properties, '$.state') = ?";
  const statement = `SELECT count(*) AS count FROM nodes WHERE kind = ? ${having}`;
  return connection.get<{ count: number }>(statement, kind, ...(state === undefined ? [] : [state]))?.count ?? 0;
}

export function deleteNodes(connection: Connection, kind: NodeKind, ids: readonly string[]): void {
  connection.run(
    'DELETE FROM nodes WHERE kind = ? AND id IN (SELECT value FROM json_each(?))',
    kind,
    JSON.stringify(ids),
  );
}

export function linkNode(connection: Connection, link: NodeLink): void {
  connection.run(
    `INSERT OR REPLACE INTO node_links (kind, node, memory, confidence, updated_ms)
     SELECT nodes.kind, nodes.id, memories.row, ?, ? FROM nodes, memories
     WHERE nodes.kind = ? AND nodes.id = ? AND memories.id = ?`,
    link.confidence,
    Date.parse(link.updated_at),
    link.kind,
    link.nodeId,
    link.memoryId,
  );
}

/** Connects the node with these memories, and with no others. */
function linkMembers(
  connection: Connection,
  { kind, id, updated_at }: AuxiliaryNode,
  memberIds: readonly string[],
): void {
  connection.run('DELETE FROM node_links WHERE kind = ? AND node = ?', kind, id);
  connection.run(
    `INSERT INTO node_links (kind, node, memory, confidence, updated_ms)
     SELECT ?, ?, memories.row, 1, ? FROM ${GIVEN_IDS}`,
    kind,
    id,
    Date.parse(updated_at),
    JSON.stringify([...new Set(memberIds)]),
  );
}

export function unlinkMemory(connection: Connection, row: number, kind: LinkedKind): void {
  connection.run('DELETE FROM node_links WHERE memory = ? AND kind = ?', row, kind);
}

export function linksOf(connection: Connection, ids: readonly string[]): NodeLink[] {
  const rows = connection.all<LinkRow>(
    `SELECT memories.id AS memory_id, kind, node, node_links.confidence AS confidence, node_links.updated_ms AS updated_ms
     FROM memories CROSS JOIN node_links ON memory = memories.row
     WHERE memories.id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  return rows.map(({ memory_id: memoryId, kind, node: nodeId, confidence, updated_ms }) => {
    return { memoryId, kind, nodeId, confidence, updated_at: toIso(updated_ms) };
  });
}

export function countNodeLinks(
  connection: Connection,
  kind: LinkedKind,
  id: string,
  { exceptId, max }: { exceptId: string; max: number },
): number {
  const statement = `SELECT count(*) AS count FROM (
    SELECT 1 FROM node_links WHERE kind = ? AND node = ? AND memory IS NOT (SELECT row FROM memories WHERE id = ?)
    LIMIT ?
  )`;
  return connection.get<{ count: number }>(statement, kind, id, exceptId, max)?.count ?? 0;
}

export function nodeOf(row: NodeRow): AuxiliaryNode {
  return {
    kind: row.kind,
    id: row.id,
    properties: JSON.parse(row.properties) as Metadata,
    updated_at: toIso(row.updated_ms),
  };
}

const KIND = 'ConsolidationControl';

function takeLease(connection: Connection, { name, holder, nowMs, untilMs }: Lease): boolean {
  const id = nodeId(name);
  return connection.transaction(() => {
    const current = getNode(connection, KIND, id);
    const leftMs = Number(current?.properties.until_ms) - nowMs;
    const isTaken = current && current.properties.holder !== holder && leftMs > 0 && leftMs <= WAIT_HORIZON_MS;
    if (isTaken) return false;
    saveNode(connection, { kind: KIND, id, properties: { holder, until_ms: untilMs }, updated_at: toIso(nowMs) });
    return true;
  });
}

/** Implements the port `Leases`. Opening the file has already released the leases of an earlier owner. */
export function leaseStore(connection: Connection, write: Write): Leases {
  return {
    takeLease: lease => write(() => takeLease(connection, lease), none),
    reclaim: async () => {},
  };
}

/** Releases the leases that an earlier owner of the file held when its process ended. */
export function releaseAllLeases(connection: Connection): void {
  connection.run('DELETE FROM nodes WHERE kind = ? AND id GLOB ?', KIND, `${nodeId('')}*`);
}

/**
 * Returns the id of the node for a lease. The prefix distinguishes leases from the nodes of the same kind that
 * consolidation writes.
 */
function nodeId(name: string): string {
  return `lease:${name}`;
}
