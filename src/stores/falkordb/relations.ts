/** Edges between memories, with properties that other programs can read. */
import type { Json, Metadata } from '../../domain/json.js';
import {
  AUTHORABLE_RELATION_TYPES,
  RELATION_TYPES,
  type Relation,
  type RelationType,
  relationProperties,
} from '../../domain/relation.js';
import { toIso } from '../../domain/time.js';
import type { RelationKey, RelationRequest, RelationsWithEnds, RequestWithEnds } from '../ports/edge-store.js';
import type { Connection } from './connection.js';
import { idOfRow, isOurs, type RecordRow, recordOf } from './record.js';
import { memoriesIn } from './record-cache.js';
import {
  comparable,
  decodeText,
  exactFormOf,
  Float,
  idIn,
  keyOf,
  propertyForm,
  readExact,
  readInstant,
  restored,
  type Value,
} from './values.js';

/**
 * Builds a subquery for each type of edge. If earlier clauses of the statement yield rows, the subquery runs once for
 * each of these rows and removes none of them.
 *
 * @returns the subqueries as `clauses`, and their parameters; each name in `written` is a column in which one subquery
 *   returns the positions of the edges that it wrote
 */
export function edgeWrites(relations: readonly Relation[]) {
  // Setting one edge twice in a statement would corrupt the server's memory (FalkorDB issue 1885), so only the last
  // version of an edge is written.
  const lastOf = new Map(relations.map(({ from, type, to }, position) => [JSON.stringify([from, type, to]), position]));
  const isLast = ({ from, type, to }: Relation, position: number) =>
    lastOf.get(JSON.stringify([from, type, to])) === position;
  const types = [...new Set(relations.map(({ type }) => typeOf(type)))];
  const parameters = Object.fromEntries(
    types.map(type => [
      `edges_${type}`,
      relations.flatMap((relation, position) => {
        if (relation.type !== type || !isLast(relation, position)) return [];
        return [{ position, from: keyOf(relation.from), to: keyOf(relation.to), edge: edgeProperties(relation) }];
      }),
    ]),
  );
  const clauses = types.map(
    type => `CALL {
      UNWIND $edges_${type} AS each
      MATCH (a:Memory {id: each.from}) WHERE ${isOurs('a')}
      MATCH (b:Memory {id: each.to}) WHERE ${isOurs('b')}
      MERGE (a)-[r:${type}]->(b) SET r = each.edge
      RETURN collect(each.position) AS written_${type}
    }`,
  );
  return { clauses: clauses.join('\n'), written: types.map(type => `written_${type}`), parameters };
}

export async function saveRelations(connection: Connection, relations: readonly Relation[]): Promise<boolean[]> {
  if (relations.length === 0) return [];
  const { clauses, written, parameters } = edgeWrites(relations);
  const [row] = await connection.write<{ positions: number[][] }>(
    `${clauses} RETURN [${written.join(', ')}] AS positions`,
    parameters,
  );
  const endsOf = ({ from, to }: Relation) => JSON.stringify([from, to]);
  const joined = new Set(row?.positions.flat().map(position => endsOf(relations[position] as Relation)));
  return relations.map(relation => joined.has(endsOf(relation)));
}

export async function removeRelations(connection: Connection, edges: readonly RelationKey[]): Promise<void> {
  for (const type of new Set(edges.map(edge => typeOf(edge.type)))) {
    const ends = edges.flatMap(edge => (edge.type === type ? [[keyOf(edge.from), keyOf(edge.to)]] : []));
    const statement = `UNWIND $ends AS each MATCH (a:Memory {id: each[0]}) WHERE ${isOurs('a')}
      MATCH (b:Memory {id: each[1]}) WHERE ${isOurs('b')} MATCH (a)-[r:${type}]->(b) DELETE r`;
    await connection.write(statement, { ends: [...new Map(ends.map(each => [JSON.stringify(each), each])).values()] });
  }
}

/**
 * Counts outgoing and incoming edges with separate statements, because a subquery for every memory would take longer.
 */
