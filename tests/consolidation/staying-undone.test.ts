/** Undone changes stay undone, and a run that can no longer be undone is not reported as undone. */
import { expect, test } from 'vitest';
import { ADMIN, opened } from './opened.js';

/** Disables scheduled runs, so that no run starts when the test advances the clock. */
const BY_HAND = { DECAY_INTERVAL_SECONDS: '0', CREATIVE_INTERVAL_SECONDS: '0', CLUSTER_INTERVAL_SECONDS: '0' };
const STATION = [
  { days: 40, content: 'Bought a coffee at the station kiosk' },
  { days: 30, content: 'Bought a sandwich at the station kiosk' },
];
const OTHERS = [
  { days: 20, content: 'The lamp in the hall is brass' },
  { days: 10, content: 'Ferns want shade and damp air' },
];

async function undo({ call }: Awaited<ReturnType<typeof opened>>, run_id: string) {
  return call('POST /consolidate/undo', { run_id }, ADMIN);
}

test('links of an undone run are not created again, even after the run has left the history', async () => {
  const parts = await opened({ ...BY_HAND, HISTORY_LIMIT: '1' });
  const { store, run, clock, call } = parts;
  await store(...STATION, ...OTHERS);
  const first = await run('creative');
  expect(first.associations).toBe(1);
  expect((await undo(parts, first.run_id)).body).toMatchObject({ undone: 1, skipped: 0 });
  for (let again = 0; again < 3; again++) {
    clock.advance(1_000);
    expect((await run('creative')).associations).toBe(0);
  }
  expect((await call('GET /consolidate/status')).body.history).toHaveLength(1);
  // A link that was not undone is created as usual.
  await store({ days: 5, content: 'The brass lamp in the hall needs polish' });
  expect((await run('creative')).associations).toBe(1);
});

test('a decay cannot be undone, and is not recorded as undone, if its list of changes no longer exists', async () => {
  const parts = await opened(BY_HAND);
  const { store, run, clock, call } = parts;
  await store({ days: 50, importance: 0.1, content: 'The spare fuse lies in the blue drawer' });
  const first = await run('decay');
  for (let again = 0; again < 2; again++) {
    clock.advance(5 * 86_400_000);
    await run('decay');
  }
  const { status, body } = await undo(parts, first.run_id);
  expect([status, body.error]).toEqual([
    409,
    `Run ${first.run_id} cannot be undone: the list of its changes no longer exists`,
  ]);
  const { history } = (await call('GET /consolidate/status')).body;
  expect(history.map(({ undone_at }: { undone_at?: string }) => undone_at)).toEqual([undefined, undefined, undefined]);
});

test('undoing a run leaves a group unchanged if its members have changed since the run', async () => {
  const parts = await opened(BY_HAND);
  const { store, run, clock, call } = parts;
  const note = (number: number) => ({
    days: 30,
    tags: ['orion'],
    content: `Orion deploys to staging in step ${number}`,
  });
  await store(...[1, 2, 3, 4].map(note), ...OTHERS);
  const first = await run('cluster');
  expect(first.clusters).toBe(1);
  clock.advance(1_000);
  await store(...[5, 6].map(note));
  await run('cluster');
  const { body } = await undo(parts, first.run_id);
  expect(body).toMatchObject({ skipped: 1 });
  expect((await call('POST /consolidate', { mode: 'cluster' })).body.consolidation.change_count).toBe(body.undone);
});
