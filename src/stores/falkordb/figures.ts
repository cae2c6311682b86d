/**
 * Computes counts and rankings over all data on the server. A comparison such as `content >= ''` is not true for a
 * value of another type. Nodes and edges with a value of an unexpected type are therefore left out.
 */
import { UNCLASSIFIED } from '../../domain/memory.js';
import type { Relation } from '../../domain/relation.js';
import type { Figures, TypeCount } from '../graph-store.js';
import type { CountedMemories } from '../ports/memory-store.js';
import type { AuxiliaryNode } from '../ports/node-store.js';
import type { Connection } from './connection.js';
import { selectionOf } from './index-node.js';
import { NODE_COLUMNS, type NodeRow, nodeOf } from './nodes.js';
import { modelNumber, NO_MODEL } from './record.js';
import { edgeOf, STRONGEST_FIRST, strengthOf } from './relations.js';
import { decodeText, idIn, type Parameters as Values } from './values.js';

type PreferenceRow = [from: string, to: string, properties: Record<string, unknown>];

export function figuresOf(connection: Connection): Figures {
  return {
    countTypes: () => countTypes(connection),
    surestPatterns: request => surestPatterns(connection, request),
    importantOfTypes: request => importantOfTypes(connection, request),
    strongestPreferences: limit => strongestPreferences(connection, limit),
  };
}

/** Counts memories of Engraph only. The nodes of other programs have no rank. */
function countTypes(connection: Connection): Promise<TypeCount[]> {
  return connection.read<TypeCount>(
    `MATCH (m:Memory) WHERE m._id_rank >= 0 AND m.content >= ''
     WITH coalesce(m.type, '') AS type, coalesce(m.confidence, $unclassified) AS confidence
     WHERE type >= '' AND confidence >= 0 AND confidence <= 1
     RETURN type, count(confidence) AS count, sum(confidence) AS confidenceSum`,
    { unclassified: UNCLASSIFIED.confidence },
  );
}

async function surestPatterns(
  connection: Connection,
  { aboveConfidence, limit }: { aboveConfidence: number; limit: number },
): Promise<AuxiliaryNode[]> {
  const rows = await connection.read<NodeRow>(
    `MATCH (n:Pattern) WHERE n._node_rank >= 0 AND n.confidence > $above AND n.confidence <= 1
       AND n.type >= '' AND n.content >= ''
     RETURN ${NODE_COLUMNS} ORDER BY n.confidence DESC, coalesce(n.observations, -1) DESC, n.id LIMIT $limit`,
    { above: aboveConfidence, limit },
  );
  return rows.map(row => nodeOf('Pattern', row));
}

async function importantOfTypes(
  connection: Connection,
  { types, leastImportance, limit }: Parameters<Figures['importantOfTypes']>[0],
): Promise<string[]> {
  const rows = await connection.read<{ id: string }>(
    `MATCH (m:Memory) WHERE m._id_rank >= 0 AND m.content >= '' AND m.type IN $types AND m.importance >= $least
     WITH m MATCH (i:_MemoryIndex {id: m.id})
     RETURN ${idIn('m')} AS id ORDER BY m.importance DESC, i.timestamp_ms DESC, m.id LIMIT $limit`,
    { types, least: leastImportance, limit },
  );
  return rows.map(({ id }) => decodeText(id));
}

/** Reads all PREFERS_OVER edges in one statement, because the graph has no index on edges. */
async function strongestPreferences(connection: Connection, limit: number): Promise<Relation[]> {
  const rows = await connection.read<{ edge: PreferenceRow }>(
    `MATCH (a:Memory)-[r:PREFERS_OVER]->(b:Memory) WHERE a._id_rank >= 0 AND b._id_rank >= 0 AND ${strengthOf('r')} >= 0
     WITH a, r, b ORDER BY ${STRONGEST_FIRST}, ID(a), ID(b) LIMIT $limit
     RETURN [${idIn('a')}, ${idIn('b')}, properties(r)] AS edge`,
    { limit },
  );
  return rows.map(({ edge: [from, to, properties] }) => ({
    from: decodeText(from),
    to: decodeText(to),
    ...edgeOf('PREFERS_OVER', properties),
  }));
}

export async function countMemories(connection: Connection, which?: CountedMemories): Promise<number> {
  if (!which) return countAll(connection);
  if ('tagKeys' in which) {
    const { match, parameters } = selectionOf({ tags: { keys: which.tagKeys, mode: 'any', match: 'exact' } });
    return countOf(connection, `${match} RETURN count(i) AS count`, parameters);
  }
  const statement = 'UNWIND $models AS model MATCH (m:Memory) WHERE m._model = model RETURN count(m) AS count';
  if (which.embeddedBy !== 'any') {
    return countOf(connection, statement, { models: [...new Set(which.embeddedBy.map(modelNumber))] });
  }
  return (await countAll(connection)) - (await countOf(connection, statement, { models: [NO_MODEL] }));
}

/** Counts the index nodes, because other programs may have nodes `Memory`. */
function countAll(connection: Connection): Promise<number> {
  return countOf(connection, 'MATCH (i:_MemoryIndex) RETURN count(i) AS count');
}

async function countOf(connection: Connection, statement: string, parameters?: Values): Promise<number> {
  const [row] = await connection.read<{ count: number }>(statement, parameters);
  return row?.count ?? 0;
}

/** Counts the nodes `Memory` of other programs. */
export async function countForeign(connection: Connection): Promise<number> {
  const all = await countOf(connection, 'MATCH (m:Memory) RETURN count(m) AS count');
  return Math.max(0, all - (await countAll(connection)));
}
