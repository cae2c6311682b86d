/** When the data folder cannot be used, the start fails with one sentence and a remedy, never with a stack trace. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { asFileFailure, asFolderFailure, StorageFailure } from '../../src/stores/data-folder/storage-failure.js';
import { spawnEngraph, temporaryFolder } from './spawned-engraph.js';

const WAY_FORWARD = 'or choose another folder with --data-dir or ENGRAPH_DATA_DIR.';

async function start(command: string, folder: string) {
  const { ended, output } = spawnEngraph([...command.split(' ').filter(Boolean), '--port', '0', '--data-dir', folder]);
  const { code } = await ended;
  const printed = output.stdout + output.stderr;
  const sentences = printed.split('\n').filter(line => line.includes('cannot be used'));
  return { code, printed, sentences };
}

async function expectSentence(command: string, folder: string, reason: string): Promise<void> {
  const { code, printed, sentences } = await start(command, folder);
  expect(code).toBe(1);
  expect(sentences).toHaveLength(1);
  expect(sentences[0]).toContain(`The data folder ${folder} cannot be used: ${reason}`);
  expect(sentences[0]).toContain(WAY_FORWARD);
  expect(printed).not.toMatch(/\n\s+at /);
}

describe.each(['serve', 'doctor'])('engraph %s', command => {
  it('reports that the folder is a file', async () => {
    const folder = join(await temporaryFolder(), 'file');
    writeFileSync(folder, '');
    await expectSentence(command, folder, 'a file stands where a folder is needed');
  });

  it('reports that owner.json in the folder is a folder', async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, 'owner.json'));
    await expectSentence(command, folder, 'a folder stands where a file is needed');
  });
});

describe('engraph serve', () => {
  it('reports that a parent of the folder is a file', async () => {
    const file = join(await temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expectSentence('serve', join(file, 'folder'), 'a file stands where a folder is needed');
  });

  it('reports that memories.db cannot be opened or is not a database', async () => {
    const [first, second] = [await temporaryFolder(), await temporaryFolder()];
    mkdirSync(join(first, 'memories.db'));
    await expectSentence(
      'serve',
      first,
      `a folder stands where a file is needed (${join(first, 'memories.db')}). Move that folder to another place`,
    );
    writeFileSync(join(second, 'memories.db'), 'no database '.repeat(100));
    const damaged = `a database is damaged, or is not an SQLite file (${join(second, 'memories.db')})`;
    await expectSentence('serve', second, `${damaged}. Copy the whole data folder before anything else`);
  });

  it.runIf(process.platform === 'linux')('fails if the folder cannot be created', async () => {
    await expectSentence('serve', '/proc/engraph/memories', 'it cannot be created');
  });

  it('creates a folder of any depth', async () => {
    const folder = join(await temporaryFolder(), 'a', 'b', 'c');
    const spawned = spawnEngraph(['serve', '--port', '0', '--data-dir', folder]);
    await spawned.saysOnStderr(/is listening on/);
  });
});

describe('a failure of the folder', () => {
  const failure = (code: string) => Object.assign(new Error(`${code}: as the system says it`), { code, path: '/m/x' });
  const sqlite = (code: string, rawCode: number) => Object.assign(new Error('as SQLite says it'), { code, rawCode });

  it.each([
    ['EACCES', 'this user may not write to it (/m/x)', true],
    ['EPERM', 'this user may not write to it (/m/x)', true],
    ['EROFS', 'its file system is read-only (/m/x)', true],
    ['ENOSPC', 'the disk is full (/m/x)', true],
    ['EDQUOT', 'the disk quota of this user is used up (/m/x)', true],
    ['EIO', 'the disk reports an input or output error (/m/x)', true],
    ['EMFILE', 'too many files are open (/m/x)', false],
    ['ENFILE', 'too many files are open (/m/x)', false],
    ['ENOLCK', 'its file system has no locks (/m/x)', false],
    ['ENAMETOOLONG', 'its path is too long (/m/x)', false],
    ['EISDIR', 'a folder stands where a file is needed (/m/x)', false],
    ['EBADF', 'EBADF: as the system says it (/m/x)', false],
  ])('%s is explained in the message', (code, reason, isUnwritable) => {
    expect(asFolderFailure('/m', failure(code))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`The data folder /m cannot be used: ${reason}`),
      hint: expect.stringContaining(WAY_FORWARD),
      isUnwritable,
      cause: { code },
    });
  });

  it.each([
    ['SQLITE_READONLY', 8, 'this user may not write to it', true],
    ['UNKNOWN_SQLITE_ERROR_1544', 1544, 'this user may not write to it', true],
    ['SQLITE_FULL', 13, 'the disk is full', true],
    ['SQLITE_IOERR_WRITE', 778, 'the disk reports an input or output error', true],
    ['SQLITE_IOERR_LOCK', 3850, 'its file system has no locks', false],
    ['SQLITE_CORRUPT', 11, 'a database is damaged, or is not an SQLite file', false],
    ['SQLITE_NOTADB', 26, 'a database is damaged, or is not an SQLite file', false],
    ['SQLITE_BUSY', 5, 'another program has locked it', false],
    ['SQLITE_NOMEM', 7, 'there is not enough memory', false],
  ])(
    '%s of a file is explained, by its name while the memory is open and by its path at the start',
    (code, raw, reason, isUnwritable) => {
      const folder = mkdtempSync(join(tmpdir(), 'engraph-failure-'));
      const path = join(folder, 'memories.db');
      const told = asFileFailure(path, sqlite(code, raw));
      expect(told).toBeInstanceOf(StorageFailure);
      expect(told).toMatchObject({
        message: expect.stringContaining(`memories.db failed: ${reason} (as SQLite says it)`),
        isUnwritable,
      });
      expect(asFolderFailure(folder, told)).toMatchObject({
        message: expect.stringContaining(`The data folder ${folder} cannot be used: ${reason} (${path})`),
      });
    },
  );

  it('is not reported if the error has another cause or already has its own hint', () => {
    const told = new MemoryError('unavailable', 'in use', { hint: 'Stop it.', cause: failure('EACCES') });
    const statement = sqlite('SQLITE_ERROR', 1);
    for (const error of [new TypeError('fault'), told, new MemoryError('invalid', 'bad'), 'text', undefined]) {
      expect(asFolderFailure('/m', error)).toBe(error);
      expect(asFileFailure('/m/x', error)).toBe(error);
    }
    expect(asFileFailure('/m/x', statement)).toBe(statement);
  });

  it('never leads to the removal of a file that may contain memories', () => {
    const every = [3, 5, 6, 7, 8, 10, 11, 13, 14, 26, 1544, 3850].flatMap(raw =>
      ['memories.db', 'owner.lock', 'vectors.db'].map(name => asFileFailure(`/m/${name}`, sqlite('SQLITE', raw))),
    );
    for (const error of every) {
      const { message, hint } = error as StorageFailure;
      expect(`${message} ${hint}`).not.toMatch(/\b(?:remove|delete|rename)\b/i);
    }
  });
});
