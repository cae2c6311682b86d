/** Consolidation that is killed while it runs loses no memory, and can be run again. Uses the compiled binary. */
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { openSqlitePair } from '../../src/stores/sqlite/store.js';
import { spawnServe, temporaryFolder } from '../cli/spawned-engraph.js';
import { createManualClock } from '../support/manual-clock.js';
import { idOf } from '../support/records.js';
import { createRandom } from './random.js';
import { forEachOf } from './reader.js';

/** Number of kills. A longer test sets a higher number. */
const ROUNDS = Number(process.env.ENGRAPH_TEST_ROUNDS ?? 4);
/** Number of memories of each kind: to be kept, to be archived, to be deleted. */
const COUNT = 100;
/** Maximum duration of a run in a newly started process, relative to a process that has worked for a while. */
const SLOWER_MAX = 2.5;
const VECTOR_SIZE = 32;
/** To repeat a run, set ENGRAPH_TEST_SEED to its seed. The timing of the processes still differs from run to run. */
const SEED = Number(process.env.ENGRAPH_TEST_SEED ?? Date.now() % 1_000_000);
const SETTINGS = {
  VECTOR_SIZE: String(VECTOR_SIZE),
  ADMIN_API_TOKEN: 'admin',
  CONSOLIDATION_DELETE_THRESHOLD: '0.05',
  CONSOLIDATION_ARCHIVE_THRESHOLD: '0.1',
  CONSOLIDATION_MAX_CHANGE_SHARE: '1',
  // A memory that is restored in one round can be forgotten again in the next round.
  CONSOLIDATION_GRACE_PERIOD_DAYS: '0',
};
/**
 * Importance of the memories to be archived. All memories are so old that their relevance equals its lower bound, which
 * is proportional to their importance.
 */
const TO_BE_ARCHIVED = 0.25;
const IMPORTANCES = [0.9, TO_BE_ARCHIVED, 0.1];

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

type Service = Awaited<ReturnType<typeof start>>;

async function start(folder: string) {
  const { url, child, ended } = await spawnServe(folder, SETTINGS);
  const client = createClient({ url, adminToken: 'admin', retryDelaysMs: [] });
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    await ended;
  };
  const untilDone = async () => {
    for (;;) {
      const { embedding, enrichment } = await client.health();
      if (embedding.pending + enrichment.queue_depth === 0) return;
      await wait(10);
    }
  };
  return { client, end, untilDone };
}

/** Reads the files that the killed process left, before any other process can repair them. */
async function verify(folder: string): Promise<{ deleted: number; archived: number }> {
  const { graph, vectors } = openSqlitePair(folder, { dimensions: VECTOR_SIZE, clock: createManualClock() });
  try {
    const memories = await graph.getMemories(IDS);
    const binned = new Map((await graph.listNodes('DeletedMemory', 1_000)).map(node => [node.id, node.properties]));
    for (const given of MEMORIES) {
      const memory = memories.get(given.id) ?? JSON.parse(String(binned.get(given.id)?.record ?? '{}')).memory;
      expect(memory, given.id).toMatchObject({ content: given.content, importance: given.importance });
      expect(memory.tags, given.id).toEqual(expect.arrayContaining(given.tags));
      if (given.importance > TO_BE_ARCHIVED) expect(memory.archived, given.id).toBe(false);
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

/** Restores deleted memories, and unarchives archived ones. */
async function reset({ client, untilDone }: Service): Promise<void> {
  await client.restore(IDS);
  const archived = MEMORIES.filter(({ importance }) => importance === TO_BE_ARCHIVED);
  await forEachOf(archived, async ({ id }) => {
    await client.update(id, { archived: false });
  });
  await untilDone();
}

/** @returns the duration in milliseconds, or undefined if the run was killed before its end */
async function runAndKill({ client, end }: Service, afterMs: number): Promise<number | undefined> {
  const startedMs = performance.now();
  const running = client.consolidate({ mode: 'full', dry_run: false }).then(
    () => performance.now() - startedMs,
    () => undefined,
  );
  await Promise.race([running, wait(afterMs)]);
  await end('SIGKILL');
  return running;
}

/** Whether the history has a task that a kill interrupted. The history is short, so the test looks at it after every start. */
async function showsCutOff({ client }: Service): Promise<boolean> {
  return (await client.consolidationStatus()).history.some(({ state }) => state === 'running');
}

async function verifyEnd({ client, untilDone }: Service): Promise<void> {
  const before = await client.consolidationStatus();
  await client.consolidate({ mode: 'full', dry_run: false });
  const after = await client.consolidationStatus();
  for (const task of ['decay', 'creative', 'cluster'] as const) {
    expect(Date.parse(after.next_runs[task] ?? '')).toBeGreaterThan(Date.parse(before.next_runs[task] ?? ''));
  }
  expect(after.history.slice(0, 4).map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
  expect(after.binned).toBe(COUNT);
  await untilDone();
  expect(await client.sync({ dry_run: true })).toMatchObject({ missing_count: 0, orphaned_count: 0 });
  expect((await client.restore(IDS)).restored).toHaveLength(COUNT);
  await untilDone();
  const { memory_count, vector_count } = await client.health();
  expect([memory_count, vector_count]).toEqual([IDS.length, IDS.length]);
}

const title = `a run that is killed again and again loses nothing (seed ${SEED})`;
test(title, { timeout: 60_000 + ROUNDS * 6_000 }, async () => {
  const random = createRandom(SEED);
  const folder = await temporaryFolder();
  const first = await start(folder);
  await first.client.storeMany(MEMORIES);
  await first.untilDone();
  // The first run ends before the kill, and shows how long a run takes. Each later run is killed after a random time.
  // If the kill interrupted the run, the next run continues its work.
  const runMs = (await runAndKill(first, 60_000)) ?? 0;
  let state = await verify(folder);
  expect(state).toEqual({ deleted: COUNT, archived: COUNT });
  let cutOff = 0;
  let isCutOffShown = false;
  for (let round = 0; round < ROUNDS; round++) {
    const service = await start(folder);
    isCutOffShown ||= await showsCutOff(service);
    if (state.deleted === COUNT) await reset(service);
    // The kill in the first round comes so early that it always interrupts the run.
    const longest = round === 0 ? 0.3 : SLOWER_MAX;
    if ((await runAndKill(service, random.next() * runMs * longest)) === undefined) cutOff += 1;
    state = await verify(folder);
  }
  const last = await start(folder);
  isCutOffShown ||= await showsCutOff(last);
  await verifyEnd(last);
  await last.end('SIGTERM');
  await verify(folder);
  expect(cutOff).toBeGreaterThan(0);
  expect(isCutOffShown).toBe(true);
});
