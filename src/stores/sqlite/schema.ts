/** The embedded graph's tables, as a list of steps that migrate any earlier version to the current one. */

import { MemoryError } from '../../domain/errors.js';
import type { Metadata } from '../../domain/json.js';
import { tagPrefixes } from '../../domain/tags.js';
import type { Connection } from '../database/connection.js';
import { prepareVectorTables } from '../embedded-vectors/vector-table.js';
import { FACTS_TABLE, insertFacts } from './last-known.js';
import { BLOCK_SHIFTS } from './tag-blocks.js';
import { indexedWords, insertWords } from './word-rows.js';
import { ANALYZER_COLUMNS } from './word-upkeep.js';

/** Step n migrates schema version n to n + 1. A released step never changes. */
const MIGRATIONS: readonly (string | ((connection: Connection) => void))[] = [
  `
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
    embedded_by TEXT
  );
  CREATE INDEX memories_by_importance ON memories (importance DESC, timestamp_ms DESC);
  CREATE INDEX memories_by_timestamp ON memories (timestamp_ms);
  CREATE INDEX memories_by_update ON memories (updated_ms);
  CREATE INDEX memories_embedded ON memories (embedded_by) WHERE embedded_by IS NOT NULL;

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
    PRIMARY KEY (key, timestamp_ms, memory)
  ) WITHOUT ROWID;
  CREATE INDEX memory_tags_by_memory ON memory_tags (memory);

  -- Stems, not text: analysis is ours, so that every store finds the same. The tokenizer only splits at spaces, since
  -- "unicode61" folds some letters otherwise than we do and knows none of the newer ones. "keys" holds digests of tag
  -- keys, which lets a query intersect words with tags inside the index.
  CREATE VIRTUAL TABLE memory_text USING fts5 (
    content, tags, keys, content = '', contentless_delete = 1, tokenize = 'ascii'
  );
  CREATE VIRTUAL TABLE memory_terms USING fts5vocab (memory_text, row);

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
  CREATE INDEX relations_by_target ON relations (target);

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
  `,
  // The index also contains the creation time, so that a listing by last change walks the index instead of sorting all
  // memories.
  `
  DROP INDEX memories_by_update;
  CREATE INDEX memories_by_update ON memories (updated_ms, timestamp_ms);
  `,
  // Adds indexes for searches that start from a selective filter: by validity, and by tag in the order of importance.
  // The full-text index now stores the words of each row, so that a few rows can be scored without searching the index.
  connection => {
    connection.execute(`
      CREATE INDEX memories_by_validity ON memories (archived, valid_to_ms, valid_from_ms);

      DROP INDEX memories_embedded;
      CREATE INDEX memories_by_model ON memories (embedded_by);

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

      ALTER TABLE memory_tags ADD COLUMN importance REAL NOT NULL DEFAULT 0;
      UPDATE memory_tags SET importance = (SELECT importance FROM memories WHERE row = memory);
      CREATE INDEX memory_tags_by_importance ON memory_tags (key, is_whole, importance DESC, timestamp_ms DESC, memory);

      DROP TABLE memory_terms;
      DROP TABLE memory_text;
      CREATE VIRTUAL TABLE memory_text USING fts5 (content, tags, keys, tokenize = 'ascii', detail = column);
      CREATE VIRTUAL TABLE memory_terms USING fts5vocab (memory_text, row);
    `);
    rebuildText(connection);
  },
  // Adds indexes that return the best edges of a memory first. Adds a table with the number of memories for each
  // term, because the full-text index would count them one by one. Adds a table that counts the memories with each
  // tag in each block of rows, so that a search for memories without a tag reads only the blocks that contain some.
  connection => {
    connection.execute(`
      CREATE TABLE term_counts (term TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
      INSERT INTO term_counts SELECT term, doc FROM memory_terms;
      DROP TABLE memory_terms;

      DROP INDEX relations_by_target;
      CREATE INDEX relations_outgoing
        ON relations (source, is_authored, strength DESC, updated_ms DESC, type, target);
      CREATE INDEX relations_incoming
        ON relations (target, is_authored, strength DESC, updated_ms DESC, type, source);

      -- shift: a block is the rows that are equal but for so many low bits. The empty key stands for every memory.
      CREATE TABLE tag_blocks (
        key TEXT NOT NULL,
        shift INTEGER NOT NULL,
        block INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (key, shift, block)
      ) WITHOUT ROWID;
    `);
    for (const shift of BLOCK_SHIFTS) {
      connection.execute(`
        INSERT INTO tag_blocks SELECT '', ${shift}, row >> ${shift}, count(*) FROM memories GROUP BY row >> ${shift};
        INSERT INTO tag_blocks
          SELECT key, ${shift}, memory >> ${shift}, count(*) FROM memory_tags GROUP BY key, memory >> ${shift};
      `);
    }
    connection.execute(
      [
        ['memories', 'row', "''"],
        ['memory_tags', 'memory', 'KEY.key'],
      ]
        .map(([table = '', row = '', key = '']) => countInBlocks(table, row, key))
        .join('\n'),
    );
  },
  // Adds tables for vectors, and for facts that identify the file.
  connection => {
    prepareVectorTables(connection);
    connection.execute(FACTS_TABLE);
    insertFacts(connection);
  },
  // Indexes the end of validity as one number for active and archived memories, so that a filter can query a range.
  `
  DROP INDEX memories_by_validity;
  CREATE INDEX memories_by_end
    ON memories (iif(archived, -9000000000000000, ifnull(valid_to_ms, 9000000000000000)));
  `,
  // Adds indexes, so that counts and rankings over all memories, patterns and preferences need not scan the tables.
  `
  CREATE INDEX memories_by_type ON memories (type, confidence);
  CREATE INDEX patterns_by_confidence
    ON nodes (json_extract(properties, '$.confidence') DESC, json_extract(properties, '$.observations') DESC, id)
    WHERE kind = 'Pattern';
  CREATE INDEX preferences ON relations (strength DESC, updated_ms DESC, source, target) WHERE type = 'PREFERS_OVER';
  `,
  // Adds the time at which a memory was archived, and the reason.
  `
  ALTER TABLE memories ADD COLUMN archived_ms INTEGER;
  ALTER TABLE memories ADD COLUMN archived_reason TEXT;
  `,
  // Adds an index of authored edges, which are few compared with the edges that the system makes.
  `
  CREATE INDEX relations_authored ON relations (source, target) WHERE is_authored = 1;
  `,
  // Adds the column for vectors that are stored without their zeros.
  prepareVectorTables,
  // Removes the triggers that counted each new row in its blocks, because the rows of a batch are counted together.
  `
  DROP TRIGGER IF EXISTS memories_counted;
  DROP TRIGGER IF EXISTS memory_tags_counted;
  `,
  // Orders the counts of tags by block, because new memories are in the last blocks and then change few pages.
  `
  DROP TRIGGER memories_uncounted;
  DROP TRIGGER memory_tags_uncounted;
  CREATE TABLE memory_blocks (
    shift INTEGER NOT NULL,
    block INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (shift, block)
  ) WITHOUT ROWID;
  INSERT INTO memory_blocks SELECT shift, block, count FROM tag_blocks WHERE key = '';
  ALTER TABLE tag_blocks RENAME TO tag_blocks_by_key;
  CREATE TABLE tag_blocks (
    shift INTEGER NOT NULL,
    block INTEGER NOT NULL,
    key TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (shift, block, key)
  ) WITHOUT ROWID;
  INSERT INTO tag_blocks
    SELECT shift, block, key, count FROM tag_blocks_by_key WHERE key <> '' ORDER BY shift, block, key;
  DROP TABLE tag_blocks_by_key;
  ${uncountInBlocks('memories', 'row', 'memory_blocks', '')}
  ${uncountInBlocks('memory_tags', 'memory', 'tag_blocks', 'AND key = old.key')}
  `,
  // Adds the suggestion that a newer memory may replace the memory.
  `
  ALTER TABLE memories ADD COLUMN maybe_outdated_by TEXT;
  `,
  ANALYZER_COLUMNS,
];

