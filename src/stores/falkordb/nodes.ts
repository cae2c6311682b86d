/** Nodes beside memories: patterns, cluster summaries and the records of consolidation. */
import type { PageRequest } from '../ports/memory-store.js';
import type { AuxiliaryNode, NodeKind, NodeLink } from '../ports/node-store.js';
import type { Connection } from './connection.js';
import { type LinkRow, linkProperties, readLink } from './edge-properties.js';
import { decodeText, idIn, keyOf } from './encoding.js';
import { inParts } from './in-parts.js';
import { type NodeRow, nodeColumns, nodeOf, nodeProperties } from './node-properties.js';
import { pageByRank } from './pages.js';
import type { Parameters } from './parameters.js';

/** Labels cannot be parameters: these are closed. */
const LABELS: Record<NodeKind, string> = {
  Pattern: 'Pattern',
  MetaMemory: 'MetaMemory',
  ConsolidationControl: 'ConsolidationControl',
  ConsolidationRun: 'ConsolidationRun',
  ConsolidationChanges: 'ConsolidationChanges',
  ConsolidationProposal: 'ConsolidationProposal',
  DeletedMemory: 'DeletedMemory',
};
export const KINDS = Object.keys(LABELS) as readonly NodeKind[];
export const NODE_LABELS: readonly string[] = Object.values(LABELS);

const NODE_COLUMNS = nodeColumns('n');

interface LinksRow {
  memory_id: string;
  links: LinkRow[];
}

export function labelOf(kind: NodeKind): string {
  const label = LABELS[kind];
  if (!label) throw new Error('There is no such kind of node');
  return label;
}

/** What others have put on the node stays. */
export async function saveNode(connection: Connection, node: AuxiliaryNode): Promise<void> {
  const statement = `MERGE (n:${labelOf(node.kind)} {id: $id}) SET n += $node`;
  await connection.write(statement, { id: keyOf(node.id), node: nodeProperties(node) });
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
  const rows = await pageByRank<NodeRow>(connection, page, {
    label: labelOf(kind),
    rank: '_node_rank',
    columns: NODE_COLUMNS,
  });
  return rows.map(row => nodeOf(kind, row));
}

export async function deleteNodes(connection: Connection, kind: NodeKind, ids: readonly string[]): Promise<void> {
  const statement = `UNWIND $ids AS id MATCH (n:${labelOf(kind)} {id: id}) DELETE n`;
  if (ids.length > 0) await connection.write(statement, { ids: [...new Set(ids.map(keyOf))] });
}

/** Writes the edge where both its ends exist. */
export async function linkNode(connection: Connection, link: NodeLink): Promise<void> {
  const statement = `MATCH (m:Memory {id: $memory_id}) MATCH (n:${labelOf(link.kind)} {id: $node_id})
    MERGE (m)-[r:EXEMPLIFIES]->(n) SET r = $edge`;
  await connection.write(statement, linkParameters(link));
}

export function linkParameters(link: NodeLink) {
  return {
    memory_id: keyOf(link.memoryId),
    node_id: keyOf(link.nodeId),
    edge: linkProperties(link),
  } satisfies Parameters;
}

export async function linksOf(connection: Connection, ids: readonly string[]): Promise<NodeLink[]> {
  if (ids.length === 0) return [];
  const found: NodeLink[] = [];
  for (const kind of KINDS) {
    // A row for each memory: how many edges one has, nothing bounds.
    const statement = `UNWIND $ids AS id MATCH (m:Memory {id: id})-[r:EXEMPLIFIES]->(n:${labelOf(kind)})
       RETURN ${idIn('m')} AS memory_id, collect([${idIn('n')}, properties(r)]) AS links`;
    const rows = await inParts([...new Set(ids.map(keyOf))], part =>
      connection.read<LinksRow>(statement, { ids: part }),
    );
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
  kind: NodeKind,
  id: string,
  { exceptId, max }: { exceptId: string; max: number },
): Promise<number> {
  const [row] = await connection.read<{ count: number }>(
    `MATCH (n:${labelOf(kind)} {id: $id}) WITH n MATCH (n)<-[:EXEMPLIFIES]-(m:Memory) WHERE m.id <> $except
     WITH m LIMIT $max RETURN count(m) AS count`,
    { id: keyOf(id), except: keyOf(exceptId), max },
  );
  return row?.count ?? 0;
}
