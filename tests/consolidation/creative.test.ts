/** The links that consolidation finds between memories that no edge connects. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planCreative } from '../../src/consolidation/tasks/creative.js';
import type { Relation } from '../../src/domain/relation.js';
import type { Half } from './corpus/read-corpus.js';
import { keyOf, linksIn, measureLinks } from './measure.js';
import { plantedCorpus } from './planted-corpus.js';
import { openPlantedStores, type Plan, type PlantedStores } from './planted-stores.js';

const CORPUS = plantedCorpus(['development', 'heldOut']);

let stores: PlantedStores;
let plan: Plan;
let edged: Set<string>;

beforeAll(async () => {
  stores = await openPlantedStores(CORPUS.memories.map(({ input }) => input));
  edged = await edgedPairs();
  plan = await stores.plan(planCreative);
}, 60_000);
afterAll(() => stores.close());

async function edgedPairs(): Promise<Set<string>> {
  const ids = CORPUS.memories.map(({ id }) => id);
  const edges = [...(await stores.graph.relationsOf({ ids, limit: 1000 })).values()].flat();
  return new Set(edges.map(({ from, to }) => keyOf([from, to])));
}

describe('on four hundred memories with planted links', () => {
  test.each<[Half]>([['development'], ['heldOut']])('most links of the %s half are found, and few others', half => {
    const { recall, precision, wrong } = measureLinks(CORPUS, { changes: plan.changes, edged, half });
    expect(recall).toBeGreaterThanOrEqual(0.6);
    expect(precision, wrong.join('\n')).toBeGreaterThanOrEqual(0.8);
  });

  test('no link connects memories that have an edge already, or make the same statement', () => {
    const joined = linksIn(plan.changes).map(({ relation }) => keyOf([relation.from, relation.to]));
    const repeated = new Set(CORPUS.duplicates.map(keyOf));
    expect(joined.filter(key => edged.has(key) || repeated.has(key))).toEqual([]);
    expect(new Set(joined).size).toBe(joined.length);
  });

  test('each link states its reason, its run and its confidence', () => {
    expect(plan.count).toBe(plan.changes.length);
    for (const { relation, reason, numbers } of linksIn(plan.changes)) {
      expect(relation).toMatchObject({ type: 'DISCOVERED', properties: { origin: 'consolidation', run_id: 'run-1' } });
      expect(relation.strength).toBeGreaterThan(0);
      expect(relation.strength).toBeLessThanOrEqual(1);
      expect(relation.properties.confidence).toBeGreaterThanOrEqual(0.5);
      expect(numbers.evidence).toBe(relation.strength);
      expect(reason).toMatch(/\w+, \w+/);
    }
  });

  test('a link between an insight and a Context memory starts at the insight and has the kind explains', () => {
    const idOf = (name: string) => CORPUS.memories.find(memory => memory.name === name)?.id;
    const link = linksIn(plan.changes).find(
      ({ relation }) => keyOf([relation.from, relation.to]) === keyOf([idOf('acid-soil') ?? '', idOf('lime') ?? '']),
    );
    expect(link?.relation).toMatchObject({ from: idOf('lime'), properties: { kind: 'explains' } });
  });

  test('no memory gets more than three links', () => {
    const counts = new Map<string, number>();
    for (const { relation } of linksIn(plan.changes)) {
      for (const id of [relation.from, relation.to]) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(3);
  });

  test('a second run finds no links after the links of the first run are stored', async () => {
    const relations: Relation[] = linksIn(plan.changes).map(({ relation }) => relation);
    await stores.graph.saveRelations(relations);
    const again = await stores.plan(planCreative, { runId: 'run-2', random: () => 0.5 });
    expect(again.changes).toEqual([]);
    expect(again.count).toBe(0);
  });

  test('memories without a vector of a current model get no link', async () => {
    expect((await stores.plan(planCreative, { models: ['another'] })).changes).toEqual([]);
  });
});

test('a name that occurs in all memories creates no link', async () => {
  const subjects = [
    'lamps',
    'gutters',
    'invoices',
    'violins',
    'harbours',
    'tulips',
    'engines',
    'maps',
    'pillows',
    'wells',
  ];
  const memories = subjects.map((subject, index) => ({
    id: `00000000-0000-4000-8000-00000000000${index}`,
    content: `Quillfeather Ostermann knows ${subject}.`,
    metadata: { entities: { people: ['Quillfeather Ostermann'] } },
    timestamp: `2025-0${1 + (index % 9)}-10T10:00:00Z`,
  }));
  const crowd = await openPlantedStores(memories);
  const { changes } = await crowd.plan(planCreative);
  await crowd.close();
  expect(changes).toEqual([]);
});