/** The version of a file after the last step. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Returns the triggers of an earlier version that kept the counts in `tag_blocks` consistent with a table. */
function countInBlocks(table: string, row: string, key: string): string {
  const counted = BLOCK_SHIFTS.map(
    shift => `INSERT INTO tag_blocks VALUES (${key.replace('KEY', 'new')}, ${shift}, new.${row} >> ${shift}, 1)
      ON CONFLICT (key, shift, block) DO UPDATE SET count = count + 1;`,
  );
  const uncounted = BLOCK_SHIFTS.map(shift => {
    const which = `key = ${key.replace('KEY', 'old')} AND shift = ${shift} AND block = old.${row} >> ${shift}`;
    return `UPDATE tag_blocks SET count = count - 1 WHERE ${which}; DELETE FROM tag_blocks WHERE ${which} AND count = 0;`;
  });
  return `
    CREATE TRIGGER ${table}_counted AFTER INSERT ON ${table} BEGIN ${counted.join(' ')} END;
    CREATE TRIGGER ${table}_uncounted AFTER DELETE ON ${table} BEGIN ${uncounted.join(' ')} END;
  `;
}

/** Returns a trigger that subtracts each deleted row from the counts of its blocks. */
function uncountInBlocks(table: string, row: string, counts: string, andKey: string): string {
  const uncounted = BLOCK_SHIFTS.map(shift => {
    const which = `shift = ${shift} AND block = old.${row} >> ${shift} ${andKey}`;
    return `UPDATE ${counts} SET count = count - 1 WHERE ${which}; DELETE FROM ${counts} WHERE ${which} AND count = 0;`;
  });
  return `CREATE TRIGGER ${table}_uncounted AFTER DELETE ON ${table} BEGIN ${uncounted.join(' ')} END;`;
}

