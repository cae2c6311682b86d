/** Rows without a tag are found by counts: each block of rows has a count of its memories with each tag. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Connection, connect } from '../../src/stores/database/connection.js';
import { prepareTables } from '../../src/stores/sqlite/schema.js';
import { BLOCK_BITS, countMemories, countMemoryRows, countTagRows, rowsWithout } from '../../src/stores/sqlite/tags.js';
import { idOf, NOON } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The rows are far apart: there is one in each block, and there are more blocks than one query returns. */
const ROWS = Array.from({ length: 50 }, (_, block) => block * 2 ** BLOCK_BITS + 7);

function databaseWith(tagged: readonly number[]): Connection {
  const folder = temporaryFolder();
  const connection = connect(join(folder.path, 'memories.db'));
  onTestFinished(() => {
    connection.close();
    folder.remove();
  });
  prepareTables(connection);
  for (const row of ROWS) {
    connection.run(
      `INSERT INTO memories (row, id, content, type, confidence, importance, tags, metadata, timestamp_ms, updated_ms,
       accessed_ms) VALUES (?, ?, 'A heron', 'Context', 0.3, 0.5, '[]', '{}', ?, ?, ?)`,
      ...[row, idOf(row), NOON, NOON, NOON],
    );
  }
  for (const row of tagged) {
    const statement = 'INSERT INTO memory_tags (key, timestamp_ms, memory, is_whole) VALUES (?, ?, ?, 1)';
    connection.run(statement, 'bird', NOON, row);
  }
  countMemoryRows(connection, ROWS);
  countTagRows(connection, [['bird', tagged]]);
  return connection;
}

const newestFirst = (rows: readonly number[]) => [...rows].reverse();

test.each([
  ['no memory has the tag', []],
  ['every second memory has the tag', ROWS.filter((_, at) => at % 2 === 0)],
  ['all but the oldest memory have the tag', ROWS.slice(1)],
  ['every memory has the tag', ROWS],
])('rows without a tag are found, newest first, if %s', (_, tagged) => {
  const connection = databaseWith(tagged);
  const without = newestFirst(ROWS.filter(row => !tagged.includes(row)));
  for (const max of [1, 20, 21, 1_000]) expect(rowsWithout(connection, 'bird', max)).toEqual(without.slice(0, max));
  expect(rowsWithout(connection, 'fish', 1_000)).toEqual(newestFirst(ROWS));
});

test('a deleted memory and a deleted tag are no longer counted', () => {
  const connection = databaseWith(ROWS);
  connection.run('DELETE FROM memories WHERE row = ?', ROWS[3] ?? 0);
  connection.run("DELETE FROM memory_tags WHERE key = 'bird' AND memory = ?", ROWS[30] ?? 0);
  expect(countMemories(connection)).toBe(ROWS.length - 1);
  expect(rowsWithout(connection, 'bird', 10)).toEqual([ROWS[30]]);
});
