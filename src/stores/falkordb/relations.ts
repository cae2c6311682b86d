/** Edges between memories. */
import { AUTHORABLE_RELATION_TYPES, RELATION_TYPES, type Relation, type RelationType } from '../../domain/relation.js';
import type {
  RelationKey,
  RelationRequest,
  RelationsWithEnds,
  RequestWithEnds,
  ShownRelations,
  ShownRequest,
} from '../ports/edge-store.js';
import type { Connection } from './connection.js';
import { edgeOf, edgeProperties, storedTypes, strengthOf, typeOf } from './edge-properties.js';
import { decodeText, idIn, keyOf } from './encoding.js';
import { type FoundRecord, foundMemory, foundRecord, isOursIn, memoriesById } from './found-records.js';
import { readByIds } from './in-parts.js';
import { END, isUnpackable, type Packing, WHOLE } from './packed-record.js';
import { comparable } from './parameters.js';
import { endOf, idOf } from './read-record.js';
import type { RecordReader } from './record-reader.js';

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
      MATCH (a:Memory {id: each.from}) MATCH (b:Memory {id: each.to})
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
    const statement = `UNWIND $ends AS each MATCH (a:Memory {id: each[0]}) MATCH (b:Memory {id: each[1]})
      MATCH (a)-[r:${storedTypes([type]).join('|')}]->(b) DELETE r`;
    await connection.write(statement, { ends: [...new Map(ends.map(each => [JSON.stringify(each), each])).values()] });
  }
}

/**
 * Counts outgoing and incoming edges with separate statements, because a subquery for every memory would take longer.
 */
export async function countRelations(connection: Connection, ids: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map(ids.map(id => [id, 0]));
  const rows: (NodeRow & { count: number })[] = [];
  for (const edge of ['(m)-[r]->(o:Memory)', '(o:Memory)-[r]->(m)']) {
    const statement = `UNWIND $ids AS id MATCH (m:Memory {id: id}) WITH m MATCH ${edge}
      WHERE type(r) IN ${ALL_TYPES} AND ID(o) <> ID(m)
      RETURN ${idIn('m')} AS id, ${isOursIn('m')} AS is_ours, count(r) AS count`;
    rows.push(...(await readByIds<NodeRow & { count: number }>(connection, statement, ids)));
  }
  for (const { id, count } of adopted(rows)) counts.set(decodeText(id), (counts.get(decodeText(id)) ?? 0) + count);
  return counts;
}

export async function relationsOf(connection: Connection, request: RelationRequest): Promise<Map<string, Relation[]>> {
  const rows = await readEdges<string>(connection, request, { end: idIn('e[1]') });
  return relationsIn(request.ids, rows, decodeText);
}

/** Reads memories before their edges, because most memories have no outgoing edge of the given types. */
export async function relationsWithEnds(
  { connection, records }: { connection: Connection; records: RecordReader },
  request: RequestWithEnds,
): Promise<RelationsWithEnds> {
  const { ids, types = RELATION_TYPES, isOutgoingOnly, isWithMemories } = request;
  if (!isWithMemories) {
    return { ...withEnds(ids, await readEdgesWithEnds(connection, request, { end: WHOLE_END })), memories: new Map() };
  }
  const rows = await records.read<{ has_edge: boolean }>(ids, `outDegree(m, ${typeList(types)}) > 0 AS has_edge`);
  const hasEdge = (row: { has_edge: boolean }) => !isOutgoingOnly || row.has_edge;
  const linked = new Set(rows.flatMap(({ memory, row }) => (memory && hasEdge(row) ? [memory.id] : [])));
  const edges = await readEdgesWithEnds(connection, { ...request, ids: [...linked] }, { end: WHOLE_END });
  return { memories: memoriesById(rows), ...withEnds(ids, edges) };
}

export async function shownRelations(connection: Connection, request: ShownRequest): Promise<ShownRelations> {
  const themselves = request.isWithMemories ? { themselves: foundRecord('m') } : {};
  const rows = await readEdgesWithEnds(connection, request, { end: SHOWN_END, ...themselves });
  return {
    ...withEnds(request.ids, rows),
    memories: memoriesById(rows.flatMap(row => (row.themselves ? [foundMemory(row.themselves)] : []))),
  };
}

/** A row about a node. */
interface NodeRow {
  id: string;
  is_ours: boolean;
}

type Edge<End> = [isOutgoing: boolean, type: string, properties: Record<string, unknown>, end: End];

interface EdgesRow<End> extends NodeRow {
  edges: Edge<End>[];
  themselves?: FoundRecord;
}

/**
 * Lists of types that are inserted into the text of a statement. If they were parameters, the server would parse them
 * again in every call.
 */
const [ALL_TYPES, AUTHORED_TYPES] = [storedTypes(RELATION_TYPES), AUTHORABLE_RELATION_TYPES].map(
  types => `['${types.join("', '")}']`,
);

/** How to read the memory at the other end `e[1]` of an edge. */
interface EndReading {
  packing: Packing;
  /** The column with the same values one by one. */
  unpacked: string;
}

const WHOLE_END: EndReading = { packing: WHOLE, unpacked: foundRecord('e[1]') };
const SHOWN_END: EndReading = { packing: END, unpacked: foundRecord('e[1]', endOf('e[1]')) };

