/** Edges between memories. */
import type { Metadata } from '../../domain/json.js';
import { AUTHORABLE_RELATION_TYPES, RELATION_TYPES, type Relation, type RelationType } from '../../domain/relation.js';
import { toIso } from '../../domain/time.js';
import type { RelationRequest } from '../graph-store.js';
import { type Connection, placeholders } from './connection.js';

interface RelationRow {
  around: string;
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

/** One statement for all ids; each id gets its own `limit`. */
export function relationsOf(connection: Connection, request: RelationRequest): Map<string, Relation[]> {
  const { ids, limit, minStrength = 0, types = RELATION_TYPES, isOutgoingOnly = false } = request;
  const columns = 'around.id AS around, source, target, type, is_authored, strength, properties, updated_ms';
  const wanted = `strength >= ? AND type IN (${placeholders(types)})`;
  const outgoing = `SELECT ${columns} FROM around JOIN relations ON source = around.row WHERE ${wanted}`;
  // An edge from a memory to itself is among the outgoing ones.
  const incoming = `SELECT ${columns} FROM around JOIN relations ON target = around.row AND source <> target
    WHERE ${wanted}`;
  const rows = connection.all<RelationRow>(
    `WITH around AS (SELECT row, id FROM memories WHERE id IN (${placeholders(ids)})),
     edges AS (${isOutgoingOnly ? outgoing : `${outgoing} UNION ALL ${incoming}`}),
     ranked AS (
       SELECT *, row_number() OVER (
         PARTITION BY around ORDER BY is_authored DESC, strength DESC, updated_ms DESC, type, source, target
       ) AS rank FROM edges
     )
     SELECT around, source.id AS source, target.id AS target, ranked.type AS type, strength, properties,
            ranked.updated_ms AS updated_ms
     FROM ranked
     JOIN memories AS source ON source.row = ranked.source
     JOIN memories AS target ON target.row = ranked.target
     WHERE rank <= ? ORDER BY around, rank`,
    ...ids,
    minStrength,
    ...types,
    ...(isOutgoingOnly ? [] : [minStrength, ...types]),
    limit,
  );
  const found = new Map<string, Relation[]>(ids.map(id => [id, []]));
  for (const row of rows) found.get(row.around)?.push(relationOf(row));
  return found;
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
