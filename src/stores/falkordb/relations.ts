/** Edges between memories. */
import type { Metadata } from '../../domain/json.js';
import { AUTHORABLE_RELATION_TYPES, RELATION_TYPES, type Relation, type RelationType } from '../../domain/relation.js';
import { toIso } from '../../domain/time.js';
import type { RelationRequest } from '../ports/edge-store.js';
import type { Connection } from './connection.js';
import { decodeText, idIn, keyOf } from './encoding.js';
import { inParts } from './in-parts.js';
import { comparable, type Parameters } from './parameters.js';

type EdgeRow = [from: string, to: string, type: RelationType, details: string, updatedMs: number];

/** Types cannot be parameters: they are closed. */
export function typeOf(type: RelationType): RelationType {
  if (!RELATION_TYPES.includes(type)) throw new Error('There is no such type of relation');
  return type;
}

/** An edge as properties: its numbers to order by, and exactly in `details`. */
export function edgeProperties({ strength, properties, updated_at }: Relation) {
  return {
    strength: comparable(strength),
    updated_ms: Date.parse(updated_at),
    details: JSON.stringify({ strength, properties }),
  } satisfies Parameters;
}

/** From the map `each.edge`. */
const EDGE_FIELDS = ['strength', 'updated_ms', 'details'].map(name => `r.${name} = each.edge.${name}`).join(', ');

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
      MERGE (a)-[r:${type}]->(b) SET ${EDGE_FIELDS}
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

/** One statement for many ids; each id gets its own `limit`. */
export async function relationsOf(
  connection: Connection,
  { ids, limit, minStrength = 0, types = RELATION_TYPES, isOutgoingOnly = false }: RelationRequest,
): Promise<Map<string, Relation[]>> {
  const found = new Map<string, Relation[]>(ids.map(id => [id, []]));
  if (ids.length === 0 || types.length === 0) return found;
  const pattern = types.length === RELATION_TYPES.length ? '' : `:${types.map(typeOf).join('|')}`;
  const columns = 'r.strength >= $min_strength RETURN r, startNode(r) AS a, endNode(r) AS b';
  const outgoing = `MATCH (m)-[r${pattern}]->(:Memory) WHERE ${columns}`;
  // An edge from a memory to itself is among the outgoing ones.
  const incoming = `MATCH (o:Memory)-[r${pattern}]->(m) WHERE ID(o) <> ID(m) AND ${columns}`;
  const statement = `UNWIND $ids AS id MATCH (m:Memory {id: id})
     CALL { WITH m ${outgoing} ${isOutgoingOnly ? '' : `UNION ALL WITH m ${incoming}`} }
     WITH m, r, a, b ORDER BY type(r) IN $authored DESC, r.strength DESC, r.updated_ms DESC, type(r), ID(a), ID(b)
     WITH m, collect([${idIn('a')}, ${idIn('b')}, type(r), r.details, r.updated_ms])[0..$limit] AS edges
     RETURN ${idIn('m')} AS id, edges`;
  const parameters = { min_strength: comparable(minStrength), authored: AUTHORABLE_RELATION_TYPES, limit };
  const rows = await inParts([...new Set(ids.map(keyOf))], part =>
    connection.read<{ id: string; edges: EdgeRow[] }>(statement, { ...parameters, ids: part }),
  );
  for (const { id, edges } of rows) found.set(decodeText(id), edges.map(relationOf));
  return found;
}

function relationOf([from, to, type, details, updatedMs]: EdgeRow): Relation {
  const { strength, properties } = JSON.parse(details) as { strength: number; properties: Metadata };
  return { from: decodeText(from), to: decodeText(to), type, strength, properties, updated_at: toIso(updatedMs) };
}
