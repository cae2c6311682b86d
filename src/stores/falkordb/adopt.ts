/**
 * Searches every node, in pages, for data that other programs wrote, changed or removed
 * (docs/decisions.md, "Other writers of the graph").
 */
import type { AdoptionReport, MalformedNode } from '../../domain/reports.js';
import type { AdoptionRequest } from '../graph-store.js';
import { NODE_KINDS } from '../ports/node-store.js';
import { adoptNodes, type FoundNode, foundColumns, idsInUse, readFound } from './adopt-nodes.js';
import type { Connection } from './connection.js';
import { idIn, keyOf, NONE } from './encoding.js';
import { indexedAs } from './index-node.js';
import { rankProperties, writtenMs } from './node-properties.js';
import { type StoredMemory, type StoredRow, storedColumns, storedOf } from './read-record.js';
import { untilWritten, WRITE_CONFLICT } from './retry.js';
import { rewriteClauses, rewriteOf } from './rewrite.js';
import { noteStaleVectors } from './stale-vectors.js';
import { assignments, cleared, WORK_FIELDS } from './work-fields.js';

const PAGE = 500;
const SAMPLE_MAX = 10;

type Found = FoundNode & { has_index: boolean };

interface Walk {
  connection: Connection;
  isDryRun: boolean;
  mayGoOn(): Promise<boolean>;
  adopted: number;
  repaired: number;
  malformed: MalformedNode[];
  malformedCount: number;
}

export async function adopt(connection: Connection, { isDryRun, mayGoOn }: AdoptionRequest): Promise<AdoptionReport> {
  const walk: Walk = {
    connection,
    isDryRun,
    mayGoOn: mayGoOn ?? (async () => true),
    adopted: 0,
    repaired: 0,
    malformed: [],
    malformedCount: 0,
  };
  await walkMemories(walk);
  await walkIndex(walk);
  for (const label of NODE_KINDS) await walkNodes(walk, label);
  return {
    adoptedCount: walk.adopted,
    repairedCount: walk.repaired,
    malformedCount: walk.malformedCount,
    malformedSample: walk.malformed,
  };
}

/**
 * Reads the nodes of a label in pages, by the number that the server gives each node. The server selects nodes in the
 * order of their numbers, but may return them in another order.
 */
async function eachPage<Row extends { node: number }>(
  { connection, mayGoOn }: Walk,
  statement: string,
  visit: (rows: Row[]) => Promise<void>,
): Promise<void> {
  let from = 0;
  while (await mayGoOn()) {
    const rows = await connection.read<Row>(statement, { from, limit: PAGE });
    if (rows.length === 0) return;
    const inOrder = rows.toSorted((a, b) => a.node - b.node);
    await visit(inOrder);
    from = (inOrder.at(-1)?.node ?? from) + 1;
  }
}

function walkMemories(walk: Walk): Promise<void> {
  return eachPage<Found>(
    walk,
    `MATCH (m:Memory) WHERE ID(m) >= $from WITH m LIMIT $limit
     OPTIONAL MATCH (i:_MemoryIndex {id: m.id})
     WITH m, count(i) > 0 AS has_index
     RETURN ${foundColumns('m')}, has_index`,
    async rows => {
      const foreign = rows.filter(({ revision }) => typeof revision !== 'number');
      const ours = rows.filter(({ revision }) => typeof revision === 'number');
      if (foreign.length > 0) await takeOver(walk, foreign);
      for (const found of ours) await reindexChanged(walk, found);
    },
  );
}

async function takeOver(walk: Walk, found: readonly Found[]): Promise<void> {
  if (!walk.isDryRun) {
    const { adopted, malformed } = await adoptNodes(walk.connection, found);
    walk.adopted += adopted.length;
    for (const each of malformed) note(walk, each);
    return;
  }
  const doubled = await idsInUse(walk.connection, found);
  for (const each of found) {
    const read = readFound(each, doubled);
    if (read && 'malformed' in read) note(walk, read.malformed);
    else if (read) walk.adopted += 1;
  }
}

function note(walk: Walk, malformed: MalformedNode): void {
  walk.malformedCount += 1;
  if (walk.malformed.length < SAMPLE_MAX) walk.malformed.push(malformed);
}

/** Updates the index of adopted memories that another program has changed. */
async function reindexChanged(walk: Walk, found: Found): Promise<void> {
  const stored = storedOf(found, found.has_index);
  if (!stored) {
    const read = readFound(found);
    if (read && 'malformed' in read) note(walk, read.malformed);
    if (!walk.isDryRun) await markUnadopted(walk.connection, found);
    return;
  }
  if (!isOutOfStep(stored)) return;
  walk.repaired += 1;
  if (!walk.isDryRun) await repair(walk.connection, found);
}

