/** Nodes that are no memories: patterns, cluster summaries and the records of consolidation. */
import type { Metadata } from '../../domain/json.js';
import { toIso } from '../../domain/time.js';
import type { AuxiliaryNode, NodeKind } from '../graph-store.js';
import { type Connection, placeholders } from './connection.js';

interface NodeRow {
  kind: NodeKind;
  id: string;
  properties: string;
  updated_ms: number;
}

export function saveNode(connection: Connection, node: AuxiliaryNode): void {
  connection.run(
    'INSERT OR REPLACE INTO nodes (kind, id, properties, updated_ms) VALUES (?, ?, ?, ?)',
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

export function deleteNodes(connection: Connection, kind: NodeKind, ids: readonly string[]): void {
  connection.run(`DELETE FROM nodes WHERE kind = ? AND id IN (${placeholders(ids)})`, kind, ...ids);
}

function nodeOf(row: NodeRow): AuxiliaryNode {
  return {
    kind: row.kind,
    id: row.id,
    properties: JSON.parse(row.properties) as Metadata,
    updated_at: toIso(row.updated_ms),
  };
}
