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

export function readAuthoredEnds(connection: Connection): AuthoredEnds {
  let bits = new Uint8Array(FIRST_BYTES);
  const set = (row: number) => {
    const at = row >>> 3;
    if (at >= bits.length) {
      const longer = new Uint8Array(2 * at);
      longer.set(bits);
      bits = longer;
    }
    (bits[at] as number) |= 1 << (row & 7);
  };
  const add = (from: number, to: number) => {
    set(from);
    set(to);
  };
  const edges = connection.all<{ source: number; target: number }>(
    'SELECT source, target FROM relations INDEXED BY relations_authored WHERE is_authored = 1',
  );
  for (const { source, target } of edges) add(source, target);
  return { mayInclude: row => ((bits[row >>> 3] ?? 0) & (1 << (row & 7))) !== 0, add };
}
