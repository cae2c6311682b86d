/** The files of the lock contain no memories: whatever stands in them, the folder is used, or the message names them. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder, tryLockFolder } from '../../src/stores/data-folder/lock.js';
import { keepChanging } from '../support/changing-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function folder(): string {
  const { path, remove } = temporaryFolder();
  onTestFinished(remove);
  lockFolder(path).release();
  return path;
}

/** Locks the folder as a process does that could not write when it started, and that only reads since. */
function readBeside(path: string): void {
  const reader = new Database(`${pathToFileURL(join(path, 'owner.lock')).href}?mode=ro`);
  reader.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN; SELECT count(*) FROM sqlite_schema');
  onTestFinished(() => void reader.close());
}

const contents: [string, string | Buffer][] = [
  ['nothing', ''],
  ['one letter', 'x'],
  ['rubbish', 'rubbish '.repeat(1_000)],
  ['half of a record', '{"pid":12,"ver'],
  ['the record of another host', JSON.stringify({ pid: 1, version: '9.9.9', protocol: 77, address: '/x.sock' })],
  ['zeros', Buffer.alloc(4_096)],
  ['an SQLite header and rubbish', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4_080, 7)])],
];

test.each(['owner.lock', 'owner.json', 'folder-id', 'owner.lock-journal', 'owner.json.new'])(
  'a folder whose %s has any content is locked',
  file => {
    for (const [what, content] of contents) {
      const path = folder();
      writeFileSync(join(path, file), content);
      const lock = lockFolder(path);
      expect(tryLockFolder(path), what).toBeUndefined();
      expect(JSON.parse(readFileSync(join(path, 'owner.json'), 'utf8')).pid, what).toBe(process.pid);
      expect(lock.folderId, what).toMatch(/^[0-9a-f-]{36}-\d+$/);
      expect(lock.unwritable, what).toBeUndefined();
      lock.release();
      lockFolder(path).release();
    }
  },
);

test.each(['owner.lock', 'owner.json', 'folder-id'])('a folder named %s is named, and stays', file => {
  const path = folder();
  rmSync(join(path, file), { force: true });
  mkdirSync(join(path, file));
  writeFileSync(join(path, file, 'mine.txt'), 'mine');
  expect(() => lockFolder(path)).toThrow(
    `The data folder ${path} cannot be used: a folder stands where a file is needed (${join(path, file)}). ${file} contains no memories, and the files with the memories are not affected`,
  );
  expect(existsSync(join(path, file, 'mine.txt'))).toBe(true);
});

test('the lock file is not replaced, so that an owner with the file open keeps the lock', () => {
  const path = folder();
  const { ino } = statSync(join(path, 'owner.lock'));
  writeFileSync(join(path, 'owner.lock'), 'rubbish');
  lockFolder(path).release();
  expect(statSync(join(path, 'owner.lock'))).toMatchObject({ ino, size: 0 });
});

test('files that come and go beside a process that only reads do not keep a folder from being written', async () => {
  const path = folder();
  readBeside(path);
  await keepChanging(path);
  for (let attempt = 0; attempt < 200; attempt++) expect(tryLockFolder(path)).toBeUndefined();
});

test('beside a process that only reads, a failure of another kind is told, because reading on would never end', () => {
  const path = folder();
  readBeside(path);
  mkdirSync(join(path, `trial-${process.pid}`));
  expect(() => tryLockFolder(path)).toThrow('a folder stands where a file is needed');
});
