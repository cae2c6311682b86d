/** Edges between memories. */
import type { Metadata } from '../../domain/json.js';
import { AUTHORABLE_RELATION_TYPES, type Relation, type RelationType } from '../../domain/relation.js';
import { toIso } from '../../domain/time.js';
import { type Connection, GIVEN, GIVEN_IDS, placeholders } from '../database/connection.js';
import type {
  EdgeStore,
  RelationKey,
  RelationRequest,
  RelationsWithEnds,
  RequestWithEnds,
} from '../ports/edge-store.js';
import { countChange } from './last-known.js';
import { type MemoryDatabase, none, type Write } from './memory-database.js';
import type { RecordReader } from './record-reader.js';

/** Implements the port `EdgeStore`. */
export function edgeStore(connection: MemoryDatabase, write: Write, records: RecordReader): EdgeStore {
  const change = <Value>(body: () => Value) => {
    const counted = () => {
      countChange(connection);
      return body();
    };
    return write(() => connection.transaction(counted), none);
  };
  return {
    saveRelations: edges => change(() => saveRelations(connection, edges)),
    removeRelations: edges => change(() => removeRelations(connection, edges)),
    countRelations: async ids => countRelations(connection, ids),
    relationsOf: async request => relationsOf(connection, request, records),
    relationsWithEnds: async request => relationsWithEnds(connection, request, records),
  };
}

/** An edge as a query returns it. Its ends are ids or row numbers. */
interface EdgeBetween<End> extends Omit<Relation, 'from' | 'to'> {
  from: End;
  to: End;
}

/** An edge in the list that `edgeList` makes. The strength is text, because SQLite rounds numbers in JSON. */
type EdgeValues<End> = [
  from: End,
  to: End,
  type: RelationType,
  strength: string,
  properties: Metadata,
  updatedMs: number,
];

/**
 * Returns an SQL expression for a list of edges as one JSON text, because a subquery has only one value. `edgesIn` parses
 * the text. The query must have the table `best` with the type, strength and time of the edge.
 *
 * @param columns the columns with the ends and the properties of the edge
 */
export function edgeList({ from, to, properties }: Record<'from' | 'to' | 'properties', string>): string {
  return `json_group_array(json_array(${from}, ${to}, best.type, printf('%!.17g', best.strength),
    json(${properties}), best.updated_ms))`;
}

export function edgesIn<End>(list: string): EdgeBetween<End>[] {
  return (JSON.parse(list) as EdgeValues<End>[]).map(([from, to, type, strength, properties, updatedMs]) => ({
    from,
    to,
    type,
    strength: Number(strength),
    properties,
    updated_at: toIso(updatedMs),
  }));
}

export function saveRelations(connection: Connection, relations: readonly Relation[]): boolean[] {
  return connection.transaction(() => relations.map(relation => saveRelation(connection, relation)));
}

/** Removes the edges of these types that start at the row. */
export function removeOutgoing(connection: Connection, row: number, types: readonly RelationType[]): void {
  connection.run(`DELETE FROM relations WHERE source = ? AND type IN (${placeholders(types)})`, row, ...types);
}

function saveRelation(connection: Connection, relation: Relation): boolean {
  const isAuthored = AUTHORABLE_RELATION_TYPES.includes(relation.type);
  const { changes } = connection.run(
    `INSERT OR REPLACE INTO relations (source, type, target, is_authored, strength, properties, updated_ms)
     SELECT source.row, ?, target.row, ?, ?, ?, ?
     FROM memories AS source, memories AS target WHERE source.id = ? AND target.id = ?`,
    relation.type,
    isAuthored ? 1 : 0,
    relation.strength,
    JSON.stringify(relation.properties),
    Date.parse(relation.updated_at),
    relation.from,
    relation.to,
  );
  return changes > 0;
}

export function removeRelations(connection: Connection, edges: readonly RelationKey[]): void {
  connection.transaction(() => {
    for (const { from, type, to } of edges) {
      connection.run(
        `DELETE FROM relations WHERE type = ? AND source = (SELECT row FROM memories WHERE id = ?)
         AND target = (SELECT row FROM memories WHERE id = ?)`,
        type,
        from,
        to,
      );
    }
  });
}

export function countRelations(connection: Connection, ids: readonly string[]): Map<string, number> {
  const rows = connection.all<{ id: string; count: number }>(
    `SELECT id, (
       SELECT count(*) FROM relations INDEXED BY relations_outgoing WHERE source = row AND target <> source
     ) + (
       SELECT count(*) FROM relations INDEXED BY relations_incoming WHERE target = row AND target <> source
     ) AS count FROM ${GIVEN_IDS}`,
    JSON.stringify(ids),
  );
  const found = new Map(ids.map(id => [id, 0]));
  for (const { id, count } of rows) found.set(id, count);
  return found;
}

/** Reads the best edges of each memory. */
export function relationsOf(
  connection: Connection,
  request: RelationRequest,
  { rowsOf, idsOf }: RecordReader,
): Map<string, Relation[]> {
  const edges = edgesBetweenRows(connection, request, rowsOf(request.ids));
  const ids = idsOf(otherRows(edges));
  return withIds(request.ids, edges, row => ids.get(row));
}

