/**
 * The versions of everything that Engraph writes (docs/graph.md and docs/operations.md explain them). A higher version of a
 * store comes with a step that converts its data (`stores/schema-version.ts`). Files of an export have no such step.
 */

/** The tables of `memories.db`. Version 14 is the first that was released. */
export const MEMORY_FILE_VERSION = 14;
/** The tables of `vectors.db`. */
export const VECTOR_FILE_VERSION = 1;
/** The nodes and edges in FalkorDB. Version 2 is the first that was released. */
export const GRAPH_VERSION = 2;
/**
 * The text analyzer: the words, their stems and the further terms. Every change of what they are for any text increases
 * it. All memories are then analyzed again, and hash embeddings are made again
 * (docs/decisions.md, "Text analyzer version").
 */
export const ANALYZER_VERSION = 3;
/** The files of `engraph export`. */
export const EXPORT_VERSION = 1;
/** The protocol between the processes that share a data folder. Processes with different versions do not share it. */
export const SHARING_VERSION = 1;
