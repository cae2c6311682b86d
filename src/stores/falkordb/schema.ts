/**
 * Indexes of the graph. A node `Memory` is the record with its pending work; the node `_MemoryIndex` beside it is what it is
 * found by. They are two because every write of a node writes all its index entries again, and those of the words are
 * many: an access, a claim or a new vector leaves them alone.
 */
import { MemoryError } from '../../domain/errors.js';
import { NODE_KINDS } from '../ports/node-store.js';
import { FINDING_VERSION_1, FORMER_INDEXES, FORMER_WORDS } from './layout-1/indexes.js';
import { upgradeFromVersion1 } from './layout-1/upgrade.js';
import type { Session } from './session.js';
import { pause, stopwatch } from './time-limit.js';
import { WORK_FIELDS } from './work-fields.js';

/** Rises with every change that an older Engraph could not live with. */
const VERSION = 2;
const VERSION_NAME = { name: 'schema version' };

const RANGE_INDEXES: Record<string, readonly string[]> = {
  Memory: ['id', '_id_rank', '_model', ...WORK_FIELDS.flatMap(({ due, state }) => [due, state])],
  _MemoryIndex: ['id', 'tag_tokens', 'importance', 'timestamp_ms', 'updated_ms', 'holds_from_ms', 'holds_until_ms'],
  _StaleVector: ['id', 'note'],
  _Lease: ['name'],
  Counter: ['name'],
  ...Object.fromEntries(NODE_KINDS.map(label => [label, ['id', 'state', '_node_rank', '_updated_ms']])),
};

const WORDS_INDEX = `CALL db.idx.fulltext.createNodeIndex({ label: '_MemoryIndex', stopwords: [] }, { field: 'words', nostem: true })`;
const ALREADY_DONE = /already indexed|no such index/i;
const NO_GRAPH = /empty key/i;
const POLL_MS = 20;

/**
 * Brings a graph of an older Engraph to this version, makes what indexes are missing and waits until they are complete. Any
 * number of processes may do so at once.
 *
 * @param limitMs what is left to be done then is left for the next connection
 * @throws MemoryError `unavailable` when a newer Engraph made the graph, or not all of it has been brought to this version
 */
export async function prepareSchema(session: Session, limitMs: number): Promise<void> {
  const sinceStart = stopwatch();
  sinceStart.restart();
  const present = new Set((await readIndexes(session)).flatMap(({ fields }) => fields));
  await checkVersion(session, present.size > 0);
  for (const [label, fields] of Object.entries(RANGE_INDEXES)) {
    for (const field of fields) {
      if (present.has(`${label}.${field}`)) continue;
      await change(session, `CREATE INDEX FOR (n:${label}) ON (n.${field})`);
    }
  }
  if (!present.has('_MemoryIndex.words')) await change(session, WORDS_INDEX);
  // Until an index is complete, the server does without it, and full-text search finds a part.
  const untilComplete = async () => {
    while ((await readIndexes(session)).some(({ isComplete }) => !isComplete)) await pause(POLL_MS);
  };
  await untilComplete();
  if (!present.has(FINDING_VERSION_1)) return;
  if (!(await upgradeFromVersion1(session, () => sinceStart.elapsedMs() < limitMs)))
    throw await notYetUpgraded(session);
  await dropFormerIndexes(session, present);
  await untilComplete();
}

async function dropFormerIndexes(session: Session, present: ReadonlySet<string>): Promise<void> {
  if (present.has(FORMER_WORDS)) await change(session, "CALL db.idx.fulltext.drop('MemoryIndex')");
  for (const [label, fields] of Object.entries(FORMER_INDEXES)) {
    for (const field of fields) {
      if (present.has(`${label}.${field}`)) await change(session, `DROP INDEX FOR (n:${label}) ON (n.${field})`);
    }
  }
}

async function notYetUpgraded(session: Session): Promise<MemoryError> {
  const [left] = await session.read<{ count: number }>(
    'MATCH (m:Memory) WHERE m.id_rank >= 0 RETURN count(m) AS count',
  );
  return new MemoryError(
    'unavailable',
    `The graph is being brought to schema version ${VERSION}: ${left?.count ?? 0} memories are left`,
    { hint: 'Wait until it is done; nothing is lost when this is interrupted.' },
  );
}

interface Index {
  /** `Label.property` of each. */
  fields: string[];
  isComplete: boolean;
}

async function readIndexes(session: Session): Promise<Index[]> {
  try {
    const rows = await session.read<{ label: string; properties: string[]; status: string }>(
      'CALL db.indexes() YIELD label, properties, status RETURN label, properties, status',
    );
    return rows.map(({ label, properties, status }) => ({
      fields: properties.map(property => `${label}.${property}`),
      isComplete: status === 'OPERATIONAL',
    }));
  } catch (error) {
    if (NO_GRAPH.test((error as Error).message)) return [];
    throw error;
  }
}

/** Makes or removes an index. */
async function change(session: Session, statement: string): Promise<void> {
  try {
    await session.write(statement);
  } catch (error) {
    // Another process was faster.
    if (!ALREADY_DONE.test((error as Error).message)) throw error;
  }
}

/** Whether the graph is one that was prepared. */
export async function isPrepared(connection: Pick<Session, 'read'>): Promise<boolean> {
  return (await readVersion(connection)) !== undefined;
}

async function readVersion(session: Pick<Session, 'read'>): Promise<number | undefined> {
  const [found] = await session.read<{ version: number }>(
    'MATCH (c:Counter {name: $name}) RETURN c.value AS version',
    VERSION_NAME,
  );
  return found?.version;
}

async function checkVersion(session: Session, isKnownGraph: boolean): Promise<void> {
  let version = isKnownGraph ? await readVersion(session) : undefined;
  if (version === undefined) {
    const statement = 'MERGE (c:Counter {name: $name}) SET c.value = coalesce(c.value, $version)';
    await session.write(statement, { ...VERSION_NAME, version: VERSION });
    version = await readVersion(session);
  }
  if (version !== undefined && version < VERSION) {
    // An older Engraph must not read what is being converted.
    const statement = 'MATCH (c:Counter {name: $name}) WHERE c.value < $version SET c.value = $version';
    await session.write(statement, { ...VERSION_NAME, version: VERSION });
  }
  if (version !== undefined && version > VERSION) {
    throw new MemoryError(
      'unavailable',
      `The graph has schema version ${version}, but this Engraph knows only up to ${VERSION}`,
      { hint: 'Update Engraph, or use another graph.' },
    );
  }
}
