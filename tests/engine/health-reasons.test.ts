/** Health says why it is degraded even if every store answers pings (docs/decisions.md, "Health and drift"). */
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { sqlitePath } from '../../src/stores/sqlite/store.js';
import { startModelServer } from '../support/model-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { letWorkRun } from '../support/turns.js';
import { openForTest } from './open-engine.js';

const PAGE_BYTES = 4_096;
const SOUND_PAGES = 8;

/** Overwrites every page except the first SOUND_PAGES. These first pages are read when the file is opened. */
function damage(file: string): void {
  const pageCount = statSync(file).size / PAGE_BYTES;
  const handle = openSync(file, 'r+');
  for (let page = SOUND_PAGES; page < pageCount; page++) {
    writeSync(handle, Buffer.alloc(PAGE_BYTES, page), 0, PAGE_BYTES, page * PAGE_BYTES);
  }
  closeSync(handle);
}

test('health: a file with malformed pages is reported, or already fails to open', async () => {
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
  // The start fails if opening already reads a damaged page.
  if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'unavailable' });
  else expect(outcome).toMatchObject({ reasons: expect.arrayContaining([expect.any(String)]) });
});

test('health: work that arrives after a long pause is not reported as stuck', async () => {
  const { engine, clock, add } = await openForTest();
  await engine.idle();
  clock.advance(3_600_000);
  await add({ content: 'apples' });
  expect(await engine.health()).toMatchObject({ reasons: [], embedding: { backlog: { behindMs: 0 } } });
});

test('health: is degraded when due work has made no progress for more than ten minutes', async () => {
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
  // The first embedding never ends, and a second one becomes due.
  await add({ content: 'pears' });
  expect((await engine.health()).reasons).toEqual([]);
  clock.advance(660_000);
  await letWorkRun();
  const health = await engine.health();
  expect(health.reasons).toEqual([expect.stringMatching(/^Embedding has made no attempt for 11 minutes/)]);
  expect(health.embedding.backlog?.behindMs).toBeGreaterThan(600_000);
  // If the server kept running, closing the engine would wait for the first embedding on a clock that does not move.
  await server.stop();
});
