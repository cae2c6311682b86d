/** The tables of the embedded graph. */

import { MEMORY_FILE_VERSION } from '../../domain/versions.js';
import { type Connection, fileVersion } from '../database/connection.js';
import { VECTOR_TABLES } from '../embedded-vectors/vector-table.js';
import { assertUsable, migrate, type Schema } from '../schema-version.js';
import { insertFacts } from './last-known.js';
import { BLOCK_BITS } from './tags.js';

const TABLES = `
  CREATE TABLE memories (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL,
    type TEXT NOT NULL,
    confidence REAL NOT NULL,
    importance REAL NOT NULL,
    tags TEXT NOT NULL,
    metadata TEXT NOT NULL,
    timestamp_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    accessed_ms INTEGER NOT NULL,
    valid_from_ms INTEGER,
    valid_to_ms INTEGER,
    summary TEXT,
    enriched INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0,
    relevance REAL,
    embedded_by TEXT,
    archived_ms INTEGER,
    archived_reason TEXT,
    maybe_outdated_by TEXT
  );
  CREATE INDEX memories_by_importance ON memories (importance DESC, timestamp_ms DESC);
  CREATE INDEX memories_by_timestamp ON memories (timestamp_ms);
  -- With the creation time, so that a listing by last change walks the index instead of sorting all memories.
  CREATE INDEX memories_by_update ON memories (updated_ms, timestamp_ms);
  CREATE INDEX memories_by_model ON memories (embedded_by);
  CREATE INDEX memories_by_type ON memories (type, confidence);
  -- The end of validity as one number for active and archived memories, so that a filter can query a range.
  CREATE INDEX memories_by_end
    ON memories (iif(archived, -9000000000000000, ifnull(valid_to_ms, 9000000000000000)));

  -- A vector the caller supplied: nothing could make it again.
  CREATE TABLE supplied_embeddings (
    memory INTEGER PRIMARY KEY REFERENCES memories (row) ON DELETE CASCADE,
    vector BLOB NOT NULL
  );

  -- One row for each prefix of each tag; ordered by time within a key, so that a memory's neighbours are next to it.
  CREATE TABLE memory_tags (
    key TEXT NOT NULL,
    timestamp_ms INTEGER NOT NULL,
    memory INTEGER NOT NULL REFERENCES memories (row) ON DELETE CASCADE,
    is_whole INTEGER NOT NULL,
    importance REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (key, timestamp_ms, memory)
  ) WITHOUT ROWID;
  CREATE INDEX memory_tags_by_memory ON memory_tags (memory);
  CREATE INDEX memory_tags_by_importance ON memory_tags (key, is_whole, importance DESC, timestamp_ms DESC, memory);

  -- Stems, not text: analysis is ours, so that every store finds the same. The tokenizer only splits at spaces, since
  -- "unicode61" folds some letters otherwise than we do and knows none of the newer ones. "keys" holds digests of tag
  -- keys, which lets a query intersect words with tags inside the index.
  CREATE VIRTUAL TABLE memory_text USING fts5 (content, tags, keys, tokenize = 'ascii', detail = column);

  -- The number of memories with each term, because the full-text index would count them one by one.
  CREATE TABLE term_counts (term TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;

  -- The number of memories, and of those with each tag, in each block of rows, so that a search for memories without a
  -- tag reads only the blocks that contain some. Ordered by block, because new memories are in the last blocks and then
  -- change few pages.
  CREATE TABLE memory_blocks (block INTEGER PRIMARY KEY, count INTEGER NOT NULL);
  CREATE TABLE tag_blocks (
    block INTEGER NOT NULL,
    key TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (block, key)
  ) WITHOUT ROWID;
  ${uncountInBlocks('memories', 'row', 'memory_blocks', '')}
  ${uncountInBlocks('memory_tags', 'memory', 'tag_blocks', 'AND key = old.key')}

  CREATE TABLE relations (
    source INTEGER NOT NULL REFERENCES memories (row) ON DELETE CASCADE,
    type TEXT NOT NULL,
    target INTEGER NOT NULL REFERENCES memories (row) ON DELETE CASCADE,
    is_authored INTEGER NOT NULL,
    strength REAL NOT NULL,
    properties TEXT NOT NULL,
    updated_ms INTEGER NOT NULL,
    PRIMARY KEY (source, type, target)
  ) WITHOUT ROWID;
  -- Return the best edges of a memory first.
  CREATE INDEX relations_outgoing
    ON relations (source, is_authored DESC, strength DESC, updated_ms DESC, type, target);
  CREATE INDEX relations_incoming
    ON relations (target, is_authored DESC, strength DESC, updated_ms DESC, type, source);
  CREATE INDEX preferences ON relations (strength DESC, updated_ms DESC, source, target) WHERE type = 'PREFERS_OVER';

  -- due_ms: when to take it up; while claimed, when the lease ends; NULL once it has failed for good.
  CREATE TABLE work (
    kind TEXT NOT NULL,
    memory INTEGER NOT NULL REFERENCES memories (row) ON DELETE CASCADE,
    due_ms INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    token TEXT,
    error TEXT,
    PRIMARY KEY (kind, memory)
  ) WITHOUT ROWID;
  CREATE INDEX work_by_due ON work (kind, due_ms, memory);
  CREATE INDEX work_by_memory ON work (memory);

  -- Vectors to be removed or changed; no reference to the memory, which may be gone.
  CREATE TABLE stale_vectors (
    note INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE
  );

  CREATE TABLE nodes (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    properties TEXT NOT NULL,
    updated_ms INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE INDEX nodes_by_update ON nodes (kind, updated_ms);
  CREATE INDEX patterns_by_confidence
    ON nodes (json_extract(properties, '$.confidence') DESC, json_extract(properties, '$.observations') DESC, id)
    WHERE kind = 'Pattern';

  CREATE TABLE node_links (
    kind TEXT NOT NULL,
    node TEXT NOT NULL,
    memory INTEGER NOT NULL REFERENCES memories (row) ON DELETE CASCADE,
    confidence REAL NOT NULL,
    updated_ms INTEGER NOT NULL,
    PRIMARY KEY (kind, node, memory),
    FOREIGN KEY (kind, node) REFERENCES nodes (kind, id) ON DELETE CASCADE
  ) WITHOUT ROWID;
  CREATE INDEX node_links_by_memory ON node_links (memory);

  -- One row: which file this is, how many transactions have changed memories, the version of the analyzer that words are
  -- written with, and the last row that was analyzed again after a change of it, or NULL when no row is left.
  CREATE TABLE facts (
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    analyzer_version INTEGER NOT NULL DEFAULT 1,
    rewritten_row INTEGER
  );

  ${VECTOR_TABLES}
`;

