/**
 * Creates the indexes of the graph. A node `Memory` is the record of a memory with its pending work. Searches find the
 * memory through a second node, `_MemoryIndex`. The two nodes are separate because every write to a node rewrites all
 * its index entries, and the words of a memory have many entries. An access, a claim or a new vector therefore does not
 * rewrite these entries.
 */
import { GRAPH_VERSION } from '../../domain/versions.js';
import { NODE_KINDS } from '../ports/node-store.js';
import { assertUsable, type Schema } from '../schema-version.js';
import { pause } from './connection.js';
import type { Session } from './session.js';
import { WORK_FIELDS } from './work-fields.js';

const GRAPH: Schema<never> = {
  name: 'The graph',
  version: GRAPH_VERSION,
  steps: [],
  elsewhere: 'set FALKORDB_GRAPH to another graph',
};
const VERSION_NAME = { name: 'schema version' };

const RANGE_INDEXES: Record<string, readonly string[]> = {
  Memory: ['id', '_id_rank', '_model', ...WORK_FIELDS.flatMap(({ due, state }) => [due, state])],
  _MemoryIndex: [
    'id',
    'tag_tokens',
    'importance_rank',
    'timestamp_ms',
    'updated_ms',
    'holds_from_ms',
    'holds_until_ms',
  ],
  _StaleVector: ['id', 'note'],
  _Lease: ['name'],
  Counter: ['name'],
  ...Object.fromEntries(NODE_KINDS.map(label => [label, ['id', 'state', '_node_rank', '_updated_ms']])),
};

const WORDS_INDEX = `CALL db.idx.fulltext.createNodeIndex({ label: '_MemoryIndex', stopwords: [] }, { field: 'words', nostem: true })`;
const ALREADY_DONE = /already indexed|no such index/i;
const NO_GRAPH = /empty key/i;

/**
 * Creates missing indexes and waits until they are complete. Any number of processes may prepare a graph at once.
 *
 * @throws MemoryError `unavailable` when this Engraph cannot use the graph, which is then unchanged
 */
export async function prepareSchema(session: Session): Promise<void> {
  const present = fieldsOf(await readIndexes(session));
  await checkVersion(session, present.size > 0);
  await createIndexes(session, present);
}

/**
 * Creates all missing indexes of a label with one statement, and sends all statements at once: each waits for the disk
 * of the server. Then waits until the indexes are complete. Until an index is complete, the server ignores it, and
 * full-text search misses memories.
 */
async function createIndexes(session: Session, atFirst: ReadonlySet<string>): Promise<void> {
  for (let present = atFirst; ; ) {
    const missing = missingIndexes(present);
    // If another process creates an index meanwhile, the server refuses the whole statement.
    await Promise.all(missing.map(statement => change(session, statement)));
    const indexes = await readIndexes(session);
    present = fieldsOf(indexes);
    if (missingIndexes(present).length === 0 && indexes.every(({ isComplete }) => isComplete)) return;
    await pause();
  }
}

function missingIndexes(present: ReadonlySet<string>): string[] {
  const ranges = Object.entries(RANGE_INDEXES).flatMap(([label, fields]) => {
    const missing = fields.filter(field => !present.has(`${label}.${field}`)).map(field => `n.${field}`);
    return missing.length === 0 ? [] : [`CREATE INDEX FOR (n:${label}) ON (${missing.join(', ')})`];
  });
  return present.has('_MemoryIndex.words') ? ranges : [...ranges, WORDS_INDEX];
}

function fieldsOf(indexes: readonly Index[]): Set<string> {
  return new Set(indexes.flatMap(({ fields }) => fields));
}

interface Index {
  /** The fields, each as `Label.property`. */
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

/** Runs a statement that creates an index. */
async function change(session: Session, statement: string): Promise<void> {
  try {
    await session.write(statement);
  } catch (error) {
    // If another process was faster, the index has already been changed.
    if (!ALREADY_DONE.test((error as Error).message)) throw error;
  }
}

/** Whether the graph has been prepared. */
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
    await session.write(statement, { ...VERSION_NAME, version: GRAPH_VERSION });
    version = await readVersion(session);
  }
  if (version !== undefined) assertUsable(version, GRAPH);
}
