/**
 * Indexes of the graph. A node `Memory` is the record with its pending work; the node `_MemoryIndex` beside it is what it is
 * found by. They are two because every write of a node writes all its index entries again, and those of the words are
 * many: an access, a claim or a new vector leaves them alone.
 */
import { MemoryError } from '../../domain/errors.js';
import { NODE_LABELS } from './nodes.js';
import type { Session } from './session.js';
import { pause } from './time-limit.js';
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
  ...Object.fromEntries(NODE_LABELS.map(label => [label, ['id', '_id_rank', '_updated_ms']])),
};

const WORDS_INDEX = `CALL db.idx.fulltext.createNodeIndex({ label: '_MemoryIndex', stopwords: [] }, { field: 'words', nostem: true })`;
const ALREADY_THERE = /already indexed/i;
const NO_GRAPH = /empty key/i;
const POLL_MS = 20;

/**
 * Makes what indexes are missing and waits until they are complete. Any number of processes may do so at once.
 *
 * @throws MemoryError `unavailable` when a newer Engraph made the graph
 */
export async function prepareSchema(session: Session): Promise<void> {
  const present = new Set((await readIndexes(session)).flatMap(({ fields }) => fields));
  for (const [label, fields] of Object.entries(RANGE_INDEXES)) {
    for (const field of fields) {
      if (present.has(`${label}.${field}`)) continue;
      await create(session, `CREATE INDEX FOR (n:${label}) ON (n.${field})`);
    }
  }
  if (!present.has('_MemoryIndex.words')) await create(session, WORDS_INDEX);
  await checkVersion(session, present.size > 0);
  // Until an index is complete, the server does without it, and full-text search finds a part.
  while ((await readIndexes(session)).some(({ isComplete }) => !isComplete)) await pause(POLL_MS);
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

async function create(session: Session, statement: string): Promise<void> {
  try {
    await session.write(statement);
  } catch (error) {
    // Another process was faster.
    if (!ALREADY_THERE.test((error as Error).message)) throw error;
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
  if (version !== undefined && version > VERSION) {
    throw new MemoryError(
      'unavailable',
      `The graph has schema version ${version}, but this Engraph knows only up to ${VERSION}`,
      { hint: 'Update Engraph, or use another graph.' },
    );
  }
}
