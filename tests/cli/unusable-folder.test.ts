/** When the data folder cannot be used, the start fails with one sentence and a remedy, never with a stack trace. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { asFolderFailure } from '../../src/stores/data-folder/unusable-folder.js';
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
    await expectSentence('serve', first, 'its files cannot be opened or created');
    writeFileSync(join(second, 'memories.db'), 'no database '.repeat(100));
    await expectSentence(
      'serve',
      second,
      'its database is damaged, or is not an SQLite file. Remove memories.db-wal and memories.db-shm, and put a backup',
    );
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

  it.each([
    ['EACCES', 'this user may not write to it (/m/x)'],
    ['EPERM', 'this user may not write to it'],
    ['EROFS', 'its file system is read-only'],
    ['ENOSPC', 'the disk is full'],
    ['SQLITE_READONLY', 'this user may not write to it'],
    ['EMFILE', 'EMFILE: as the system says it'],
  ])('%s is explained in the message', (code, reason) => {
    const stored = new MemoryError('unavailable', 'The graph store failed', { cause: failure(code) });
    for (const error of [failure(code), stored]) {
      expect(asFolderFailure('/m', error)).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(`The data folder /m cannot be used: ${reason}`),
        hint: expect.stringContaining(WAY_FORWARD),
        cause: error,
      });
    }
  });

  it('is not reported if the error has another cause or already has its own hint', () => {
    const told = new MemoryError('unavailable', 'in use', { hint: 'Stop it.', cause: failure('EACCES') });
    for (const error of [new TypeError('fault'), told, new MemoryError('invalid', 'bad'), 'text', undefined]) {
      expect(asFolderFailure('/m', error)).toBe(error);
    }
  });
});