/** Reads the ends as packed records, or one by one if an end cannot be packed. */
async function readEdgesWithEnds(
  connection: Connection,
  request: RelationRequest,
  { end: { packing, unpacked }, ...others }: { end: EndReading; themselves?: string },
): Promise<EdgesRow<FoundRecord>[]> {
  try {
    const rows = await readEdges<string>(connection, request, { end: packing.columnOf('e[1]'), ...others });
    return rows.map(row => ({ ...row, edges: row.edges.map(edge => withUnpacked(edge, packing)) }));
  } catch (error) {
    if (error !== AMBIGUOUS && !isUnpackable(error)) throw error;
  }
  return readEdges<FoundRecord>(connection, request, { end: unpacked, ...others });
}

const AMBIGUOUS = new Error('A packed record is ambiguous');

/** @throws AMBIGUOUS */
function withUnpacked([isOutgoing, type, properties, packed]: Edge<string>, { unpack }: Packing): Edge<FoundRecord> {
  const end = unpack(packed);
  if (!end) throw AMBIGUOUS;
  return [isOutgoing, type, properties, end];
}

/**
 * Reads the edges of many memories in few statements. The limit applies to each memory separately.
 *
 * @param columns Cypher expressions: `end` reads the other end `e[1]` of an edge, and `themselves` reads the memory
 * `m`. With `themselves`, memories without an edge are read too
 */
async function readEdges<End>(
  connection: Connection,
  request: RelationRequest,
  { end, themselves }: { end: string; themselves?: string },
): Promise<EdgesRow<End>[]> {
  const { ids, limit, minStrength = 0, types = RELATION_TYPES, isOutgoingOnly = false } = request;
  if (ids.length === 0 || types.length === 0) return [];
  const isAll = types.length === RELATION_TYPES.length;
  const stored = storedTypes(types.map(typeOf));
  // If the pattern names no types, the server reads one matrix instead of many.
  const pattern = `-[r${isAll ? '' : `:${stored.join('|')}`}]-${isOutgoingOnly ? '>' : ''}`;
  // Skips memories without an outgoing edge of the requested types. If few types are requested, such edges are rare.
  const begins = isOutgoingOnly && !themselves ? ` AND outDegree(m, ${typeList(types)}) > 0` : '';
  const conditions = [
    "o:Memory AND o.id >= ''",
    ...(isAll ? [`type(r) IN ${ALL_TYPES}`] : []),
    // Other programs may have made a strength that is not a number. Such an edge has the default strength when it is read.
    ...(minStrength > 0 ? [`${strengthOf('r')} >= $min_strength`] : []),
  ];
  // The pattern follows a WITH and gives `o` no label. Otherwise the server might start from all nodes with the label
  // Memory.
  const statement = `MATCH (m:Memory) WHERE m.id IN $ids${begins} WITH m ${themselves ? 'OPTIONAL ' : ''}MATCH (m)${pattern}(o)
     WHERE ${conditions.join(' AND ')}
     WITH m, r, o ORDER BY type(r) IN ${AUTHORED_TYPES} DESC, ${strengthOf('r')} DESC, r.updated_at DESC, type(r),
       ID(startNode(r)), ID(endNode(r))
     WITH m, collect(${themselves ? 'CASE WHEN r IS NOT NULL THEN [r, o] END' : '[r, o]'})[0..$limit] AS found
     RETURN ${idIn('m')} AS id, ${isOursIn('m')} AS is_ours, ${themselves ? `${themselves} AS themselves, ` : ''}
       [e IN found | [startNode(e[0]) = m, type(e[0]), properties(e[0]), ${end}]] AS edges`;
  return readByIds(connection, statement, ids, { min_strength: comparable(minStrength), limit });
}

/** Removes the rows about a second node that another program has made with the id of an adopted node. */
function adopted<Row extends NodeRow>(rows: readonly Row[]): Row[] {
  const ours = new Set(rows.flatMap(({ id, is_ours }) => (is_ours ? [id] : [])));
  return rows.filter(({ id, is_ours }) => is_ours || !ours.has(id));
}

/** Returns the arguments of a function of the server that takes names of edge types. */
function typeList(types: readonly RelationType[]): string {
  return `'${storedTypes(types.map(typeOf)).join("', '")}'`;
}

function withEnds(ids: readonly string[], rows: readonly EdgesRow<FoundRecord>[]): Omit<RelationsWithEnds, 'memories'> {
  const ends = memoriesById(rows.flatMap(({ edges }) => edges.map(([, , , end]) => foundMemory(end))));
  return { relations: relationsIn(ids, rows, ([record]) => idOf(record)), ends };
}

function relationsIn<End>(
  ids: readonly string[],
  rows: readonly EdgesRow<End>[],
  idOfEnd: (end: End) => string,
): Map<string, Relation[]> {
  const found = new Map<string, Relation[]>(ids.map(id => [id, []]));
  for (const { id: key, edges } of adopted(rows)) {
    const id = decodeText(key);
    const relations = edges.map(([isOutgoing, type, properties, end]): Relation => {
      const other = idOfEnd(end);
      const [from, to] = isOutgoing ? [id, other] : [other, id];
      return { from, to, ...edgeOf(type, properties) };
    });
    found.set(id, relations);
  }
  return found;
}
