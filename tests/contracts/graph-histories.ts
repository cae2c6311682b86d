/** Compares a store with the graph in memory, step by step, over random histories of changes. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { MemoryFilter } from '../../src/domain/filter.js';
import type { Memory } from '../../src/domain/memory.js';
import type { Relation } from '../../src/domain/relation.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import type { NewRecord } from '../../src/stores/ports/memory-store.js';
import type { ListOrder } from '../../src/stores/ports/search-index.js';
import { WORK_KINDS, type WorkClaim, type WorkKind } from '../../src/stores/ports/work-queue.js';
import { createGraphModel } from '../support/graph-model.js';
import { idOf, memory, NOON, relation } from '../support/records.js';
import { tagged } from './graph-harness.js';

const NUMBERS = Array.from({ length: 9 }, (_, index) => index + 1);
const IDS = NUMBERS.map(idOf);
const WORDS = ['harbor', 'meeting', 'invoice', 'sailing', 'common'];
const TAGS = ['team:core', 'team', 'boat', 'urgent'];
const TYPES = ['LEADS_TO', 'EVOLVED_INTO', 'SIMILAR_TO', 'PREFERS_OVER'] as const;
const ORDERS: ListOrder[] = ['importance', 'newest', 'oldest', 'updated_desc', 'updated_asc'];
const FILTERS: MemoryFilter[] = [
  {},
  tagged('prefix', 'any', 'team'),
  tagged('exact', 'all', 'team', 'boat'),
  { excludedTagKeys: ['team'] },
  { fromMs: NOON + 3 * 60_000, toMs: NOON + 6 * 60_000 },
  { validAtMs: NOON },
];
const MODEL = 'm';

/** The material of one step. What it means depends on the kind of the step. */
interface Material {
  numbers: number[];
  words: string[];
  tags: string[];
  work: WorkKind[];
  /** 0..1, different in most steps. */
  share: number;
}

function recordOf(number: number, { words, tags, share }: Material): Memory {
  const fields = { content: words.join(' '), tags, importance: share, metadata: { number } };
  return memory(number, { ...fields, timestamp: new Date(NOON + number * 60_000).toISOString() });
}

function changed(current: Memory, { words, tags, work, share }: Material) {
  const updated_at = new Date(NOON + Math.round(share * 1e9)).toISOString();
  const { archived_at: _, archived_reason: _reason, ...kept } = current;
  const { tag_prefixes } = memory(1, { tags });
  const content = work.includes('embed') ? words.join(' ') : current.content;
  const embedding = share < 0.2 && { embedding: Float32Array.of(share, 1) };
  return { memory: { ...kept, content, tags, tag_prefixes, updated_at, archived: share > 0.8 }, ...embedding, work };
}

/** Both stores, and the claims that each of them has given, by the id of the memory. */
interface Side {
  store: GraphStore;
  claims: Map<string, WorkClaim>;
}

function edgesOf({ numbers, share }: Material): Relation[] {
  const [from = 1, ...others] = numbers;
  return others.map((to, index) =>
    relation(from, TYPES[index % TYPES.length] ?? 'LEADS_TO', to, { strength: (share + index) / 10 }),
  );
}

/** Returns the tokens of the first claims of the step, in the same order at both sides. */
function tokensOf({ claims }: Side, { numbers }: Material, kind: WorkKind): string[] {
  return numbers.flatMap(number => claims.get(`${kind} ${idOf(number)}`)?.token ?? []);
}

async function attempt(action: () => Promise<unknown>): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    return { code: (error as { code?: string }).code, index: (error as { index?: number }).index };
  }
}

/** Each step changes a side, and returns what the caller sees of it. */
const STEPS = {
  save: ({ store }: Side, material: Material) => {
    const records = material.numbers.map((number): NewRecord => {
      return { memory: recordOf(number, material), work: material.work, ...(material.share > 0.9 && { isNew: true }) };
    });
    return attempt(() => store.saveMemories(records));
  },
  change: ({ store }: Side, material: Material) =>
    store.updateMemory(idOf(material.numbers[0] ?? 1), (current, history) => ({
      ...changed(current, material),
      history: { properties: { count: Number(history?.properties.count ?? 0) + 1 }, updated_at: current.updated_at },
    })),
  remove: async ({ store }: Side, { numbers }: Material) =>
    (await store.deleteMemories(numbers.slice(0, 2).map(idOf))).sort(),
  supersede: ({ store }: Side, material: Material) => {
    const [old = 1, number = 2] = material.numbers;
    return attempt(() =>
      store.supersede({
        record: { memory: recordOf(number, material), work: material.work },
        supersededId: idOf(old),
        change: current => changed(current, material),
        relation: relation(old, 'EVOLVED_INTO', number, { strength: material.share }),
      }),
    );
  },
  annotate: ({ store }: Side, { numbers, share }: Material) =>
    store.annotate(
      numbers.map((number, index) => ({
        id: idOf(number),
        ...(index % 2 === 0 && { relevance: index % 4 === 0 ? share : null }),
        ...(index % 3 === 0 && { lastAccessed: new Date(NOON + Math.round(share * 1e6)).toISOString() }),
      })),
    ),
  relate: ({ store }: Side, material: Material) => store.saveRelations(edgesOf(material)),
  unrelate: ({ store }: Side, material: Material) => store.removeRelations(edgesOf(material).slice(0, 2)),
  summarize: ({ store }: Side, { numbers, share }: Material) => {
    const updated_at = new Date(NOON + Math.round(share * 1e6)).toISOString();
    return store.saveNode(
      { kind: 'MetaMemory', id: `n${numbers[0]}`, properties: { share }, updated_at },
      numbers.map(idOf),
    );
  },
  claim: async (side: Side, { work }: Material) => {
    const kind = work[0] ?? 'embed';
    const claims = await side.store.claimWork({ kind, limit: 100, nowMs: NOON, leaseMs: 1_000 });
    for (const claim of claims) side.claims.set(`${kind} ${claim.memory.id}`, claim);
    return claims.map(({ memory: { id }, attempt: count }) => [id, count]).sort();
  },
  embedded: async (side: Side, material: Material) => {
    const tokens = tokensOf(side, material, 'embed');
    return (await side.store.settleWork(tokens, { embeddedBy: MODEL })).length;
  },
  enriched: async (side: Side, material: Material) => {
    const [token] = tokensOf(side, material, 'enrich');
    const change = (current: Memory): Memory => ({ ...current, enriched: true, summary: material.words.join(' ') });
    const edges = { types: ['SIMILAR_TO' as const], relations: [] };
    return token !== undefined && side.store.completeWork(token, { change, edges });
  },
  release: (side: Side, material: Material) =>
    side.store.releaseWork(tokensOf(side, material, material.work[0] ?? 'enrich'), {
      dueMs: material.share > 0.5 ? NOON - 1 : null,
      ...(material.numbers.length % 2 === 0 && { error: 'no' }),
    }),
  requeue: ({ store }: Side, { numbers, work }: Material) => store.requeue(work[0] ?? 'embed', numbers.map(idOf)),
  requeueOutdated: ({ store }: Side, { share }: Material) => store.requeueOutdated([share > 0.5 ? MODEL : 'other']),
};