const ROWS_PER_READ = 1_000;

function rebuildText(connection: Connection): void {
  let last = 0;
  for (;;) {
    const rows = connection.all<{ row: number; content: string; tags: string; metadata: string }>(
      'SELECT row, content, tags, metadata FROM memories WHERE row > ? ORDER BY row LIMIT ?',
      last,
      ROWS_PER_READ,
    );
    for (const { row, content, ...texts } of rows) {
      const tags = JSON.parse(texts.tags) as string[];
      const metadata = JSON.parse(texts.metadata) as Metadata;
      insertWords(connection, row, indexedWords({ content, tags, tag_prefixes: tagPrefixes(tags), metadata }));
      last = row;
    }
    if (rows.length < ROWS_PER_READ) return;
  }
}

/** Whether the file has the current schema. */
export function isCurrent(connection: Connection): boolean {
  return versionOf(connection) === SCHEMA_VERSION;
}

function versionOf(connection: Connection): number {
  return connection.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
}

/**
 * Migrates the schema to the current version, one durable step at a time.
 *
 * @param target version at which to stop; only tests stop before the current version
 * @throws MemoryError `unavailable` when a newer version of Engraph has written the file
 */
export function migrate(connection: Connection, target = SCHEMA_VERSION): void {
  const version = versionOf(connection);
  if (version > SCHEMA_VERSION) {
    throw new MemoryError(
      'unavailable',
      `The memory file has schema version ${version}, but this Engraph knows only up to ${SCHEMA_VERSION}`,
      { hint: 'Update Engraph, or use another data folder.' },
    );
  }
  for (const [step, change] of MIGRATIONS.slice(version, target).entries()) {
    connection.transaction(() => {
      if (typeof change === 'string') connection.execute(change);
      else change(connection);
      connection.execute(`PRAGMA user_version = ${version + step + 1}`);
    });
  }
}
