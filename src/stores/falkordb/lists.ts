/** Lists memories by tag, and counts memories. */
import { type MemoryFilter, passesFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import type { Connection } from './connection.js';
import { type FoundRecord, foundMemory, foundRecord, memoriesById } from './found-records.js';
import { getMemories } from './memories.js';
import { modelNumber, NO_MODEL } from './models.js';
import type { OrderedWalk } from './ordered-walk.js';
import type { RecordReader } from './record-reader.js';
import { selectionOf } from './selection.js';

/** Reads the memory of each node that a walk finds, in the same statement. */
const RECORDS = { follow: 'MATCH (m:Memory {id: i.id})', column: foundRecord('m') };

/**
 * Checks the tags of the memories themselves, because another program may have removed a tag since the memory was
 * indexed. Without this check, a deletion by tag could delete such a memory.
 */
export async function listByTags(
  { walk, records }: { walk: OrderedWalk; records: RecordReader },
  { keys, limit, offset }: { keys: readonly string[]; limit: number; offset: number },
): Promise<Memory[]> {
  const filter: MemoryFilter = { tags: { keys, mode: 'any', match: 'exact' } };
  const request = { filter, order: 'importance', limit: offset + limit } as const;
  const listed =
    offset === 0
      ? memoriesById((await walk.first<FoundRecord>(request, RECORDS)).map(foundMemory))
      : await getMemories(records, (await walk.firstIds(request)).slice(offset));
  return [...listed.values()].filter(memory => passesFilter(memory, filter));
}

export async function countByTags(connection: Connection, keys: readonly string[]): Promise<number> {
  const { match, parameters } = selectionOf({ tags: { keys, mode: 'any', match: 'exact' } });
  const [row] = await connection.read<{ count: number }>(`${match} RETURN count(i) AS count`, parameters);
  return row?.count ?? 0;
}

/** Does not count nodes that are malformed or not adopted yet. */
export async function countMemories(connection: Connection): Promise<number> {
  const [row] = await connection.read<{ count: number }>('MATCH (i:_MemoryIndex) RETURN count(i) AS count');
  return row?.count ?? 0;
}

export async function countEmbedded(connection: Connection, models?: readonly string[]): Promise<number> {
  const numbers = models ? [...new Set(models.map(modelNumber))] : [NO_MODEL];
  const [row] = await connection.read<{ count: number }>(
    'UNWIND $models AS model MATCH (m:Memory) WHERE m._model = model RETURN count(m) AS count',
    { models: numbers },
  );
  const count = row?.count ?? 0;
  return models ? count : (await countMemories(connection)) - count;
}