const material: fc.Arbitrary<Material> = fc.record({
  numbers: fc.uniqueArray(fc.constantFrom(...NUMBERS), { minLength: 2, maxLength: 8 }),
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
  work: fc.subarray([...WORK_KINDS]),
  share: fc.integer({ min: 1, max: 999 }).map(number => number / 1_000),
});
/** Steps that other steps need are more frequent. */
const kinds = [...(Object.keys(STEPS) as (keyof typeof STEPS)[]), 'save', 'save', 'claim', 'claim'] as const;
const history = fc.array(fc.tuple(fc.constantFrom(...kinds), material), { minLength: 10, maxLength: 40 });

/** What can be read of a store. Orders that the contract leaves open are sorted. */
async function contentsOf(store: GraphStore) {
  const lists = await Promise.all(
    FILTERS.flatMap(filter => ORDERS.map(order => store.list({ filter, order, limit: 5, offset: 1 }))),
  );
  const found = FILTERS.map(async filter => (await store.searchText({ terms: WORDS, filter, limit: 100 })).hits);
  const statistics = (await store.searchText({ terms: WORDS, filter: {}, limit: 0 })).statistics;
  const sorted = (items: readonly unknown[]) => items.map(item => JSON.stringify(item)).sort();
  return {
    memories: await store.getMemories(IDS),
    records: await store.readRecords({ limit: 100 }),
    states: await store.vectorStates({ afterId: idOf(2), limit: 100 }),
    lists,
    listed: await store.list({ filter: {}, order: 'updated_desc', limit: 3, offset: 2 }),
    found: (await Promise.all(found)).map(hits => hits.map(({ id }) => id).sort()),
    statistics: { ...statistics, frequencies: [...statistics.frequencies].sort() },
    relations: await store.relationsWithEnds({ ids: IDS, limit: 3, isWithMemories: true }),
    outgoing: await store.relationsOf({
      ids: IDS,
      limit: 2,
      types: [...TYPES],
      minStrength: 0.2,
      isOutgoingOnly: true,
    }),
    relationCounts: await store.countRelations(IDS),
    neighbours: sorted(await store.neighbours({ ids: IDS, span: 2, maxGapMs: 3 * 60_000 })),
    links: sorted((await store.linksOf(IDS)).map(({ memoryId, nodeId, updated_at }) => [memoryId, nodeId, updated_at])),
    nodes: await Promise.all([
      store.readNodes('MetaMemory', { limit: 50 }),
      store.readNodes('MemoryHistory', { limit: 50 }),
    ]),
    work: await Promise.all(WORK_KINDS.flatMap(kind => [store.workCounts(kind), store.nextWorkDueMs(kind)])),
    waiting: (await store.listWaiting({ kind: 'embed', filter: {}, limit: 100 })).sort(),
    stale: (await store.staleVectors(100)).map(({ id }) => id),
    counts: await Promise.all([
      store.countMemories(),
      store.countMemories({ tagKeys: ['team', 'boat'] }),
      store.countMemories({ embeddedBy: [MODEL] }),
    ]),
  };
}

/** @param open opens an empty store, which the caller closes */
export async function compareHistories(
  open: () => Promise<{ store: GraphStore; dispose(): Promise<void> }>,
  options: { numRuns: number; seed: number },
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(history, async steps => {
      const { store, dispose } = await open();
      const [real, model]: Side[] = [store, createGraphModel()].map(each => ({ store: each, claims: new Map() }));
      try {
        for (const [kind, given] of steps) {
          const seen = await STEPS[kind](real as Side, given);
          expect(seen, kind).toEqual(await STEPS[kind](model as Side, given));
          expect(await contentsOf(store), kind).toEqual(await contentsOf((model as Side).store));
        }
      } finally {
        await dispose();
      }
    }),
    options,
  );
}