export function relationsWithEnds(
  connection: Connection,
  request: RequestWithEnds,
  { read, readRows, rowsOf }: RecordReader,
): RelationsWithEnds {
  const memories = read(request.isWithMemories ? request.ids : []);
  const edges = edgesBetweenRows(connection, request, rowsOf(request.ids));
  const ends = readRows(otherRows(edges));
  const relations = withIds(request.ids, edges, row => ends.get(row)?.id);
  return { relations, ends: new Map([...ends.values()].map(memory => [memory.id, memory])), memories };
}

/** The edges of one memory. Their ends are row numbers. */
interface EdgesOfRow {
  row: number;
  edges: EdgeBetween<number>[];
}

/**
 * Returns the best edges of each memory under the id of the memory. It reads edges in index order, so that reading a
 * memory with thousands of edges costs no more than reading any other memory. It does not read the memories at the other
 * ends, because the cache has many of them. A memory without such edges is left out, because its row would take longer than
 * a look into the index.
 */
function edgesBetweenRows(
  connection: Connection,
  request: RelationRequest,
  rows: ReadonlyMap<string, number>,
): Map<string, EdgesOfRow> {
  const { text, values } = bestEdges(request);
  const { hasEdge, valuesOfHasEdge } = hasEdgeOf(request);
  const read = connection.all<{ row: number; edges: string }>(
    `SELECT given AS row, (${text}) AS edges FROM ${GIVEN} WHERE ${hasEdge}`,
    ...values,
    JSON.stringify([...rows.values()]),
    ...valuesOfHasEdge,
  );
  const edgesOf = new Map(read.map(({ row, edges }) => [row, edgesIn<number>(edges)]));
  const found = new Map<string, EdgesOfRow>();
  for (const [id, row] of rows) {
    const edges = edgesOf.get(row);
    if (edges) found.set(id, { row, edges });
  }
  return found;
}

/** The rows at the other ends of the edges. */
function otherRows(found: ReadonlyMap<string, EdgesOfRow>): Set<number> {
  const rows = new Set<number>();
  for (const { row, edges } of found.values()) for (const { from, to } of edges) rows.add(from === row ? to : from);
  return rows;
}

/** @returns an entry for each of `ids`, even if no edges were found */
function withIds(
  ids: readonly string[],
  found: ReadonlyMap<string, EdgesOfRow>,
  idOf: (row: number) => string | undefined,
): Map<string, Relation[]> {
  const relations = new Map<string, Relation[]>();
  for (const id of ids) relations.set(id, []);
  for (const [own, { row, edges }] of found) {
    const end = (other: number) => (other === row ? own : idOf(other));
    const named = edges.flatMap(edge => {
      const [from, to] = [end(edge.from), end(edge.to)];
      return from === undefined || to === undefined ? [] : [{ ...edge, from, to }];
    });
    relations.set(own, named);
  }
  return relations;
}

/**
 * Returns a query for the list of the best edges of the memory whose row number is `given`. It reads the outgoing and the incoming
 * edges in the order of an index. The indexes contain all fields except the properties, which are read only for the best
 * edges.
 */
function bestEdges({ limit, minStrength = 0, types, isOutgoingOnly = false }: Omit<RelationRequest, 'ids'>) {
  const ofTypes = types ? `AND type IN (${placeholders(types)})` : '';
  const sides = isOutgoingOnly ? [OUTGOING] : [OUTGOING, INCOMING];
  const text = `SELECT ${edgeList({ from: 'best.source', to: 'best.target', properties: 'edge.properties' })}
    FROM (${sides.map(side => edgesOfSide(side, ofTypes)).join(' UNION ALL ')}
      ORDER BY ${BEST_FIRST}, source, target LIMIT ?) AS best
    CROSS JOIN relations AS edge
      ON edge.source = best.source AND edge.type = best.type AND edge.target = best.target`;
  return { text, values: [...sides.flatMap(() => [minStrength, ...(types ?? []), limit]), limit] };
}

/** Returns a condition that the memory whose row number is `given` has an edge of the requested types. */
function hasEdgeOf({ types, isOutgoingOnly }: Omit<RelationRequest, 'ids'>) {
  const ofTypes = types ? `AND type IN (${placeholders(types)})` : '';
  const sides = isOutgoingOnly ? [OUTGOING] : [OUTGOING, INCOMING];
  const each = sides.map(({ own }) => `EXISTS (SELECT 1 FROM relations WHERE ${own} = given ${ofTypes})`);
  return { hasEdge: each.join(' OR '), valuesOfHasEdge: sides.flatMap(() => types ?? []) };
}

const BEST_FIRST = 'is_authored DESC, strength DESC, updated_ms DESC, type';
const OUTGOING = { own: 'source', other: 'target', index: 'relations_outgoing', and: '' };
// An edge from a memory to itself counts as outgoing.
const INCOMING = { own: 'target', other: 'source', index: 'relations_incoming', and: 'AND source <> target' };

function edgesOfSide({ own, other, index, and }: typeof OUTGOING, ofTypes: string): string {
  return `SELECT * FROM (
    SELECT source, target, type, strength, updated_ms, is_authored FROM relations INDEXED BY ${index}
    WHERE ${own} = given AND strength >= ? ${ofTypes} ${and}
    ORDER BY ${BEST_FIRST}, ${other} LIMIT ?
  )`;
}