function isOutOfStep({ memory, hasIndex, indexedAs: indexed }: StoredMemory): boolean {
  return !hasIndex || indexed !== indexedAs(memory);
}

async function repair(connection: Connection, { node, has_index }: Found): Promise<void> {
  await untilWritten(async () => {
    const [row] = await connection.read<StoredRow>(
      `MATCH (m:Memory) WHERE ID(m) = $node RETURN ${storedColumns('m')}`,
      { node },
    );
    const stored = row && storedOf(row, has_index);
    if (!stored || !isOutOfStep(stored)) return undefined;
    const rewrite = rewriteOf(stored, stored.memory, []);
    const rows = await connection.write(
      `MATCH (m:Memory) WHERE ID(m) = $node AND m._revision = $revision
       ${rewriteClauses(rewrite)}
       RETURN 1 AS written`,
      { ...rewrite.parameters, node },
    );
    return rows.length > 0 ? undefined : WRITE_CONFLICT;
  });
}

/** The value of `_model` in a node that has become unreadable; no model has this number. */
const NOT_COUNTED = -1;

/** Marks a node that has become unreadable as not adopted. The node is adopted again once it has been repaired. */
async function markUnadopted(connection: Connection, { node, revision }: Found): Promise<void> {
  const none = Object.assign({}, ...WORK_FIELDS.map(cleared)) as Record<string, string>;
  await connection.write(
    `MATCH (m:Memory) WHERE ID(m) = $node AND m._revision = $revision
     REMOVE m._revision WITH m
     SET ${assignments('m', { _id_rank: '-1', _model: `${NOT_COUNTED}`, _embedded_by: `'${NONE}'`, ...none })}`,
    { node, revision },
  );
}

interface IndexRow {
  node: number;
  id: string;
  owners: number;
}

/** Removes the index nodes and the histories of memories that another program has deleted or made unreadable. */
function walkIndex(walk: Walk): Promise<void> {
  const owners = 'OPTIONAL MATCH (m:Memory {id: i.id}) WHERE m._revision > 0 WITH i, count(m) AS owners';
  return eachPage<IndexRow>(
    walk,
    `MATCH (i:_MemoryIndex) WHERE ID(i) >= $from WITH i LIMIT $limit ${owners}
     RETURN ID(i) AS node, i.id AS id, owners`,
    async rows => {
      const ids = rows.filter(row => row.owners === 0).map(({ id }) => id);
      if (ids.length === 0) return;
      walk.repaired += ids.length;
      if (walk.isDryRun) return;
      await walk.connection.write(
        `UNWIND $ids AS id MATCH (i:_MemoryIndex {id: id}) ${owners} WHERE owners = 0
         WITH i, i.id AS id, i._exact_id AS exact_id
         OPTIONAL MATCH (h:MemoryHistory {id: id})
         DELETE i, h
         WITH collect({id: id, _exact_id: exact_id}) AS stale WHERE size(stale) > 0
         ${noteStaleVectors('stale')}
         RETURN [each IN stale | ${idIn('each')}] AS gone`,
        { ids },
      );
    },
  );
}

interface NodeFound {
  node: number;
  id: unknown;
  rank: number | null;
  updated_ms: number | null;
  properties: Record<string, unknown>;
}

/** Updates the ranks by which nodes other than memories are listed. */
function walkNodes(walk: Walk, label: string): Promise<void> {
  return eachPage<NodeFound>(
    walk,
    `MATCH (n:${label}) WHERE ID(n) >= $from WITH n LIMIT $limit
     RETURN ID(n) AS node, n.id AS id, n._node_rank AS rank, n._updated_ms AS updated_ms, properties(n) AS properties`,
    async rows => {
      const nodes = rows.flatMap(({ node, id, rank, updated_ms, properties }) => {
        if (typeof id !== 'string') {
          note(walk, { label, problem: 'its id is missing or not a text' });
          return [];
        }
        const wanted = rankProperties(id, writtenMs(properties));
        const isRanked = rank !== null && updated_ms === wanted._updated_ms;
        return isRanked || keyOf(id) !== id ? [] : [{ id, node, wanted }];
      });
      if (nodes.length === 0 || walk.isDryRun) return;
      await walk.connection.write(
        `UNWIND $nodes AS each MATCH (n:${label} {id: each.id}) WHERE ID(n) = each.node SET n += each.wanted`,
        { nodes },
      );
    },
  );
}
