/** Tests which proposals are made, and which conditions prevent a proposal. */
import { expect, test } from 'vitest';
import { planCluster } from '../../src/consolidation/tasks/cluster.js';
import type { RelationType } from '../../src/domain/relation.js';
import { proposalsIn } from './measure.js';
import { opened } from './opened.js';
import { openPlantedStores, type PlantedStores } from './planted-stores.js';

const idAt = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const FILLERS = [
  'The lamp in the hall is brass.',
  'Ferns want shade and damp air.',
  'The ferry to Texel takes a while.',
];

async function openWith(notes: readonly (readonly [string, string])[]): Promise<PlantedStores> {
  const filled = [...notes, ...FILLERS.map(content => [content, '2025-01-05T08:00:00Z'] as const)];
  return openPlantedStores(filled.map(([content, timestamp], index) => ({ id: idAt(index), content, timestamp })));
}

const REPLACED = [
  ['Kestrel listens on port 7443.', '2025-03-01T10:00:00Z'],
  ['Kestrel listens on port 7553.', '2025-06-01T10:00:00Z'],
] as const;

test('the newer of two contradicting notes is proposed as replacement for the older one', async () => {
  const stores = await openWith(REPLACED);
  const [proposal, ...others] = proposalsIn((await stores.plan(planCluster)).changes);
  const again = proposalsIn((await stores.plan(planCluster, { runId: 'run-2' })).changes);
  await stores.close();
  expect(others).toEqual([]);
  expect(proposal).toMatchObject({ kind: 'replaced', olderId: idAt(0), newerId: idAt(1) });
  expect(proposal?.id).toMatch(/^[0-9a-f]{40}$/);
  expect(again).toEqual([proposal]);
});

test('contradicting notes from one sitting, twenty minutes apart, give no proposal', async () => {
  const stores = await openWith([REPLACED[0], [REPLACED[1][0], '2025-03-01T10:20:00Z']]);
  const { changes } = await stores.plan(planCluster);
  await stores.close();
  expect(proposalsIn(changes)).toEqual([]);
});

test.each<[RelationType, string, string]>([
  ['CONTRADICTS', idAt(0), idAt(1)],
  ['INVALIDATED_BY', idAt(0), idAt(2)],
])('an authored %s edge of the older note prevents a proposal', async (type, from, to) => {
  const stores = await openWith(REPLACED);
  await stores.graph.saveRelations([
    { from, to, type, strength: 0.8, properties: {}, updated_at: '2025-07-01T10:00:00.000Z' },
  ]);
  const { changes } = await stores.plan(planCluster);
  await stores.close();
  expect(proposalsIn(changes)).toEqual([]);
});

test('a note that is stored twice gives one proposal of a duplicate', async () => {
  const note = 'The spare key for the craftsmen hangs in the meter cupboard.';
  const stores = await openWith([
    [note, '2025-03-01T10:00:00Z'],
    [note, '2025-06-01T10:00:00Z'],
  ]);
  const { changes } = await stores.plan(planCluster);
  await stores.close();
  expect(proposalsIn(changes)).toMatchObject([{ kind: 'duplicate', olderId: idAt(0), newerId: idAt(1) }]);
});

test('three notes on one subject form a group that does not contain notes on other subjects', async () => {
  const stores = await openWith([
    ['The greenhouse door stays open in June.', '2025-03-01T10:00:00Z'],
    ['Tomatoes in the greenhouse need water in June.', '2025-04-01T10:00:00Z'],
    ['The greenhouse roof leaks above the tomatoes.', '2025-05-01T10:00:00Z'],
  ]);
  const { changes, count } = await stores.plan(planCluster);
  await stores.close();
  expect(count).toBe(1);
  expect(changes).toMatchObject([{ kind: 'summary', before: null, after: { memberIds: [idAt(0), idAt(1), idAt(2)] } }]);
});

test('the same note about two people is not proposed as a duplicate', async () => {
  const { call, store, run } = await opened();
  const note = 'Drinks tea with a slice of lemon in the morning';
  await store({ days: 20, content: note, tags: ['person:anna'] }, { days: 10, content: note, tags: ['person:ben'] });
  await run('cluster');
  expect((await call('GET /consolidate/proposals')).body.proposals).toEqual([]);
  await store({ days: 5, content: note, tags: ['person:ben'] });
  await run('cluster');
  expect((await call('GET /consolidate/proposals')).body.proposals).toHaveLength(1);
});

test('each duplicate is the older note in at most one open proposal, and one note is left after all are accepted', async () => {
  const { call, store, run } = await opened({ CLUSTER_INTERVAL_SECONDS: '0' });
  const content = 'The spare key for the craftsmen hangs in the meter cupboard';
  const count = 15;
  await store(...FILLERS.map(filler => ({ days: 90, content: filler })));
  await store(...Array.from({ length: count }, (_, index) => ({ days: 80 - index, content })));
  const open = async () => (await call('GET /consolidate/proposals')).body.proposals as { [name: string]: string }[];
  let accepted = 0;
  for (let round = 0; round < 5; round++) {
    await run('cluster');
    expect((await run('cluster')).change_count).toBe(0);
    const proposals = await open();
    expect(new Set(proposals.map(({ older_id }) => older_id)).size).toBe(proposals.length);
    for (const { id } of proposals) {
      expect((await call(`POST /consolidate/proposals/${id}`, { action: 'accept' })).status).toBe(200);
    }
    accepted += proposals.length;
  }
  expect(accepted).toBe(count - 1);
  expect((await call('GET /recall?query=spare key')).body.count).toBe(1);
});