export async function countRelations(connection: Connection, ids: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map(ids.map(id => [id, 0]));
  for (const edge of ['(m)-[r]->(o:Memory)', '(o:Memory)-[r]->(m)']) {
    const statement = `UNWIND $ids AS id MATCH (m:Memory {id: id}) WHERE ${isOurs('m')} WITH m MATCH ${edge}
      WHERE ${isOurs('o')} AND type(r) IN ${ALL_TYPES} AND ID(o) <> ID(m)
      RETURN ${idIn('m')} AS key, count(r) AS count`;
    for (const { key, count } of await connection.readByIds<{ key: string; count: number }>(statement, ids)) {
      const id = decodeText(key);
      counts.set(id, (counts.get(id) ?? 0) + count);
    }
  }
  return counts;
}

export async function relationsOf(connection: Connection, request: RelationRequest): Promise<Map<string, Relation[]>> {
  const rows = await readEdges<string>(connection, request, { end: idIn('e[1]') });
  return relationsIn(request.ids, rows, decodeText);
}

export async function relationsWithEnds(connection: Connection, request: RequestWithEnds): Promise<RelationsWithEnds> {
  const { ids, isOutgoingOnly = false, isWithMemories = false } = request;
  const isFirst = isWithMemories && isOutgoingOnly;
  const { records, linked } = isFirst ? await readLinked(connection, request) : NOTHING;
  const columns = { end: recordOf('e[1]'), ...(isWithMemories && !isFirst && { itself: recordOf('m') }) };
  const rows = await readEdges<RecordRow>(connection, { ...request, ids: isFirst ? linked : ids }, columns);
  return {
    relations: relationsIn(ids, rows, idOfRow),
    ends: memoriesIn(rows.flatMap(([, edges]) => edges.map(([, , , end]) => end))),
    memories: memoriesIn([...records, ...rows.flatMap(([, , itself]) => (itself ? [itself] : []))]),
  };
}

/** The records of memories, and the ids of those with an outgoing edge. */
interface Linked {
  records: RecordRow[];
  linked: string[];
}

const NOTHING: Linked = { records: [], linked: [] };

/**
 * Reads memories before their outgoing edges, because most memories have no such edge of the given types. The answer is
 * one row, because the client takes longer to decode many rows.
 */
async function readLinked(connection: Connection, request: RelationRequest): Promise<Linked> {
  const { ids, types = RELATION_TYPES } = request;
  const hasEdge = `outDegree(m, '${types.map(typeOf).join("', '")}') > 0`;
  const rows = await connection.readByIds<Linked>(
    `MATCH (m:Memory) WHERE m.id IN $ids AND ${isOurs('m')}
     RETURN collect(${recordOf('m')}) AS records, collect(CASE WHEN ${hasEdge} THEN ${idIn('m')} END) AS linked`,
    ids,
  );
  return {
    records: rows.flatMap(row => row.records),
    linked: rows.flatMap(row => row.linked.map(decodeText)),
  };
}

type Edge<End> = [isOutgoing: boolean, type: string, properties: Record<string, unknown>, end: End];

type EdgesRow<End> = [key: string, edges: Edge<End>[], itself: RecordRow | null];

/**
 * Lists of types that are inserted into the text of a statement. If they were parameters, the server would parse them
 * again in every call.
 */
const [ALL_TYPES, AUTHORED_TYPES] = [RELATION_TYPES, AUTHORABLE_RELATION_TYPES].map(
  types => `['${types.join("', '")}']`,
);

/**
 * Reads the edges of many memories in few statements, whose answers are one row. The limit applies to each memory
 * separately.
 *
 * @param columns Cypher expressions: `end` reads the other end `e[1]` of an edge, and `itself` reads the memory `m`. With
 *   `itself`, memories without an edge are read too
 */
