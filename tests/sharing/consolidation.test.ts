/** Consolidation of a memory that is open in another process, or served at an address. */
import { expect, test } from 'vitest';
import { addressOf } from './relay-app.js';
import { answerOf, configOf, join, send, testFolder } from './test-memory.js';

const FORGETTING = { CONSOLIDATION_DELETE_THRESHOLD: '0.5', CONSOLIDATION_MAX_CHANGE_SHARE: '1' };
const NOTE = { content: 'The printer jams on Mondays', importance: 0.1, timestamp: '2020-01-01', type: 'Habit' };

test('consolidation runs in the owner, whichever process requests it, and all processes see its state', async () => {
  const ENGRAPH_DATA_DIR = testFolder();
  const owner = join(configOf({ ENGRAPH_DATA_DIR, ...FORGETTING }));
  const { body: stored } = await send(owner, 'POST /memory', NOTE);
  // The consolidation settings of the sibling have no effect, because only the owner has the memory open.
  const sibling = join(configOf({ ENGRAPH_DATA_DIR }));
  const far = join(configOf({ ENGRAPH_URL: await addressOf({ fetch: async request => answerOf(owner, request) }) }));
  const { body } = await send(sibling, 'POST /consolidate', { mode: 'forget', dry_run: false });
  expect(body.consolidation).toMatchObject({ forgotten: 1 });
  const states = await Promise.all([owner, sibling, far].map(memory => send(memory, 'GET /consolidate/status')));
  for (const { body: state } of states) expect(state).toEqual(states[0]?.body);
  expect(states[0]?.body).toMatchObject({
    thread_alive: true,
    binned: 1,
    history: [{ task: 'forget', state: 'done' }],
  });
  expect((await send(far, 'GET /admin/bin')).body.memories).toMatchObject([{ id: stored.memory_id }]);
  const undone = await send(far, 'POST /consolidate/undo', { run_id: body.consolidation.run_id });
  expect(undone.body).toMatchObject({ undone: 1 });
  expect((await send(sibling, `GET /memory/${stored.memory_id}`)).body.content).toBe(NOTE.content);
});

test('consolidation is refused to a read-only process, wherever the memory is open', async () => {
  const ENGRAPH_DATA_DIR = testFolder();
  const owner = join(configOf({ ENGRAPH_DATA_DIR }));
  await send(owner, 'POST /memory', NOTE);
  const url = await addressOf({ fetch: async request => answerOf(owner, request) });
  const places: Record<string, string>[] = [{ ENGRAPH_DATA_DIR }, { ENGRAPH_URL: url }];
  for (const place of places) {
    const reader = join(configOf({ ...place, ENGRAPH_READ_ONLY: 'true' }));
    for (const route of ['POST /consolidate', 'POST /consolidate/undo', 'POST /admin/restore']) {
      await expect(send(reader, route, {}), route).rejects.toMatchObject({ code: 'forbidden' });
    }
    expect((await send(reader, 'GET /consolidate/status')).body).toMatchObject({ status: 'success', history: [] });
  }
});
