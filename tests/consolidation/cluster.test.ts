/** The groups that consolidation finds, how it keeps them, and the proposals it makes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proposalNode } from '../../src/consolidation/proposals.js';
import { planCluster } from '../../src/consolidation/tasks/cluster.js';
import { readSummary, summaryNode } from '../../src/consolidation/tasks/summaries.js';
import { MemoryError } from '../../src/domain/errors.js';
import type { Half } from './corpus/read-corpus.js';
import { measureGroups, measureProposals, proposalsIn, summariesIn } from './measure.js';
import { plantedCorpus } from './planted-corpus.js';
import { openPlantedStores, type Plan, type PlantedStores } from './planted-stores.js';

const CORPUS = plantedCorpus(['development', 'heldOut']);
const NOW = '2026-03-01T09:00:00.000Z';

let stores: PlantedStores;
let plan: Plan;

beforeAll(async () => {
  stores = await openPlantedStores(CORPUS.memories.map(({ input }) => input));
  plan = await stores.plan(planCluster);
}, 60_000);
afterAll(() => stores.close());

test('the groups of four hundred memories match their topics', () => {
  const { agreement, groups } = measureGroups(CORPUS, { changes: plan.changes });
  expect(agreement).toBeGreaterThanOrEqual(0.8);
  expect(plan.count).toBe(groups);
});

test.each<[Half]>([['development'], ['heldOut']])('the groups of the %s half of the corpus match its topics', half => {
  expect(measureGroups(CORPUS, { changes: plan.changes, half }).agreement).toBeGreaterThanOrEqual(0.8);
});

describe.each<[Half]>([['development'], ['heldOut']])('in the %s half of the corpus', half => {
  // A proposal of kind `replaced` says only that two memories are about the same thing.
  test.each([
    ['duplicate', 0.9],
    ['replaced', 0.4],
  ] as const)('few proposals of kind %s are missing, and a share of at least %d is right', (kind, least) => {
    const { recall, precision, wrong } = measureProposals(CORPUS, { changes: plan.changes, kind, half });
    expect(precision, wrong.join('\n')).toBeGreaterThanOrEqual(least);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });
});

test('a summary names the common words of its memories, their time span and their number', () => {
  const bees = summariesIn(plan.changes).find(({ content }) => content.includes('hive'));
  expect(bees?.content).toMatch(/^\d+ memories about .+, from 2025-\d\d-\d\d to 202[56]-\d\d-\d\d\. Their tags are /);
  expect(bees?.about.tags).toContain('bees');
  expect(bees?.about.confidence).toBeGreaterThan(0);
  expect((bees?.about.earliest ?? '') < (bees?.about.latest ?? '')).toBe(true);
  expect(bees && readSummary(summaryNode(bees, NOW))).toEqual(bees);
});

describe('a vector search that does not answer in time', () => {
  const failing = (isFailing: (search: number) => boolean) => {
    const { vectors } = stores.context;
    let searches = 0;
    const search: typeof vectors.search = async request => {
      searches += 1;
      if (isFailing(searches)) throw new MemoryError('unavailable', 'it has not answered within 2 seconds');
      return vectors.search(request);
    };
    return stores.plan(planCluster, { vectors: { ...vectors, search } });
  };

  test('is repeated if only some searches fail, and the run finds as many groups as usual', async () => {
    expect((await failing(search => search % 3 === 0)).count).toBe(plan.count);
  });

  test('makes the run fail if all searches after the fortieth fail', async () => {
    await expect(failing(search => search > 40)).rejects.toThrow('has not answered');
  });
});

describe('after the first run', () => {
  beforeAll(async () => {
    for (const summary of summariesIn(plan.changes)) await stores.graph.saveNode(summaryNode(summary, NOW));
    for (const proposal of proposalsIn(plan.changes)) {
      await stores.graph.saveNode(proposalNode(proposal, { state: 'open', at: NOW }));
    }
  });

  test('a second run on the same memories changes nothing, and counts the groups', async () => {
    expect(await stores.plan(planCluster, { runId: 'run-2' })).toEqual({ changes: [], count: plan.count });
  });

  test('a group that lost memories keeps its id, and a group that disappeared loses its summary', async () => {
    const [first] = summariesIn(plan.changes);
    const gone = { ...first, id: 'vanished', memberIds: ['x', 'y', 'z'] } as NonNullable<typeof first>;
    await stores.graph.saveNode(summaryNode(gone, NOW));
    await stores.graph.saveNode({ kind: 'MetaMemory', id: 'foreign', properties: { size: 4 }, updated_at: NOW });
    const removed = first?.memberIds.slice(0, 2) ?? [];
    await stores.graph.deleteMemories(removed);
    const { changes } = await stores.plan(planCluster, { runId: 'run-3' });
    const changed = changes.flatMap(change => (change.kind === 'summary' ? [change] : []));
    expect(changed.find(({ before }) => before?.id === 'vanished')?.after).toBeNull();
    expect(changed.filter(({ before }) => before === null)).toEqual([]);
    const after = changed.find(({ before }) => before?.id === first?.id)?.after;
    expect(after?.id).toBe(first?.id);
    expect(after?.memberIds.some(id => removed.includes(id))).toBe(false);
    expect(changed.some(({ before }) => before?.id === 'foreign')).toBe(false);
    await stores.graph.deleteNodes('MetaMemory', ['vanished', 'foreign']);
  });
});
