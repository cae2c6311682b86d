/**
 * Which memories have an edge that somebody made, as a bit a memory. Every recall asks for such edges of all its candidates,
 * and most memories have none.
 */
import type { Connection } from '../database/connection.js';

export interface AuthoredEnds {
  /** False only where the memory of this row has no such edge. */
  mayInclude(row: number): boolean;
  /** To be told of every such edge before it is committed. One that is removed leaves its bits. */
  add(from: number, to: number): void;
}

const FIRST_BYTES = 8_192;

/** The edges are read when they are first asked for. */
export function createAuthoredEnds(connection: Connection): AuthoredEnds {
  let bits: Uint8Array | undefined;
  const set = (known: Uint8Array, row: number): Uint8Array => {
    const at = row >>> 3;
    const room = at < known.length ? known : longer(known, 2 * at);
    (room[at] as number) |= 1 << (row & 7);
    return room;
  };
  const read = (): Uint8Array => {
    const edges = connection.all<{ source: number; target: number }>(
      'SELECT source, target FROM relations INDEXED BY relations_authored WHERE is_authored = 1',
    );
    return edges.reduce<Uint8Array>(
      (known, { source, target }) => set(set(known, source), target),
      new Uint8Array(FIRST_BYTES),
    );
  };
  return {
    mayInclude: row => {
      bits ??= read();
      return ((bits[row >>> 3] ?? 0) & (1 << (row & 7))) !== 0;
    },
    add: (from, to) => {
      if (bits) bits = set(set(bits, from), to);
    },
  };
}

function longer(bits: Uint8Array, length: number): Uint8Array {
  const found = new Uint8Array(length);
  found.set(bits);
  return found;
}
