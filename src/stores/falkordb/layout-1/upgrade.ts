/**
 * Converts a graph of schema version 1 to version 2, one page at a time. The conversion finds the remaining nodes by
 * the property `id_rank` of version 1, and removes this property last. Therefore any process can continue after an
 * interruption.
 */
import { RELATION_TYPES, type RelationType } from '../../../domain/relation.js';
import { toIso } from '../../../domain/time.js';
import { NODE_KINDS, type NodeKind } from '../../ports/node-store.js';
import { edgeProperties, linkProperties } from '../edge-properties.js';
import { encodeText, identityOf, keyOf, NONE } from '../encoding.js';
import { indexProperties } from '../index-node.js';
import { nodeProperties } from '../node-properties.js';
import { labelOf } from '../nodes.js';
import type { Value } from '../parameters.js';
import { publicForm } from '../public-form.js';
import { recordProperties } from '../records.js';
import type { Session } from '../session.js';
import {
  FORMER_MEMORY,
  FORMER_NODE,
  type FormerProperties,
  foreignPropertiesOf,
  formerEdge,
  formerId,
  formerMemory,
  formerNodeProperties,
  formerOwn,
} from './records.js';

const PAGE = 100;

interface Found {
  /** The number that the server gave the node. */
  node: number;
  key: string;
  isTaken: boolean;
  properties: FormerProperties;
}

/**
 * Converts nodes as long as `mayGoOn` returns true.
 *
 * @returns whether all nodes are converted
 */
export async function upgradeFromVersion1(session: Session, mayGoOn: () => boolean): Promise<boolean> {
  const steps = [
    () => upgradeMemories(session),
    ...NODE_KINDS.map(kind => () => upgradeNodes(session, kind)),
    () => upgradeNotes(session),
  ];
  for (const step of steps) {
    while (await step()) if (!mayGoOn()) return false;
  }
  await session.write('MATCH (l:Lease) DELETE l');
  return true;
}

async function readPage(session: Session, label: string): Promise<Found[]> {
  return session.read<Found>(
    `MATCH (n:${label}) WHERE n.id_rank >= 0 WITH n LIMIT $limit
     RETURN ID(n) AS node, n.id AS key, (n._id_rank IS NOT NULL OR n._node_rank IS NOT NULL) AS isTaken, properties(n) AS properties`,
    { limit: PAGE },
  );
}

/** @returns whether there were any memories to convert */
async function upgradeMemories(session: Session): Promise<boolean> {
  const found = await readPage(session, 'Memory');
  if (found.length === 0) return false;
  const nodes = found.flatMap(({ node, key, properties }) => {
    const memory = formerMemory(properties);
    if (!memory) return [];
    const record = { ...identityOf(memory.id), ...recordProperties(memory), ...formerOwn(properties) };
    return [{ node, id: key, memory: record, index: { ...identityOf(memory.id), ...indexProperties(memory) } }];
  });
  if (nodes.length > 0) {
    await session.write(
      `UNWIND $nodes AS each MATCH (m:Memory {id: each.id}) WHERE ID(m) = each.node AND m._id_rank IS NULL
       SET m += each.memory
       WITH each
       MERGE (i:_MemoryIndex {id: each.id}) SET i += each.index
       RETURN count(i) AS written`,
      { nodes },
    );
  }
  const ids = found.map(({ key }) => key);
  await upgradeEdges(session, ids);
  await upgradeLinks(session, ids);
  await session.write('UNWIND $ids AS id MATCH (i:MemoryIndex {id: id}) DELETE i', { ids });
  await session.write(`UNWIND $ids AS id MATCH (m:Memory {id: id}) WHERE m.summary = '${NONE}' REMOVE m.summary`, {
    ids,
  });
  // An earlier attempt that was interrupted has already converted the records of nodes with `isTaken`, so these nodes
  // can no longer be read in the form of version 1.
  const taken = found.filter(({ isTaken }) => isTaken).map(({ key }) => key);
  const converted = new Set([...nodes.map(({ id }) => id), ...taken]);
  await removeFormer(session, 'Memory', { ids: ids.filter(id => converted.has(id)), names: FORMER_MEMORY });
  // From unreadable nodes, remove only `id_rank`. They keep all other properties until an operator repairs them.
  await removeFormer(session, 'Memory', { ids: ids.filter(id => !converted.has(id)), names: ['id_rank'] });
  return true;
}

/**
 * Removes one property at a time, because removing several properties at once would remove other properties too
 * (FalkorDB issue 1787).
 */
