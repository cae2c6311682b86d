/** Counts memories. */
import type { CountedMemories } from '../ports/memory-store.js';
import type { Connection } from './connection.js';
import { modelNumber, NO_MODEL } from './models.js';
import { selectionOf } from './selection.js';

export async function countMemories(connection: Connection, which?: CountedMemories): Promise<number> {
  if (!which) return countAll(connection);
  return 'tagKeys' in which
    ? countByTags(connection, which.tagKeys)
    : countEmbedded(connection, which.embeddedBy === 'any' ? undefined : which.embeddedBy);
}

async function countByTags(connection: Connection, keys: readonly string[]): Promise<number> {
  const { match, parameters } = selectionOf({ tags: { keys, mode: 'any', match: 'exact' } });
  const [row] = await connection.read<{ count: number }>(`${match} RETURN count(i) AS count`, parameters);
  return row?.count ?? 0;
}

/** Does not count nodes that are malformed or not adopted yet. */
async function countAll(connection: Connection): Promise<number> {
  const [row] = await connection.read<{ count: number }>('MATCH (i:_MemoryIndex) RETURN count(i) AS count');
  return row?.count ?? 0;
}

async function countEmbedded(connection: Connection, models?: readonly string[]): Promise<number> {
  const numbers = models ? [...new Set(models.map(modelNumber))] : [NO_MODEL];
  const [row] = await connection.read<{ count: number }>(
    'UNWIND $models AS model MATCH (m:Memory) WHERE m._model = model RETURN count(m) AS count',
    { models: numbers },
  );
  const count = row?.count ?? 0;
  return models ? count : (await countAll(connection)) - count;
}