async function readEdges<End>(
  connection: Connection,
  request: RelationRequest,
  { end, itself }: { end: string; itself?: string },
): Promise<EdgesRow<End>[]> {
  const { ids, limit, minStrength = 0, types = RELATION_TYPES, isOutgoingOnly = false } = request;
  if (ids.length === 0 || types.length === 0) return [];
  const isAll = types.length === RELATION_TYPES.length;
  // If the pattern names no types, the server reads one matrix instead of many.
  const pattern = `-[r${isAll ? '' : `:${types.map(typeOf).join('|')}`}]-${isOutgoingOnly ? '>' : ''}`;
  const conditions = [
    isOurs('o'),
    ...(isAll ? [`type(r) IN ${ALL_TYPES}`] : []),
    ...(minStrength > 0 ? [`${strengthOf('r')} >= $min_strength`] : []),
  ];
  // The pattern follows a WITH and gives `o` no label. Otherwise the server might start from all nodes with the label
  // Memory.
  const statement = `MATCH (m:Memory) WHERE m.id IN $ids AND ${isOurs('m')} WITH m
     ${itself ? 'OPTIONAL ' : ''}MATCH (m)${pattern}(o)
     WHERE ${conditions.join(' AND ')}
     WITH m, r, o ORDER BY type(r) IN ${AUTHORED_TYPES} DESC, ${STRONGEST_FIRST}, type(r), ID(startNode(r)), ID(endNode(r))
     WITH m, collect(${itself ? 'CASE WHEN r IS NOT NULL THEN [r, o] END' : '[r, o]'})[0..$limit] AS found
     WITH ${idIn('m')} AS key, ${itself ?? 'NULL'} AS itself,
       [e IN found | [startNode(e[0]) = m, type(e[0]), properties(e[0]), ${end}]] AS edges
     RETURN collect([key, edges, itself]) AS each`;
  const parameters = { min_strength: comparable(minStrength), limit };
  const rows = await connection.readByIds<{ each: EdgesRow<End>[] }>(statement, ids, parameters);
  return rows.flatMap(({ each }) => each);
}

function relationsIn<End>(
  ids: readonly string[],
  rows: readonly EdgesRow<End>[],
  idOfEnd: (end: End) => string,
): Map<string, Relation[]> {
  const found = new Map<string, Relation[]>(ids.map(id => [id, []]));
  for (const [key, edges] of rows) {
    const id = decodeText(key);
    const relations = edges.map(([isOutgoing, type, properties, end]): Relation => {
      const other = idOfEnd(end);
      const [from, to] = isOutgoing ? [id, other] : [other, id];
      return { from, to, ...edgeOf(type as RelationType, properties) };
    });
    found.set(id, relations);
  }
  return found;
}

/** Strength of an edge without a property for its strength. */
export const DEFAULT_STRENGTH = 0.5;

/** Returns an expression for the strength of an edge. Another program may have made an edge without strength. */
export function strengthOf(alias: string): string {
  return `coalesce(${alias}.strength, ${DEFAULT_STRENGTH})`;
}

/** The order of edges `r`. An edge without a time counts as the oldest. */
export const STRONGEST_FIRST = `${strengthOf('r')} DESC, coalesce(r.updated_at, '') DESC`;

/** Returns all properties of an edge. */
function edgeProperties({ type, strength, properties, updated_at }: Relation): Record<string, Value> {
  const declared = relationProperties(type);
  const readable = declared.flatMap((name): [string, Value][] => {
    const form = Object.hasOwn(properties, name) ? propertyForm(name, properties[name]) : undefined;
    return form === undefined ? [] : [[name, form]];
  });
  const isKept =
    Object.keys(properties).every(name => declared.includes(name)) &&
    exactFormOf(properties) === undefined &&
    exactFormOf({ strength }) === undefined;
  return {
    ...Object.fromEntries(readable),
    strength: new Float(strength),
    updated_at,
    ...(!isKept && { _exact: JSON.stringify({ strength, properties }) }),
  };
}

/** Reads the properties of an edge, without the ids of its two nodes. */
export function edgeOf(type: RelationType, read: Record<string, unknown>): Omit<Relation, 'from' | 'to'> {
  const declared = relationProperties(type);
  const exact = readExact(read._exact);
  const own: Record<string, Json> = {};
  for (const name of declared) {
    const value = read[name];
    if (value !== undefined && value !== null) own[name] = value as Json;
  }
  const strength = typeof read.strength === 'number' ? read.strength : DEFAULT_STRENGTH;
  const exactStrength = exact?.strength === undefined ? undefined : { strength: exact.strength };
  return {
    type,
    strength: Math.min(Math.max(restored({ strength }, exactStrength).strength as number, 0), 1),
    properties: restored(own, exact?.properties as Metadata | undefined, name => declared.includes(name)) as Metadata,
    updated_at: readInstant(read.updated_at) ?? toIso(0),
  };
}

/**
 * Checks that a type of edge is known. Types cannot be parameters of a statement, so only known types may be inserted
 * into its text.
 */
export function typeOf(type: RelationType): RelationType {
  if (!RELATION_TYPES.includes(type)) throw new Error('Unknown type of relation');
  return type;
}
