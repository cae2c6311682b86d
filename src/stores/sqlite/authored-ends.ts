/**
 * Tracks, with one bit for each memory, which memories have an authored edge. Every recall asks for the authored edges
 * of all its candidates, and most memories have no authored edge.
 */
import { inSteps } from '../../event-loop.js';
import type { Connection } from '../database/connection.js';

export interface AuthoredEnds {
  /** Returns false only if the memory of this row certainly has no authored edge. */
  mayInclude(row: number): boolean;
  /**
   * Sets the bits of the two memories of an edge. Must be called for every authored edge before its commit. When an
   * edge is removed, the bits of its memories stay set.
   */
  add(from: number, to: number): void;
}

const FIRST_BYTES = 8_192;

const EDGES_PER_PAGE = 5_000;

interface Edge {
  source: number;
  target: number;
}

const READ_PAGE = `SELECT source, target FROM relations INDEXED BY relations_authored
  WHERE is_authored = 1 AND (source, target) > (?, ?) ORDER BY source, target LIMIT ${EDGES_PER_PAGE}`;

/**
 * Reads the edges on first use, in short steps. Until all edges are read, `mayInclude` returns true for every memory.
 */
export function createAuthoredEnds(connection: Connection): AuthoredEnds {
  let bits = new Uint8Array(FIRST_BYTES);
  let isReading = false;
  let hasRead = false;
  const set = (row: number) => {
    const at = row >>> 3;
    if (at >= bits.length) bits = longer(bits, 2 * at);
    (bits[at] as number) |= 1 << (row & 7);
  };
  const add = (from: number, to: number) => {
    set(from);
    set(to);
  };
  const read = async () => {
    for await (const edges of inSteps(pagesOf(connection))) for (const { source, target } of edges) add(source, target);
    hasRead = true;
  };
  return {
    mayInclude: row => {
      if (!isReading) {
        isReading = true;
        // If reading fails, for example because the file is damaged, `mayInclude` continues to return true.
        void read().catch(() => undefined);
      }
      return !hasRead || ((bits[row >>> 3] ?? 0) & (1 << (row & 7))) !== 0;
    },
    add,
  };
}

function* pagesOf(connection: Connection): Generator<Edge[]> {
  let last: Edge | undefined = { source: Number.MIN_SAFE_INTEGER, target: 0 };
  while (last) {
    const edges: Edge[] = connection.all<Edge>(READ_PAGE, last.source, last.target);
    yield edges;
    last = edges.length < EDGES_PER_PAGE ? undefined : edges.at(-1);
  }
}

function longer(bits: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const found = new Uint8Array(length);
  found.set(bits);
  return found;
}
