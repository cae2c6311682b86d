/** Reads the number of memories in which a term occurs. This number was counted when the memories were written. */
import { type Connection, placeholders } from '../database/connection.js';

export function termFrequencies(connection: Connection, terms: readonly string[]): Map<string, number> {
  const rows = connection.all<{ term: string; count: number }>(
    `SELECT term, count FROM term_counts WHERE term IN (${placeholders(terms)})`,
    ...terms,
  );
  return new Map(rows.map(({ term, count }) => [term, count]));
}
