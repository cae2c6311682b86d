/**
 * The behaviour required of every GraphStore. Call `describeGraphStore` with a function that opens an empty store. The
 * tests do not depend on the kind of store.
 */
import { describe, expect, test } from 'vitest';
import { describeChanges } from './graph-changes.js';
import { describeFigures } from './graph-figures.js';
import { type GraphStoreFixture, openForEachTest } from './graph-harness.js';
import { describeHistory } from './graph-history.js';
import { describeLeases } from './graph-leases.js';
import { describeMemories } from './graph-memories.js';
import { describeNeighbours } from './graph-neighbours.js';
import { describeNodes } from './graph-nodes.js';
import { describePages } from './graph-pages.js';
import { describeParts } from './graph-parts.js';
import { describeReading } from './graph-reading.js';
import { describeRelations } from './graph-relations.js';
import { describeFilters, describeLists } from './graph-selection.js';
import { describeStaleVectors } from './graph-stale-vectors.js';
import { describeTextSearch } from './graph-text-search.js';
import { describeClaims, describeWork } from './graph-work.js';
import { describeOutcomes, describeWorkOrder } from './graph-work-outcomes.js';

export type { GraphStoreFixture } from './graph-harness.js';

export function describeGraphStore(name: string, open: () => Promise<GraphStoreFixture>): void {
  describe(`graph store contract: ${name}`, () => {
    const graph = openForEachTest(open);
    describe('memories', () => describeMemories(graph));
    describe('memories in parts', () => describeParts(graph));
    describe('changes', () => describeChanges(graph));
    describe('the history of a memory', () => describeHistory(graph));
    describe('reading', () => describeReading(graph));
    describe('filters', () => describeFilters(graph));
    describe('lists', () => describeLists(graph));
    describe('text search', () => describeTextSearch(graph));
    describe('neighbours', () => describeNeighbours(graph));
    describe('relations', () => describeRelations(graph));
    describe('auxiliary nodes', () => describeNodes(graph));
    describe('figures', () => describeFigures(graph));
    describe('pages', () => describePages(graph));
    describe('leases', () => describeLeases(graph));
    describe('claims of work', () => describeClaims(graph));
    describe('work', () => describeWork(graph));
    describe('the order of work', () => describeWorkOrder(graph));
    describe('outcomes of work', () => describeOutcomes(graph));
    describe('stale vectors', () => describeStaleVectors(graph));

    test('answers a ping, and can be closed twice', async () => {
      await expect(graph.store.ping()).resolves.toBeUndefined();
      await graph.store.close();
      await graph.store.close();
    });
  });
}
