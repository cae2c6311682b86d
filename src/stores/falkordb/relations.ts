/** Edges between memories. */
import { AUTHORABLE_RELATION_TYPES, RELATION_TYPES, type Relation } from '../../domain/relation.js';
import type { RelationRequest } from '../ports/edge-store.js';
import type { Connection } from './connection.js';
import { type EdgeRow, edgeProperties, relationOf, storedTypes, strengthOf, typeOf } from './edge-properties.js';
import { decodeText, idIn, keyOf } from './encoding.js';
import { inParts } from './in-parts.js';
import { comparable } from './parameters.js';

/**
 * A subquery for each type that writes its edges, and their parameters. Inside a statement it runs once for every row and
 * keeps it.
 *
 * @returns the names under which each subquery gives the positions of the edges it wrote
 */
export function edgeWrites(relations: readonly Relation[]) {
  // One edge set twice in one statement would corrupt the memory of the server (FalkorDB issue 1885): the last counts.
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

/** An edge, and how the server numbers its ends. */
type NumberedEdge = [...EdgeRow, begin: number, end: number];

/** A side of the memory `m`: its pattern, and the ends of the edge. */
const SIDES = {
  outgoing: {
    pattern: (types: string) => `(m:Memory {id: id})-[r${types}]->(o:Memory)`,
    guard: '',
    from: 'm',
    to: 'o',
  },
  // An edge from a memory to itself is among the outgoing ones. With its label the server would begin at all the others, and
  // what leads to a memory by these types is one.
  incoming: {
    pattern: (types: string) => `(m:Memory {id: id})<-[r${types}]-(o)`,
    guard: 'ID(o) <> ID(m) AND ',
    from: 'o',
    to: 'm',
  },
} as const;

/** One statement for many ids; each id gets its own `limit`. The server looks up a side for all of them at once. */
export async function relationsOf(
  connection: Connection,
  { ids, limit, minStrength = 0, types = RELATION_TYPES, isOutgoingOnly = false }: RelationRequest,
): Promise<Map<string, Relation[]>> {
  const found = new Map<string, Relation[]>(ids.map(id => [id, []]));
  if (ids.length === 0 || types.length === 0) return found;
  const isAll = types.length === RELATION_TYPES.length;
  const stored = storedTypes(types.map(typeOf));
  // Without types the server reads one matrix in place of many.
  const pattern = isAll ? '' : `:${stored.join('|')}`;
  const outgoing = readSide(SIDES.outgoing, pattern);
  const statement = isOutgoingOnly ? outgoing : `${outgoing} UNION ALL ${readSide(SIDES.incoming, pattern)}`;
  const parameters = {
    min_strength: comparable(minStrength),
    authored: AUTHORABLE_RELATION_TYPES,
    limit,
    ...(isAll && { types: stored }),
  };
  const rows = await inParts([...new Set(ids.map(keyOf))], part =>
    connection.read<{ id: string; edges: NumberedEdge[] }>(statement, { ...parameters, ids: part }),
  );
  const sides = new Map<string, NumberedEdge[][]>();
  for (const { id, edges } of rows) sides.set(id, [...(sides.get(id) ?? []), edges]);
  for (const [id, each] of sides) found.set(decodeText(id), merged(each, limit));
  return found;
}

function readSide({ pattern, guard, from, to }: (typeof SIDES)[keyof typeof SIDES], types: string): string {
  const isKnown = types === '' ? 'type(r) IN $types AND ' : '';
  return `UNWIND $ids AS id MATCH ${pattern(types)}
     WHERE ${guard}${isKnown}${strengthOf('r')} >= $min_strength
     WITH m, o, r, type(r) IN $authored AS is_authored, ${strengthOf('r')} AS strength
     ORDER BY is_authored DESC, strength DESC, r.updated_at DESC, type(r), ID(${from}), ID(${to})
     WITH m, collect([${idIn(from)}, ${idIn(to)}, type(r), properties(r), ID(${from}), ID(${to})])[0..$limit] AS edges
     RETURN ${idIn('m')} AS id, edges`;
}

/** Authored before system ones, then strongest, then newest; in which order each side is by itself. */
function merged(sides: readonly (readonly NumberedEdge[])[], limit: number): Relation[] {
  const edges = sides.flatMap(side =>
    side.map(edge => ({ relation: relationOf(edge), ends: edge.slice(-2) as number[] })),
  );
  if (sides.length > 1) edges.sort(byRank);
  return edges.slice(0, limit).map(({ relation }) => relation);
}

interface Ranked {
  relation: Relation;
  ends: number[];
}

function byRank({ relation: a, ends }: Ranked, { relation: b, ends: otherEnds }: Ranked): number {
  const isAuthored = ({ type }: Relation) => Number(AUTHORABLE_RELATION_TYPES.includes(type));
  return (
    isAuthored(b) - isAuthored(a) ||
    b.strength - a.strength ||
    inOrder(b.updated_at, a.updated_at) ||
    inOrder(a.type, b.type) ||
    (ends[0] ?? 0) - (otherEnds[0] ?? 0) ||
    (ends[1] ?? 0) - (otherEnds[1] ?? 0)
  );
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