async function removeFormer(
  session: Session,
  label: string,
  { ids, names }: { ids: readonly string[]; names: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return;
  const removals = names.map(name => `REMOVE n.${name}`).join(' WITH n ');
  await session.write(`UNWIND $ids AS id MATCH (n:${label} {id: id}) WHERE n.id_rank >= 0 ${removals}`, { ids });
}

interface EdgeFound {
  edge: number;
  from: string;
  to: string;
  type: string;
  properties: FormerProperties;
}

async function upgradeEdges(session: Session, ids: readonly string[]): Promise<void> {
  const rows = await session.read<{ edges: EdgeFound[] }>(
    `UNWIND $ids AS id MATCH (a:Memory {id: id})-[r]->(b:Memory) WHERE r.details IS NOT NULL
     RETURN collect({edge: ID(r), from: a.id, to: b.id, type: type(r), properties: properties(r)}) AS edges`,
    { ids },
  );
  const found = rows.flatMap(({ edges }) => edges);
  for (const type of RELATION_TYPES) {
    const edges = found.filter(each => each.type === type).map(each => ({ ...ends(each), now: newEdge(type, each) }));
    await writeEdges(session, `${type}]->(b:Memory`, edges);
  }
}

function newEdge(type: RelationType, { from, to, properties }: EdgeFound): Record<string, Value> {
  return { ...foreign(properties), ...edgeProperties({ from, to, type, ...formerEdge(properties) }) };
}

async function upgradeLinks(session: Session, ids: readonly string[]): Promise<void> {
  for (const kind of NODE_KINDS) {
    const rows = await session.read<{ edges: EdgeFound[] }>(
      `UNWIND $ids AS id MATCH (a:Memory {id: id})-[r:EXEMPLIFIES]->(b:${labelOf(kind)}) WHERE r.updated_ms IS NOT NULL
       RETURN collect({edge: ID(r), from: a.id, to: b.id, type: type(r), properties: properties(r)}) AS edges`,
      { ids },
    );
    const edges = rows.flatMap(({ edges: found }) =>
      found.map(each => {
        const { confidence, updated_ms } = each.properties;
        const link = { memoryId: each.from, kind, nodeId: each.to, updated_at: toIso(updated_ms as number) };
        return {
          ...ends(each),
          now: { ...foreign(each.properties), ...linkProperties({ ...link, confidence: Number(confidence) }) },
        };
      }),
    );
    await writeEdges(session, `EXEMPLIFIES]->(b:${labelOf(kind)}`, edges);
  }
}

function ends({ edge, from, to }: EdgeFound) {
  return { edge, from, to };
}

function foreign(properties: FormerProperties): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(foreignPropertiesOf(properties)).flatMap(([name, value]) => {
      const form = publicForm(value);
      return form === undefined ? [] : [[name, form]];
    }),
  );
}

async function writeEdges(
  session: Session,
  pattern: string,
  edges: readonly { edge: number; from: string; to: string; now: Record<string, Value> }[],
): Promise<void> {
  if (edges.length === 0) return;
  await session.write(
    `UNWIND $edges AS each MATCH (a:Memory {id: each.from})-[r:${pattern} {id: each.to}) WHERE ID(r) = each.edge
     SET r = each.now`,
    { edges },
  );
}

async function upgradeNodes(session: Session, kind: NodeKind): Promise<boolean> {
  const label = labelOf(kind);
  const found = await readPage(session, label);
  if (found.length === 0) return false;
  const nodes = found.flatMap(({ node, key, isTaken, properties: read }) => {
    if (isTaken) return [];
    const updated_at = toIso(read.updated_ms as number);
    const now = nodeProperties({ kind, id: formerId(read), properties: formerNodeProperties(read), updated_at });
    return [{ node, id: key, now }];
  });
  // A property of version 2 may have the same name as a former property, and must then stay.
  const kept = new Set(nodes.flatMap(({ now }) => Object.keys(now)));
  if (nodes.length > 0) {
    await session.write(
      `UNWIND $nodes AS each MATCH (n:${label} {id: each.id}) WHERE ID(n) = each.node SET n += each.now`,
      { nodes },
    );
  }
  const names = FORMER_NODE.filter(name => name === 'id_rank' || !kept.has(name));
  await removeFormer(session, label, { ids: found.map(({ key }) => key), names });
  return true;
}

async function upgradeNotes(session: Session): Promise<boolean> {
  const found = await session.read<{ properties: FormerProperties }>(
    'MATCH (s:StaleVector) WHERE s.note > 0 WITH s LIMIT $limit RETURN properties(s) AS properties',
    { limit: PAGE },
  );
  if (found.length === 0) return false;
  const notes = found.map(({ properties }) => ({
    id: keyOf(formerId(properties)),
    exact_id: encodeText(formerId(properties)),
    note: properties.note as number,
  }));
  await session.write(
    `UNWIND $notes AS each MERGE (s:_StaleVector {id: each.id}) SET s._exact_id = each.exact_id, s.note = each.note
     WITH each MATCH (f:StaleVector {id: each.id}) DELETE f`,
    { notes },
  );
  return true;
}
