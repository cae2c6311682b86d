/**
 * Stores nodes other than memories: patterns, cluster summaries and the records of consolidation. Other programs may
 * have nodes with the same labels and ids. Only nodes of Engraph have the property `_node_rank`.
 */
import type { Metadata } from '../../domain/json.js';
import { toIso } from '../../domain/time.js';
import type { PageRequest } from '../ports/memory-store.js';
import { type AuxiliaryNode, type LinkedKind, NODE_KINDS, type NodeKind, type NodeLink } from '../ports/node-store.js';
import type { Connection } from './connection.js';
import type { Pages } from './pages.js';
import { isOurs } from './record.js';
import { DEFAULT_STRENGTH } from './relations.js';
import {
  decodeText,
  exactFormOf,
  Float,
  identityOf,
  idIn,
  idRank,
  isPlainName,
  keyOf,
  keysOf,
  type Parameters,
  propertyForm,
  readExact,
  readInstant,
  restored,
  type Value,
} from './values.js';

/** Cypher patterns for the edge `r` between the memory `m` and the node `n`, by kind of node. */
const LINKS: Record<LinkedKind, (m: string, n: string) => string> = {
  Pattern: (m, n) => `(${m})-[r:EXEMPLIFIES]->(${n})`,
  MetaMemory: (m, n) => `(${n})-[r:SUMMARIZES]->(${m})`,
};

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

/** Returns a pattern for the node of Engraph with an id. */
function nodeWith(kind: NodeKind, id = '$id'): string {
  return `(n:${labelOf(kind)} {id: ${id}}) WHERE n._node_rank >= 0`;
}

/** Saves a node with its links in one statement, so that a reader never finds the links of an earlier node. */
export async function saveNode(
  connection: Connection,
  node: AuxiliaryNode,
  memberIds?: readonly string[],
): Promise<void> {
  const links = memberIds && {
    members: keysOf(memberIds),
    edge: linkProperties({ confidence: 1, updated_at: node.updated_at }),
  };
  const clauses = links ? `WITH n ${linkMembers(node.kind as LinkedKind)}` : '';
  await connection.write(`${mergeNode(node.kind, '$node')} ${clauses}`, { node: nodeProperties(node), ...links });
}

/**
 * Returns clauses that create the node `n` of Engraph or replace all its properties, and leave a node of another program
 * alone. Properties that the node no longer has must not stay, because readers would take them for its own.
 */
export function mergeNode(kind: NodeKind, properties: string): string {
  const identity = `{id: ${properties}.id, _node_rank: ${properties}._node_rank}`;
  return `MERGE (n:${labelOf(kind)} ${identity}) SET n = ${properties}`;
}

export async function getNode(connection: Connection, kind: NodeKind, id: string): Promise<AuxiliaryNode | undefined> {
  const statement = `MATCH ${nodeWith(kind)} RETURN ${NODE_COLUMNS}`;
  const [row] = await connection.read<NodeRow>(statement, { id: keyOf(id) });
  return row && nodeOf(kind, row);
}

export async function listNodes(connection: Connection, kind: NodeKind, limit: number): Promise<AuxiliaryNode[]> {
  const statement = `MATCH (n:${labelOf(kind)}) WHERE n._updated_ms >= $ever
    RETURN ${NODE_COLUMNS} ORDER BY n._updated_ms DESC, n.id LIMIT $limit`;
  const rows = await connection.read<NodeRow>(statement, { ever: -1e15, limit });
  return rows.map(row => nodeOf(kind, row));
}

export function readNodes(pages: Pages, kind: NodeKind, page: PageRequest): Promise<AuxiliaryNode[]> {
  const elementOf = (row: NodeRow) => nodeOf(kind, row);
  return pages.read(page, { label: labelOf(kind), columns: NODE_COLUMNS, elementOf });
}

export async function countNodes(connection: Connection, kind: NodeKind, state?: string): Promise<number> {
  const having = `WHERE n._node_rank >= 0${state === undefined ? '' : ' AND n.state = $state'}`;
  const statement = `MATCH (n:${labelOf(kind)}) ${having} RETURN count(n) AS count`;
  const [row] = await connection.read<{ count: number }>(statement, state === undefined ? {} : { state });
  return row?.count ?? 0;
}

export async function deleteNodes(connection: Connection, kind: NodeKind, ids: readonly string[]): Promise<void> {
  const statement = `UNWIND $ids AS id MATCH (n:${labelOf(kind)} {id: id}) WHERE n._node_rank >= 0 DELETE n`;
  if (ids.length > 0) await connection.write(statement, { ids: keysOf(ids) });
}

export async function linkNode(connection: Connection, link: NodeLink): Promise<void> {
  await connection.write(linkClauses(link.kind, '$link'), { link: linkParameters(link) });
}

