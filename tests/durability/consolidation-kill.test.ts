/** Consolidation that is killed in the middle loses no memory, and is simply run again. Uses the compiled binary. */
import { expect, test } from 'vitest';
import type { ConsolidationStatusAnswer } from '../../src/api/answers/consolidation.js';
import type { HealthAnswer } from '../../src/api/answers/health.js';
import type { SyncAnswer } from '../../src/api/answers/maintenance.js';
import { createClient } from '../../src/client/client.js';
import { openSqlitePair } from '../../src/stores/sqlite/store.js';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { createManualClock } from '../support/manual-clock.js';
import { idOf } from '../support/records.js';
import { createRandom } from './random.js';

const ROUNDS = Number(process.env.ENGRAPH_TEST_ROUNDS ?? 10);
/** Of each kind: to be kept, to be archived, to be deleted. */
const COUNT = 100;
const VECTOR_SIZE = 32;
/** Repeat a run with ENGRAPH_TEST_SEED; what the processes make of it still differs from run to run. */
const SEED = Number(process.env.ENGRAPH_TEST_SEED ?? Date.now() % 1_000_000);
const SETTINGS = {
  VECTOR_SIZE: String(VECTOR_SIZE),
  EMBEDDING_BATCH_TIMEOUT_SECONDS: '0.02',
  ADMIN_API_TOKEN: 'admin',
  CONSOLIDATION_DELETE_THRESHOLD: '0.05',
  CONSOLIDATION_ARCHIVE_THRESHOLD: '0.1',
  CONSOLIDATION_MAX_CHANGE_SHARE: '1',
};
/** Ages alone forget nothing here: importance is the floor of relevance. */
const IMPORTANCES = [0.9, 0.25, 0.1];

const contentOf = (number: number) => `Note ${number} of a long list, with words enough to tell it from the others`;
const MEMORIES = Array.from({ length: COUNT * IMPORTANCES.length }, (_, index) => ({
  id: idOf(index + 1),
  content: contentOf(index + 1),
  type: 'Habit' as const,
  tags: [`list:${index % 10}`],
  importance: IMPORTANCES[index % IMPORTANCES.length] ?? 0,
  timestamp: '2019-01-01',
}));
const IDS = MEMORIES.map(({ id }) => id);

function wait(durationMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, durationMs));
}

async function start(folder: string) {
  const { url, child, ended } = await spawnServe(folder, SETTINGS);
  const client = createClient({ url, adminToken: 'admin', retryDelaysMs: [] });
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    await ended;
  };
  const untilDone = async () => {
    for (;;) {
      const { embedding, enrichment }: HealthAnswer = await client.health();
      if (embedding.pending + enrichment.queue_depth === 0) return;
      await wait(10);
    }
  };
  return { client, end, untilDone };
}

/** Read from what the killed process has left, before any other could mend it. */
async function verify(folder: string): Promise<{ deleted: number; archived: number }> {
  const { graph, vectors } = openSqlitePair(folder, { dimensions: VECTOR_SIZE, clock: createManualClock() });
  try {
    const memories = await graph.getMemories(IDS);
    const binned = new Map((await graph.listNodes('DeletedMemory', 1_000)).map(node => [node.id, node.properties]));
    for (const given of MEMORIES) {
      const memory = memories.get(given.id) ?? JSON.parse(String(binned.get(given.id)?.record ?? '{}')).memory;
      expect(memory, given.id).toMatchObject({ content: given.content, importance: given.importance });
      expect(memory.tags, given.id).toEqual(expect.arrayContaining(given.tags));
      if (given.importance > 0.25) expect(memory.archived, given.id).toBe(false);
    }
    const kept = [...memories.values()];
    const indexed: string[] = [];
    for await (const id of vectors.ids()) indexed.push(id);
    const embedded = kept.filter(({ embedded_by }) => embedded_by !== undefined).map(({ id }) => id);
    expect(indexed.sort()).toEqual(embedded.sort());
    return { deleted: IDS.length - kept.length, archived: kept.filter(({ archived }) => archived).length };
  } finally {
    await vectors.close();
    await graph.close();
  }
}

test(`a run that is killed again and again loses nothing (seed ${SEED})`, {
  timeout: 60_000 + ROUNDS * 6_000,
}, async () => {
  const random = createRandom(SEED);
  const folder = await temporaryFolder();
  const states: string[] = [];
  let isCutOff = 0;
  let runMs = 0;
  {
    const { client, end, untilDone } = await start(folder);
    await client.storeMany(MEMORIES);
    await untilDone();
    await end('SIGTERM');
  }
  for (let round = 0; round < ROUNDS; round++) {
    const { client, end, untilDone } = await start(folder);
    // All that an earlier round has deleted is there again, and what it has archived is as it was.
    const { restored } = await client.restore(IDS);
    expect(restored.length).toBe((await client.bin(1)).memories.length + restored.length);
    for (const { id } of MEMORIES) if ((await client.get(id)).archived) await client.update(id, { archived: false });
    await untilDone();
    const startedMs = performance.now();
    const running = client.consolidate({ mode: 'full', dry_run: false });
    let isDone = false;
    running.then(
      () => {
        isDone = true;
        runMs = performance.now() - startedMs;
      },
      () => {},
    );
    // The first round measures; the others are cut off anywhere within such a run.
    if (round === 0) await running;
    else await wait(random.next() * runMs);
    if (!isDone) isCutOff += 1;
    await end('SIGKILL');
    await running.catch(() => undefined);
    const { deleted, archived } = await verify(folder);
    states.push(`${deleted}/${archived}`);
  }
  const { client, end, untilDone } = await start(folder);
  const before: ConsolidationStatusAnswer = await client.consolidationStatus();
  const startedAt = new Date().toISOString();
  await client.consolidate({ mode: 'full', dry_run: false });
  const after: ConsolidationStatusAnswer = await client.consolidationStatus();
  for (const task of ['decay', 'creative', 'cluster'] as const) {
    expect(Date.parse(after.next_runs[task] ?? '')).toBeGreaterThan(Date.parse(before.next_runs[task] ?? ''));
  }
  expect(after.history.slice(0, 4).map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
  expect(after.history[3]?.timestamp && after.history[3].timestamp >= startedAt).toBe(true);
  expect(after.binned).toBe(COUNT);
  await untilDone();
  const sync: SyncAnswer = await client.sync({ dry_run: true });
  expect(sync).toMatchObject({ missing_count: 0, orphaned_count: 0 });
  expect((await client.restore(IDS)).restored).toHaveLength(COUNT);
  await untilDone();
  expect((await client.health()).memory_count).toBe(IDS.length);
  await end('SIGTERM');
  await verify(folder);
  expect(isCutOff, states.join(' ')).toBeGreaterThan(0);
});
