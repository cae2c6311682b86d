/** Health says why it is degraded, though every store answers pings (docs/decisions.md, "Health and drift"). */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { sqlitePath } from '../../src/stores/sqlite/store.js';
import { startModelServer } from '../support/model-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { letWorkRun } from '../support/turns.js';
import { openForTest } from './open-engine.js';

const PAGE_BYTES = 4_096;
const SOUND_PAGES = 8;

/** Writes nonsense over every page but the first ones, which opening reads. */
function damage(file: string): void {
  const pageCount = statSync(file).size / PAGE_BYTES;
  const handle = openSync(file, 'r+');
  for (let page = SOUND_PAGES; page < pageCount; page++) {
    writeSync(handle, Buffer.alloc(PAGE_BYTES, page), 0, PAGE_BYTES, page * PAGE_BYTES);
  }
  closeSync(handle);
}

test('a file with malformed pages does not pass for healthy', async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const open = () => openForTest({ ENGRAPH_DATA_DIR: folder.path });
  const before = await open();
  const items = Array.from({ length: 200 }, (_, index) => ({ content: `apples and pears of the year ${index}` }));
  await before.storeMany(items);
  await before.engine.idle();
  await before.engine.close();
  damage(sqlitePath(folder.path));
  const outcome = await open().then(
    async ({ engine, recall }) => {
      await recall({ query: 'apples' }).catch(() => undefined);
      return engine.health();
    },
    (error: unknown) => error,
  );
  // Where opening meets the damage already, the start fails and says so.
  if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'unavailable' });
  else expect(outcome).toMatchObject({ reasons: expect.arrayContaining([expect.any(String)]) });
});

test('work that comes after a long rest is not taken for frozen', async () => {
  const { engine, clock, add } = await openForTest();
  await engine.idle();
  clock.advance(3_600_000);
  await add({ content: 'apples' });
  expect(await engine.health()).toMatchObject({ reasons: [], embedding: { backlog: { behindMs: 0 } } });
});

test('work that is due and does not get on is degraded after ten minutes', async () => {
  const server = await startModelServer();
  server.on('/v1/embeddings', 'hang');
  const { engine, clock, add } = await openForTest({
    EMBEDDING_PROVIDER: 'openai',
    OPENAI_BASE_URL: `${server.url}/v1`,
    EMBEDDING_TIMEOUT_SECONDS: '3600',
    EMBEDDING_MAX_RETRIES: '0',
    LLM_PROVIDER: 'none',
  });
  await add({ content: 'apples' });
  clock.advance(2_000);
  await expect.poll(() => server.requests.length).toBe(1);
  // One is in flight for ever; another has come due since.
  await add({ content: 'pears' });
  expect((await engine.health()).reasons).toEqual([]);
  clock.advance(660_000);
  await letWorkRun();
  const health = await engine.health();
  expect(health.reasons).toEqual([expect.stringMatching(/^Embedding has tried nothing for 11 minutes/)]);
  expect(health.embedding.backlog?.behindMs).toBeGreaterThan(600_000);
  // Closing would wait for it by the clock that stands still.
  await server.stop();
});
