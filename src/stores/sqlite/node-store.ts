/** Implements the port `NodeStore` on the SQLite file. */
import type { Connection } from '../database/connection.js';
import type { NodeStore } from '../ports/node-store.js';
import * as nodes from './nodes.js';

/** @param changed ids of the memories that `body` changes; if absent, `body` may change any memory */
export type Write = <Value>(body: () => Value, changed?: readonly string[]) => Promise<Value>;

export function nodeStore(connection: Connection, write: Write): NodeStore {
  return {
    saveNode: (node, memberIds) => write(() => nodes.saveNode(connection, node, memberIds), []),
    getNode: async (kind, id) => nodes.getNode(connection, kind, id),
    listNodes: async (kind, limit) => nodes.listNodes(connection, kind, limit),
    readNodes: async (kind, page) => nodes.readNodes(connection, kind, page),
    countNodes: async (kind, state) => nodes.countNodes(connection, kind, state),
    deleteNodes: (kind, ids) => write(() => nodes.deleteNodes(connection, kind, ids), []),
    linkNode: link => write(() => nodes.linkNode(connection, link), []),
    linksOf: async ids => nodes.linksOf(connection, ids),
    countNodeLinks: async (kind, id, bounds) => nodes.countNodeLinks(connection, kind, id, bounds),
  };
}