/** Returns a trigger that subtracts each deleted row from the counts of its block. */
function uncountInBlocks(table: string, row: string, counts: string, andKey: string): string {
  const which = `block = old.${row} >> ${BLOCK_BITS} ${andKey}`;
  return `CREATE TRIGGER ${table}_uncounted AFTER DELETE ON ${table} BEGIN
    UPDATE ${counts} SET count = count - 1 WHERE ${which};
    DELETE FROM ${counts} WHERE ${which} AND count = 0;
  END;`;
}

const MEMORY_FILE: Schema<Connection> = {
  name: 'The memory file',
  version: MEMORY_FILE_VERSION,
  steps: [],
  elsewhere: 'set ENGRAPH_DATA_DIR to another folder',
};

/**
 * Creates the tables in an empty file, or converts those of an older release, as a whole or not at all.
 *
 * @throws MemoryError `unavailable` when this Engraph cannot use the tables
 */
export function prepareTables(connection: Connection): void {
  if (hasCurrentTables(connection)) return;
  connection.transaction(() => {
    const stored = fileVersion(connection);
    if (stored !== undefined) migrate(connection, stored, MEMORY_FILE);
    else {
      connection.execute(TABLES);
      insertFacts(connection);
    }
    connection.execute(`PRAGMA user_version = ${MEMORY_FILE_VERSION}`);
  });
}

/**
 * Whether the file has tables that need no conversion. Changes nothing.
 *
 * @throws MemoryError `unavailable` when this Engraph cannot use the tables
 */
export function hasCurrentTables(connection: Connection): boolean {
  const stored = fileVersion(connection);
  if (stored !== undefined) assertUsable(stored, MEMORY_FILE);
  return stored === MEMORY_FILE_VERSION;
}
