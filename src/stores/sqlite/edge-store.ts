/** The edges between memories as the port names them. */
import type { Memory } from '../../domain/memory.js';
import type { Connection } from '../database/connection.js';
import type { EdgeStore } from '../ports/edge-store.js';
import type { Write } from './node-store.js';
import * as relations from './relations.js';

/** @param read gives those of the memories that exist */
export function edgeStore(
  connection: Connection,
  write: Write,
  read: (ids: readonly string[]) => Map<string, Memory>,
): EdgeStore {
  return {
    saveRelations: edges => write(() => relations.saveRelations(connection, edges), []),
    removeRelations: edges => write(() => relations.removeRelations(connection, edges), []),
    countRelations: async ids => relations.countRelations(connection, ids),
    relationsOf: async request => relations.relationsOf(connection, request),
    relationsWithEnds: async request => relations.relationsWithEnds(connection, request, read),
    shownRelations: async request => ({
      ...relations.relationsWithEnds(connection, request, read),
      memories: read(request.isWithMemories ? request.ids : []),
    }),
  };
}
