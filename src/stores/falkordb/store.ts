/** The graph store on a FalkorDB server, which several processes may share. */
import type { GraphStore } from '../graph-store.js';
import * as claims from './claims.js';
import { connect } from './connection.js';
import * as derivedData from './derived-data.js';
import { countForeign, countMemories, figuresOf } from './figures.js';
import * as memories from './memories.js';
import * as nodes from './nodes.js';
import { createOrdered, list, neighbours } from './ordered.js';
import { createPages } from './pages.js';
import * as relations from './relations.js';
import { isPrepared, prepareSchema } from './schema.js';
import type { FalkorSettings } from './settings.js';
import { createTermFrequencies, searchText } from './text-search.js';
import * as work from './work.js';

export { isAway } from './failures.js';
export type { FalkorSettings } from './settings.js';

/**
 * Returns a store without waiting for the server. The connection is opened in the background, and is opened again
 * whenever it is lost. While the server cannot be reached, every call rejects with MemoryError `unavailable` within the
 * time limit. Claims of other processes stay valid until their leases end.
 *
 * @throws MemoryError `invalid` when the address or the name of the graph cannot be used
 */
export function openFalkorStore(settings: FalkorSettings): GraphStore {
  const connection = connect(settings, prepareSchema);
  const pages = createPages(connection);
  const ordered = createOrdered(connection);
  const claimant = claims.createClaimant(settings.owner);
  const textIndex = { connection, ordered, frequencies: createTermFrequencies(connection) };
  return {
    description: `FalkorDB at ${connection.display}`,
    name: settings.graph,
    holdsVectors: false,
    saveMemories: given => memories.saveMemories(connection, given),
    getMemories: ids => memories.getMemories(connection, ids),
    updateMemory: (id, change) => memories.updateMemory(connection, id, change),
    deleteMemories: (ids, updatedAt) => memories.deleteMemories(connection, ids, updatedAt),
    annotate: annotations => memories.annotate(connection, annotations),
    readRecords: page => derivedData.readRecords(pages, page),
    vectorStates: page => derivedData.vectorStates(pages, page),
    list: request => list(ordered, request),
    searchText: search => searchText(textIndex, search),
    neighbours: request => neighbours(connection, request),
    saveRelations: edges => relations.saveRelations(connection, edges),
    removeRelations: edges => relations.removeRelations(connection, edges),
    countRelations: ids => relations.countRelations(connection, ids),
    supersede: request => memories.supersede(connection, request),
    relationsOf: request => relations.relationsOf(connection, request),
    relationsWithEnds: request => relations.relationsWithEnds(connection, request),
    saveNode: (node, memberIds) => nodes.saveNode(connection, node, memberIds),
    getNode: (kind, id) => nodes.getNode(connection, kind, id),
    listNodes: (kind, limit) => nodes.listNodes(connection, kind, limit),
    readNodes: (kind, page) => nodes.readNodes(pages, kind, page),
    countNodes: (kind, state) => nodes.countNodes(connection, kind, state),
    deleteNodes: (kind, ids) => nodes.deleteNodes(connection, kind, ids),
    linkNode: link => nodes.linkNode(connection, link),
    linksOf: ids => nodes.linksOf(connection, ids),
    countNodeLinks: (kind, id, bounds) => nodes.countNodeLinks(connection, kind, id, bounds),
    ...figuresOf(connection),
    takeLease: lease => claims.takeLease(connection, lease, claimant),
    reclaim: () => claims.reclaim(connection, claimant),
    claimWork: request => claims.claimWork(connection, request, claimant),
    renewWork: (tokens, leaseUntilMs) => work.renewWork(connection, tokens, leaseUntilMs),
    settleWork: (tokens, { embeddedBy }) => work.settleWork(connection, tokens, embeddedBy),
    completeWork: (token, outcome) => work.completeWork(connection, token, outcome),
    releaseWork: (tokens, release) => work.releaseWork(connection, tokens, release),
    workCounts: kind => work.workCounts(connection, kind),
    listWaiting: request => work.listWaiting(connection, request),
    nextWorkDueMs: kind => work.nextWorkDueMs(connection, kind),
    makeWorkDue: (kind, laterThanMs) => work.makeWorkDue(connection, kind, laterThanMs),
    requeue: (kind, ids) => work.requeue(connection, kind, ids),
    requeueOutdated: models => derivedData.requeueOutdated(connection, models),
    staleVectors: limit => derivedData.staleVectors(connection, limit),
    settleStaleVectors: tokens => derivedData.settleStaleVectors(connection, tokens),
    countForeign: () => countForeign(connection),
    countOutdatedWords: () => derivedData.countOutdatedWords(connection),
    rewriteOutdatedWords: page => derivedData.rewriteOutdatedWords(connection, page),
    countMemories: which => countMemories(connection, which),
    ping: async () => {
      // A graph that was removed, and then created again by a write, has no indexes.
      if (!(await isPrepared(connection))) connection.renew();
    },
    close: () => connection.close(),
  };
}
