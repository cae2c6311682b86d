/** Edges between memories. */
import type { Metadata } from '../../domain/json.js';
import { AUTHORABLE_RELATION_TYPES, RELATION_TYPES, type Relation, type RelationType } from '../../domain/relation.js';
import { toIso } from '../../domain/time.js';
import type { RelationRequest } from '../graph-store.js';
import { type Connection, placeholders } from './connection.js';

interface RelationRow {
  source: string;
  target: string;
  type: RelationType;
  strength: number;
  properties: string;
  updated_ms: number;
}

export function saveRelations(connection: Connection, relations: readonly Relation[]): boolean[] {
  return connection.transaction(() => relations.map(relation => saveRelation(connection, relation)));
}

/** Removes the edges of these types that begin at the row. */
export function removeOutgoing(connection: Connection, row: number, types: readonly RelationType[]): void {
  connection.run(`DELETE FROM relations WHERE source = ? AND type IN (${placeholders(types)})`, row, ...types);
}

function saveRelation(connection: Connection, relation: Relation): boolean {
  const { changes } = connection.run(
    `INSERT OR REPLACE INTO relations (source, type, target, is_authored, strength, properties, updated_ms)
     SELECT source.row, ?, target.row, ?, ?, ?, ?
     FROM memories AS source, memories AS target WHERE source.id = ? AND target.id = ?`,
    relation.type,
    AUTHORABLE_RELATION_TYPES.includes(relation.type) ? 1 : 0,
    relation.strength,
    JSON.stringify(relation.properties),
    Date.parse(relation.updated_at),
    relation.from,
    relation.to,
  );
  return changes > 0;
}

/** Reads each memory's edges in their order, so that one with thousands of edges costs no more than another. */
export function relationsOf(connection: Connection, request: RelationRequest): Map<string, Relation[]> {
  const rows = connection.all<{ row: number; id: string }>(
    `SELECT row, id FROM memories WHERE id IN (${placeholders(request.ids)})`,
    ...request.ids,
  );
  const found = new Map<string, Relation[]>(request.ids.map(id => [id, []]));
  for (const { row, id } of rows) found.set(id, bestEdges(connection, row, request).map(relationOf));
  return found;
}

/** Authored edges come first, so that the others are read only as far as they are needed. */
function bestEdges(connection: Connection, row: number, request: RelationRequest): RelationRow[] {
  const { limit, minStrength = 0, types = RELATION_TYPES, isOutgoingOnly = false } = request;
  const edges: RelationRow[] = [];
  for (const isAuthored of [true, false]) {
    const some = types.filter(type => AUTHORABLE_RELATION_TYPES.includes(type) === isAuthored);
    const left = limit - edges.length;
    if (some.length === 0 || left <= 0) continue;
    const statement = edgeStatement(some, isOutgoingOnly);
    const side = [row, isAuthored ? 1 : 0, minStrength, ...some, left];
    edges.push(...connection.all<RelationRow>(statement, ...side, ...(isOutgoingOnly ? [] : side), left));
  }
  return edges;
}

function edgeStatement(types: readonly RelationType[], isOutgoingOnly: boolean): string {
  const side = (own: 'source' | 'target', other: 'source' | 'target', index: string) => `SELECT * FROM (
    SELECT source, target, type, strength, properties, updated_ms FROM relations INDEXED BY ${index}
    WHERE ${own} = ? AND is_authored = ? AND strength >= ? AND type IN (${placeholders(types)})
      -- An edge from a memory to itself is among the outgoing ones.
      ${own === 'target' ? 'AND source <> target' : ''}
    ORDER BY strength DESC, updated_ms DESC, type, ${other} LIMIT ?
  )`;
  const sides = [side('source', 'target', 'relations_outgoing')];
  if (!isOutgoingOnly) sides.push(side('target', 'source', 'relations_incoming'));
  return `SELECT source.id AS source, target.id AS target, best.type AS type, strength, properties,
      best.updated_ms AS updated_ms
    FROM (${sides.join(' UNION ALL ')}) AS best
    CROSS JOIN memories AS source ON source.row = best.source
    CROSS JOIN memories AS target ON target.row = best.target
    ORDER BY strength DESC, best.updated_ms DESC, best.type, best.source, best.target LIMIT ?`;
}

function relationOf(row: RelationRow): Relation {
  return {
    from: row.source,
    to: row.target,
    type: row.type,
    strength: row.strength,
    properties: JSON.parse(row.properties) as Metadata,
    updated_at: toIso(row.updated_ms),
  };
}
