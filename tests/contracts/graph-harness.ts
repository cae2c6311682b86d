/** Opens a separate store for each test of the GraphStore contract, and gives the tests helpers to use it. */
import { afterEach, beforeEach, expect } from 'vitest';
import type { MemoryFilter } from '../../src/domain/filter.js';
import type { Memory, NewMemory } from '../../src/domain/memory.js';
import { tagKeys } from '../../src/domain/tags.js';
import { queryTerms } from '../../src/domain/text/terms.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import type { SaveOutcome } from '../../src/stores/ports/memory-store.js';
import type { ListOrder } from '../../src/stores/ports/search-index.js';
import type { WorkKind } from '../../src/stores/ports/work-queue.js';
import { memory } from '../support/records.js';

export interface GraphStoreFixture {
  store: GraphStore;
  /** Closes the store and opens it again on the same data. */
  reopen(): Promise<GraphStore>;
  dispose(): Promise<void>;
}

export interface GraphHarness {
  /** The store of the current test. */
  readonly store: GraphStore;
  reopen(): Promise<void>;
  save(memories: readonly Memory[], work?: readonly WorkKind[]): Promise<SaveOutcome[]>;
  /** Saves memories with the numbers 1, 2, 3 and so on, from which their ids are made. */
  saveAll(...inputs: Partial<NewMemory>[]): Promise<SaveOutcome[]>;
  read(id: string): Promise<Memory | undefined>;
  /** Numbers of the memories in a list. */
  listed(filter: MemoryFilter, order?: ListOrder, limit?: number): Promise<number[]>;
  /** Numbers of the memories that a text search finds. */
  found(query: string, filter?: MemoryFilter, limit?: number): Promise<number[]>;
}

/** Opens a store before each test and disposes of it afterwards. */
export function openForEachTest(open: () => Promise<GraphStoreFixture>): GraphHarness {
  let fixture: GraphStoreFixture;
  let store: GraphStore;

  beforeEach(async () => {
    fixture = await open();
    store = fixture.store;
  });
  afterEach(() => fixture.dispose());

  const save: GraphHarness['save'] = (memories, work = []) =>
    store.saveMemories(memories.map(each => ({ memory: each, work })));
  return {
    get store() {
      return store;
    },
    reopen: async () => {
      store = await fixture.reopen();
    },
    save,
    saveAll: (...inputs) => save(inputs.map((input, index) => memory(index + 1, input))),
    read: async id => (await store.getMemories([id])).get(id),
    listed: async (filter, order = 'importance', limit = 100) => {
      const ids = await store.list({ filter, order, limit });
      expect([...(await store.getMemories(ids)).keys()]).toEqual(ids);
      return numbersOf(ids);
    },
    found: async (query, filter = {}, limit = 100) =>
      numbersOf((await store.searchText({ terms: queryTerms(query), filter, limit })).hits.map(({ id }) => id)),
  };
}

/** The numbers from which `idOf` made the ids. */
export function numbersOf(ids: readonly string[]): number[] {
  return ids.map(id => Number(id.slice(-12)));
}

export function tagged(match: 'prefix' | 'exact', mode: 'any' | 'all', ...tags: string[]): MemoryFilter {
  return { tags: { keys: tagKeys(tags), match, mode } };
}
