/** When a folder has lost memories or recent changes, this is reported, and no writes are accepted. */
import { copyFileSync, cpSync, existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { openStores } from '../../src/engine/open-stores.js';
import { createLogger } from '../../src/log.js';
import { openSqlitePair, sqlitePath } from '../../src/stores/sqlite/store.js';
import { readIndex, writeFormerWords } from '../support/former-words.js';
import { createManualClock } from '../support/manual-clock.js';
import { startedQdrant } from '../support/qdrant-store.js';
import { memory } from '../support/records.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { letWorkRun } from '../support/turns.js';
import { openForTest } from './open-engine.js';

/** The SQLite library closes a file when the last statement on it has been garbage-collected. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose_gc');
  runInNewContext('gc')();
  await letWorkRun();
}

async function openFolder() {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const open = (env: Record<string, string> = {}) => openForTest({ ENGRAPH_DATA_DIR: folder.path, ...env });
  return { dataDir: folder.path, file: sqlitePath(folder.path), open };
}

const losses: [string, (file: string) => void][] = [
  ['deleted', file => rmSync(file)],
  ['emptied', file => truncateSync(file)],
];
test.each(losses)('after the database file was %s, writes are refused until the loss is accepted', async (_, lose) => {
  const { file, open } = await openFolder();
  const before = await open();
  await before.storeMany([{ content: 'apples' }, { content: 'pears' }]);
  await before.engine.idle();
  await before.engine.close();
  await collectGarbage();
  lose(file);
  const after = await open();
  const health = await after.engine.health();
  expect(health.reasons.join()).toMatch(/held 2 memories at .*memories.db, with its log/);
  await expect(after.store({ content: 'plums' })).rejects.toMatchObject({
    code: 'unavailable',
    hint: expect.stringContaining('--accept-loss'),
  });
  expect((await after.recall({ query: 'apples' })).results).toEqual([]);
  await after.engine.close();
  // Every start reports the loss until it is accepted.
  const again = await open();
  expect((await again.engine.health()).reasons).not.toEqual([]);
  await again.engine.close();
  const accepted = await open({ ENGRAPH_ACCEPT_LOSS: 'true' });
  await accepted.store({ content: 'plums' });
  expect((await accepted.engine.health()).reasons).toEqual([]);
  await accepted.engine.close();
  const last = await open();
  expect((await last.engine.health()).reasons).toEqual([]);
  await last.store({ content: 'figs' });
});

test.each([
  ['are refused if vectors are there but no memories', Number.POSITIVE_INFINITY, 'unavailable'],
  ['go on if another process has just deleted the last memories with their vectors', 1, undefined],
])('at the start, writes %s', async (_, answersWithOne, refusal) => {
  const qdrant = await startedQdrant();
  let counts = 0;
  qdrant.behave(({ path }) => {
    if (!path.endsWith('/count') || counts >= answersWithOne) return undefined;
    counts += 1;
    return { status: 200, json: { result: { count: 1 }, status: 'ok', time: 0 } };
  });
  const opened = await openForTest({ QDRANT_URL: qdrant.url });
  await opened.engine.idle();
  expect(counts).toBeGreaterThan(0);
  const outcome = await opened.store({ content: 'apples' }).then(
    () => undefined,
    error => error.code,
  );
  expect(outcome).toBe(refusal);
});

test('a whole folder that is restored has its former content and accepts writes, as docs/operations.md says', async () => {
  const { dataDir, open } = await openFolder();
  const backup = temporaryFolder();
  onTestFinished(backup.remove);
  const closeAfter = async (content: string) => {
    const opened = await open();
    await opened.store({ content });
    await opened.engine.close();
    await collectGarbage();
  };
  await closeAfter('apples');
  cpSync(dataDir, backup.path, { recursive: true });
  await closeAfter('pears');
  rmSync(dataDir, { recursive: true });
  cpSync(backup.path, dataDir, { recursive: true });
  await closeAfter('plums');
  const after = await open();
  const { results } = await after.recall({ limit: 10 });
  expect(results.map(result => result.memory.content).sort()).toEqual(['apples', 'plums']);
  expect((await after.engine.health()).reasons).toEqual([]);
});

test('a database file without its newest changes is detected', async () => {
  const { dataDir, file, open } = await openFolder();
  const whole = await open();
  await whole.store({ content: 'apples' });
  await whole.engine.idle();
  await whole.engine.close();
  const copy = join(dataDir, 'copy');
  copyFileSync(file, copy);
  const later = await open();
  await later.store({ content: 'pears' });
  await later.engine.idle();
  await later.engine.close();
  copyFileSync(copy, file);
  const after = await open();
  expect((await after.engine.health()).reasons.join()).toMatch(/older than it was.*1 acknowledged change is missing/);
  expect(await after.found({ query: 'apples' })).toEqual(['apples']);
  await expect(after.store({ content: 'plums' })).rejects.toMatchObject({ code: 'unavailable' });
});

test('a removed write-ahead log is detected', async () => {
  const { dataDir, file } = await openFolder();
  const clock = createManualClock();
  const findLoss = () => {
    const losses: string[] = [];
    const watch = { clock, acceptsLoss: false, onLoss: (loss: string) => losses.push(loss), onFailure: () => {} };
    return { losses, ...openSqlitePair(dataDir, { dimensions: 4, clock }, { watch }) };
  };
  const first = findLoss();
  await first.graph.saveMemories([{ memory: memory(1), work: [] }]);
  clock.advance(500);
  // A killed process leaves a write-ahead log beside the file.
  const wal = `${file}-wal`;
  expect(existsSync(wal)).toBe(true);
  await expect.poll(() => existsSync(join(dataDir, 'last-known.json'))).toBe(true);
  await new Promise(resolve => setImmediate(resolve));
  copyFileSync(file, `${file}.left`);
  await first.vectors.close();
  await first.graph.close();
  copyFileSync(`${file}.left`, file);
  rmSync(wal, { force: true });
  const second = findLoss();
  expect(second.losses).toHaveLength(1);
  await second.vectors.close();
  await second.graph.close();
});

test('words of an earlier text analyzer stay while writes are refused, and are written again once the loss is accepted', async () => {
  const { dataDir, file, open } = await openFolder();
  const first = await open();
  await first.storeMany([{ content: 'harbour cranes' }, { content: 'quarry cranes' }]);
  await first.engine.idle();
  await first.engine.close();
  await collectGarbage();
  const fresh = await readIndex({ dataDir });
  await writeFormerWords({ dataDir });
  const older = `${file}.older`;
  copyFileSync(file, older);
  const second = await open();
  await second.engine.idle();
  await second.store({ content: 'plums' });
  await second.engine.close();
  await collectGarbage();
  copyFileSync(older, file);
  const former = await readIndex({ dataDir });
  expect(former).not.toEqual(fresh);

  const refused = await open();
  await refused.engine.idle();
  expect((await refused.engine.health()).reasons.join()).toMatch(/memories.db is older/);
  expect(await refused.found({ query: 'cranes' })).toHaveLength(2);
  await refused.engine.close();
  await collectGarbage();
  expect(await readIndex({ dataDir })).toEqual(former);

  const accepted = await open({ ENGRAPH_ACCEPT_LOSS: 'true' });
  await accepted.engine.idle();
  await accepted.engine.close();
  await collectGarbage();
  expect(await readIndex({ dataDir })).toEqual(fresh);
});

test('the check of the files after a crash is left to the next owner until one owner has finished it', async () => {
  const { dataDir, open } = await openFolder();
  const first = await open();
  await first.store({ content: 'apples' });
  await first.engine.close();
  const ownerFile = join(dataDir, 'owner.json');
  writeFileSync(ownerFile, '{"pid":1}');
  const brief = await openStores({ config: first.config, clock: first.clock, log: createLogger('silent') });
  await brief.close();
  expect(existsSync(ownerFile)).toBe(true);
  const next = await open();
  await expect.poll(async () => (await next.engine.health()).storage.integrity).toBe('sound');
  await next.engine.close();
  expect(existsSync(ownerFile)).toBe(false);
});
