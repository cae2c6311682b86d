/**
 * Reads pages of memories or other nodes, ordered by id. The server has no ordered index, so a page is read from a range
 * of id ranks that has few nodes. Ids with the same rank are always in the same range, so a page reads them all.
 */
import type { PageRequest } from '../ports/memory-store.js';
import type { Connection } from './connection.js';
import { idRank, keyOf, type Parameters, RANK_END } from './values.js';

/** What a page has of its nodes. */
export interface PageElements<Row, Element> {
  label: string;
  /** Columns of the node `n`. */
  columns: string;
  /** Undefined if another program has made the node unreadable. */
  elementOf(row: Row): Element | undefined;
}

export interface Pages {
  /** Reads on until the page is full, or no node is left. Leaves out unreadable nodes. */
  read<Row, Element>(request: PageRequest, elements: PageElements<Row, Element>): Promise<Element[]>;
}

/** The columns of each row beside those of the caller. */
interface Position {
  key: string;
  rank: number;
  /** Number of nodes that were sorted. */
  sorted: number;
}

/** A statement sorts at most this many times the nodes that it returns, unless they all have the same rank. */
const SORTED_FACTOR = 8;
/** By this factor the next range is wider if a range had too few nodes. A greater factor would often find too many. */
const GROWTH = 4;
const NO_MAX = Number.MAX_SAFE_INTEGER;

export function createPages(connection: Connection): Pages {
  /** For each label, a range of ranks that probably contains a page: about twice the range of the last full page. */
  const widths = new Map<string, number>();

  const read: Pages['read'] = async <Row, Element>(
    { afterId, limit }: PageRequest,
    { label, columns, elementOf }: PageElements<Row, Element>,
  ) => {
    const statement = pageStatement(label, columns);
    const found: Element[] = [];
    let from = afterId === undefined ? 0 : idRank(afterId);
    let width = widths.get(label) ?? RANK_END;
    let after = afterId === undefined ? '' : keyOf(afterId);
    let start: number | undefined;
    while (found.length < limit && from < RANK_END) {
      const missing = limit - found.length;
      const { rows, end } = await readRange<Row>(connection, statement, {
        from,
        until: from + width,
        after,
        limit: missing,
      });
      found.push(...rows.flatMap(row => elementOf(row) ?? []));
      const last = rows.at(-1);
      start ??= rows[0]?.rank;
      if (last !== undefined && rows.length === missing) {
        widths.set(label, 2 * (last.rank - (start ?? 0)) + 1);
        ({ rank: from, key: after } = last);
      } else {
        from = end;
        width *= GROWTH;
      }
    }
    return found;
  };
  return { read };
}

function pageStatement(label: string, columns: string): string {
  const rank = label === 'Memory' ? 'n._id_rank' : 'n._node_rank';
  return `MATCH (n:${label}) WHERE ${rank} >= $from AND ${rank} < $until AND n.id + '' > $after
    WITH n LIMIT $max WITH collect(n) AS part
    UNWIND part AS n WITH n, size(part) AS sorted ORDER BY n.id LIMIT $limit
    RETURN ${columns}, n.id AS key, ${rank} AS rank, sorted`;
}

/**
 * Reads the first nodes of a range. If the range has too many nodes, only some of them are sorted. The page ends no later
 * than the last of these, so the next statement reads a smaller range.
 *
 * @returns also the end of the range that was read
 */
async function readRange<Row>(
  connection: Connection,
  statement: string,
  range: { from: number; until: number; after: string; limit: number } & Parameters,
): Promise<{ rows: (Row & Position)[]; end: number }> {
  let end = range.until;
  for (;;) {
    // A range of one rank gets no smaller.
    const max = end - range.from > 1 ? range.limit * SORTED_FACTOR : NO_MAX;
    const rows = await connection.read<Row & Position>(statement, { ...range, until: end, max });
    const last = rows.at(-1);
    if (last === undefined || last.sorted < max) return { rows, end };
    // If too many nodes share the last rank of the range, the next range begins with it.
    end = last.rank + 1 < end ? last.rank + 1 : last.rank;
  }
}