/** Returns clauses that write the edge `r` if the memory and the node exist. */
export function linkClauses(kind: LinkedKind, link: string): string {
  return `MATCH (x:Memory {id: ${link}.memory_id}) WHERE ${isOurs('x')} MATCH ${nodeWith(kind, `${link}.node_id`)}
    MERGE ${LINKS[kind]('x', 'n')} SET r = ${link}.edge`;
}

export function linkParameters(link: NodeLink) {
  return {
    memory_id: keyOf(link.memoryId),
    node_id: keyOf(link.nodeId),
    edge: linkProperties(link),
  } satisfies Parameters;
}

/** Returns subqueries that connect the node `n` with exactly the memories in `$members`. */
function linkMembers(kind: LinkedKind): string {
  const link = LINKS[kind];
  return `CALL {
      WITH n OPTIONAL MATCH ${link('m:Memory', 'n')} WHERE NOT m.id IN $members DELETE r RETURN count(r) AS removed
    }
    CALL {
      WITH n UNWIND $members AS id MATCH (m:Memory {id: id}) WHERE ${isOurs('m')}
      MERGE ${link('m', 'n')} SET r = $edge RETURN count(r) AS linked
    }
    RETURN linked`;
}

export async function linksOf(connection: Connection, ids: readonly string[]): Promise<NodeLink[]> {
  if (ids.length === 0) return [];
  const found: NodeLink[] = [];
  for (const kind of Object.keys(LINKS) as LinkedKind[]) {
    // The answer has one row for each memory instead of each edge, because a memory may have any number of edges, and
    // the server limits the number of rows.
    const statement = `UNWIND $ids AS id MATCH (m:Memory {id: id}) WHERE ${isOurs('m')}
       MATCH ${LINKS[kind]('m', `n:${labelOf(kind)}`)} WHERE n._node_rank >= 0
       RETURN ${idIn('m')} AS memory_id, collect([${idIn('n')}, properties(r)]) AS links`;
    const rows = await connection.readByIds<LinksRow>(statement, ids);
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
    `MATCH ${nodeWith(kind)} WITH n MATCH ${LINKS[kind]('m:Memory', 'n')}
     WHERE ${isOurs('m')} AND m.id <> $except
     WITH m LIMIT $max RETURN count(m) AS count`,
    { id: keyOf(id), except: keyOf(exceptId), max },
  );
  return row?.count ?? 0;
}

/** Names of the node's own fields, which do not belong to its `properties`. */
const NOT_PROPERTIES = new Set(['id', 'updated_at']);

export interface NodeRow {
  id: string;
  properties: Record<string, unknown>;
}

/** The columns of a node `n` that `nodeOf` reads. */
export const NODE_COLUMNS = `${idIn('n')} AS id, properties(n) AS properties`;

/** Returns the properties of a node: those that other programs can read, and those by which nodes are listed. */
export function nodeProperties({ id, properties, updated_at }: AuxiliaryNode): Record<string, Value> {
  const readable = Object.entries(properties).flatMap(([name, value]): [string, Value][] => {
    const form = isPublic(name) ? propertyForm(name, value) : undefined;
    return form === undefined ? [] : [[name, form]];
  });
  const isKept = Object.keys(properties).every(isPublic) && exactFormOf(properties) === undefined;
  return {
    ...Object.fromEntries(readable),
    ...identityOf(id),
    updated_at,
    _exact: isKept ? '' : JSON.stringify(properties),
    _node_rank: idRank(id),
    _updated_ms: Date.parse(updated_at),
  };
}

export function nodeOf(kind: NodeKind, { id, properties }: NodeRow): AuxiliaryNode {
  const read = Object.fromEntries(Object.entries(properties).filter(([name]) => isPublic(name))) as Metadata;
  return {
    kind,
    id: decodeText(id),
    properties: restored(read, readExact(properties._exact), isPublic) as Metadata,
    updated_at: readInstant(properties.updated_at) ?? toIso(0),
  };
}

function isPublic(name: string): boolean {
  return isPlainName(name) && !name.startsWith('_') && !NOT_PROPERTIES.has(name);
}

type LinkRow = [nodeId: string, properties: Record<string, unknown>];

/**
 * Returns the properties of an edge between a memory and a node of another kind. The confidence of the link is also the
 * strength of the edge.
 */
function linkProperties({
  confidence,
  updated_at,
}: Pick<NodeLink, 'confidence' | 'updated_at'>): Record<string, Value> {
  const exact = exactFormOf({ confidence });
  return {
    confidence: new Float(confidence),
    strength: new Float(confidence),
    updated_at,
    ...(exact !== undefined && { _exact: exact }),
  };
}

function readLink(read: Record<string, unknown>): Pick<NodeLink, 'confidence' | 'updated_at'> {
  const confidence = typeof read.confidence === 'number' ? read.confidence : DEFAULT_STRENGTH;
  const { confidence: exact } = restored({ confidence }, readExact(read._exact));
  return { confidence: exact as number, updated_at: readInstant(read.updated_at) ?? toIso(0) };
}
