import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/stores/database/connection.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('a search that has failed does not make later searches fail, and leaves nothing open', () => {
  const folder = temporaryFolder();
  const connection = connect(join(folder.path, 'some.db'));
  onTestFinished(() => {
    connection.close();
    folder.remove();
  });
  connection.execute(`CREATE VIRTUAL TABLE words USING fts5 (text); INSERT INTO words VALUES ('harbor')`);
  const count = (expression: string) =>
    connection.get<{ count: number }>('SELECT count(*) AS count FROM words WHERE words MATCH ?', expression)?.count;
  expect(() => count('(')).toThrow('fts5');
  expect(count('harbor')).toBe(1);
  connection.transaction(() => connection.run("INSERT INTO words VALUES ('harbor')"));
  expect(count('harbor')).toBe(2);
  expect(connection.get('PRAGMA wal_checkpoint(TRUNCATE)')).toMatchObject({ busy: 0 });
});
