/**
 * The commands of FalkorDB's client, and its reader of answers. The build bundles both into one file. They are used with
 * a connection of our own: an error before the connection of the package is open ends the process, and its calls have
 * no time limit.
 */
import * as QUERY from 'falkordb/dist/src/commands/QUERY.js';
import * as RO_QUERY from 'falkordb/dist/src/commands/RO_QUERY.js';
import graph from 'falkordb/dist/src/graph.js';

export type { Client as GraphClient } from 'falkordb/dist/src/clients/client.js';
export { QUERY, RO_QUERY };
export type QueryReply = Parameters<typeof QUERY.transformReply>[0];

/** Some loaders return the default export of the module itself, and others the module with this export. */
export const Graph = graph.default ?? (graph as unknown as typeof graph.default);
