/** The names of the store methods that change data. */
import type { GraphStore } from './graph-store.js';
import type { VectorStore } from './vector-store.js';

export const VECTOR_WRITES: ReadonlySet<PropertyKey> = new Set<keyof VectorStore>([
  'upsert',
  'updatePayloads',
  'updateRelevance',
  'remove',
]);

export const GRAPH_WRITES: ReadonlySet<PropertyKey> = new Set<keyof GraphStore>([
  'saveMemories',
  'saveInParts',
  'updateMemory',
  'editMemory',
  'deleteMemories',
  'deleteUnchanged',
  'touch',
  'saveRelevance',
  'saveSuggestions',
  'saveRelations',
  'removeRelations',
  'supersede',
  'saveNode',
  'deleteNodes',
  'linkNode',
  'relinkNode',
  'takeLease',
  'releaseLease',
  'reclaim',
  'claimWork',
  'renewWork',
  'settleWork',
  'completeWork',
  'failWork',
  'releaseWork',
  'makeWorkDue',
  'requeue',
  'requeueOutdated',
  'adopt',
  'rewriteOutdatedWords',
  'settleStaleVectors',
]);
