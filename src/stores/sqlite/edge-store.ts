/** Implements the port `EdgeStore` on the SQLite file. */
import type { EdgeStore } from '../ports/edge-store.js';
import { noteRevision } from './last-known.js';
import type { MemoryDatabase } from './memory-database.js';
import type { Write } from './node-store.js';
import type { RecordReader } from './record-reader.js';
import * as relations from './relations.js';

export function edgeStore(connection: MemoryDatabase, write: Write, records: RecordReader): EdgeStore {
  const change = <Value>(body: () => Value) => {
    const counted = () => {
      noteRevision(connection);
      return body();
    };
    return write(() => connection.transaction(counted), []);
  };
  return {
    saveRelations: edges => change(() => relations.saveRelations(connection, edges)),
    removeRelations: edges => change(() => relations.removeRelations(connection, edges)),
    countRelations: async ids => relations.countRelations(connection, ids),
    relationsOf: async request => relations.relationsOf(connection, request, records),
    relationsWithEnds: async request => relations.relationsWithEnds(connection, request, records),
  };
}
