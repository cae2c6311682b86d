/** Stores nodes other than memories: patterns, cluster summaries and the records of consolidation. */
import type { PageRequest } from '../ports/memory-store.js';
import { type AuxiliaryNode, type LinkedKind, NODE_KINDS, type NodeKind, type NodeLink } from '../ports/node-store.js';
import type { Connection } from './connection.js';
import { type LinkRow, linkProperties, readLink } from './edge-properties.js';
import { decodeText, idIn, keyOf, keysOf } from './encoding.js';
import { readByIds } from './in-parts.js';
import { type NodeRow, nodeColumns, nodeOf, nodeProperties } from './node-properties.js';
import { pageByRank } from './pages.js';
import type { Parameters } from './parameters.js';

/** Cypher patterns for the edge `r` between the memory `m` and the node `n`, by kind of node. */
const LINKS: Record<LinkedKind, (m: string, n: string) => string> = {
  Pattern: (m, n) => `(${m})-[r:EXEMPLIFIES]->(${n})`,
  MetaMemory: (m, n) => `(${n})-[r:SUMMARIZES]->(${m})`,
};

const NODE_COLUMNS = nodeColumns('n');

interface LinksRow {
  memory_id: string;
  links: LinkRow[];
}

/**
 * Returns the label of a kind. Labels cannot be parameters of a statement, so only known labels may be inserted into
 * its text.
 */
export function labelOf(kind: NodeKind): string {
  if (!NODE_KINDS.includes(kind)) throw new Error('Unknown kind of node');
  return kind;
}

/** Saves a node, and keeps properties that other programs have added to it. */
export async function saveNode(
  connection: Connection,
  node: AuxiliaryNode,
  memberIds?: readonly string[],
): Promise<void> {
  const statement = `MERGE (n:${labelOf(node.kind)} {id: $id}) SET n += $node`;
  await connection.write(statement, { id: keyOf(node.id), node: nodeProperties(node) });
  if (memberIds) await linkMembers(connection, node, memberIds);
}

export async function getNode(connection: Connection, kind: NodeKind, id: string): Promise<AuxiliaryNode | undefined> {
  const statement = `MATCH (n:${labelOf(kind)} {id: $id}) RETURN ${NODE_COLUMNS}`;
  const [row] = await connection.read<NodeRow>(statement, { id: keyOf(id) });
  return row && nodeOf(kind, row);
}

export async function listNodes(connection: Connection, kind: NodeKind, limit: number): Promise<AuxiliaryNode[]> {
  const statement = `MATCH (n:${labelOf(kind)}) WHERE n._updated_ms >= $ever
    RETURN ${NODE_COLUMNS} ORDER BY n._updated_ms DESC, n.id LIMIT $limit`;
  const rows = await connection.read<NodeRow>(statement, { ever: -1e15, limit });
  return rows.map(row => nodeOf(kind, row));
}

export async function readNodes(connection: Connection, kind: NodeKind, page: PageRequest): Promise<AuxiliaryNode[]> {
  const rows = await pageByRank<NodeRow>(connection, page, labelOf(kind), NODE_COLUMNS);
  return rows.map(row => nodeOf(kind, row));
}

export async function countNodes(connection: Connection, kind: NodeKind, state?: string): Promise<number> {
  const having = state === undefined ? '' : 'WHERE n.state = $state';
  const statement = `MATCH (n:${labelOf(kind)}) ${having} RETURN count(n) AS count`;
  const [row] = await connection.read<{ count: number }>(statement, state === undefined ? {} : { state });
  return row?.count ?? 0;
}

export async function deleteNodes(connection: Connection, kind: NodeKind, ids: readonly string[]): Promise<void> {
  const statement = `UNWIND $ids AS id MATCH (n:${labelOf(kind)} {id: id}) DELETE n`;
  if (ids.length > 0) await connection.write(statement, { ids: keysOf(ids) });
}

/** Writes the edge if the memory and the node exist. */
export async function linkNode(connection: Connection, link: NodeLink): Promise<void> {
  const statement = `MATCH (m:Memory {id: $memory_id}) MATCH (n:${labelOf(link.kind)} {id: $node_id})
    MERGE ${LINKS[link.kind]('m', 'n')} SET r = $edge`;
  await connection.write(statement, linkParameters(link));
}

export function linkParameters(link: NodeLink) {
  return {
    memory_id: keyOf(link.memoryId),
    node_id: keyOf(link.nodeId),
    edge: linkProperties(link),
  } satisfies Parameters;
}

/** Connects the node with these memories, and with no others. */
async function linkMembers(
  connection: Connection,
  { kind, id, updated_at }: AuxiliaryNode,
  memberIds: readonly string[],
): Promise<void> {
  const link = LINKS[kind as LinkedKind];
  await connection.write(
    `MATCH (n:${labelOf(kind)} {id: $node_id})
     CALL { WITH n OPTIONAL MATCH ${link('m:Memory', 'n')} WHERE NOT m.id IN $ids DELETE r RETURN count(r) AS removed }
     CALL {
       WITH n UNWIND $ids AS id MATCH (m:Memory {id: id}) MERGE ${link('m', 'n')} SET r = $edge RETURN count(r) AS linked
     }
     RETURN linked`,
    { node_id: keyOf(id), ids: keysOf(memberIds), edge: linkProperties({ confidence: 1, updated_at }) },
  );
}

export async function linksOf(connection: Connection, ids: readonly string[]): Promise<NodeLink[]> {
  if (ids.length === 0) return [];
  const found: NodeLink[] = [];
  for (const kind of Object.keys(LINKS) as LinkedKind[]) {
    // The answer has one row for each memory instead of each edge, because a memory may have any number of edges, and
    // the server limits the number of rows.
    const statement = `UNWIND $ids AS id MATCH (m:Memory {id: id}) MATCH ${LINKS[kind]('m', `n:${labelOf(kind)}`)}
       RETURN ${idIn('m')} AS memory_id, collect([${idIn('n')}, properties(r)]) AS links`;
    const rows = await readByIds<LinksRow>(connection, statement, ids);
    for (const { memory_id, links } of rows) {
      const memoryId = decodeText(memory_id);
      for (const [node_id, read] of links) {
        found.push({ memoryId, kind, nodeId: decodeText(node_id), ...readLink(read) });
      }
    }
  }
  return found;
}

export async function countNodeLinks(
  connection: Connection,
  kind: LinkedKind,
  id: string,
  { exceptId, max }: { exceptId: string; max: number },
): Promise<number> {
  const [row] = await connection.read<{ count: number }>(
    `MATCH (n:${labelOf(kind)} {id: $id}) WITH n MATCH ${LINKS[kind]('m:Memory', 'n')} WHERE m.id <> $except
     WITH m LIMIT $max RETURN count(m) AS count`,
    { id: keyOf(id), except: keyOf(exceptId), max },
  );
  return row?.count ?? 0;
}
