/** Memories that a request names, taken over at once where another program wrote them. */

import { adoptNodes, type FoundNode, foundColumns } from './adopt-nodes.js';
import type { Connection } from './connection.js';
import { keyOf } from './encoding.js';
import { inParts } from './in-parts.js';
import { type StoredMemory, type StoredRow, storedColumns, storedOf } from './stored.js';

/** The memory that may be written over; undefined where there is none. */
export async function readAdopted(connection: Connection, id: string): Promise<StoredMemory | undefined> {
  const stored = await readStored(connection, id);
  if (stored !== UNADOPTED) return stored;
  await adoptIfThere(connection, [id]);
  const adopted = await readStored(connection, id);
  return adopted === UNADOPTED ? undefined : adopted;
}

/** Means that there is a node which nobody has taken over. */
const UNADOPTED = Symbol('unadopted');

async function readStored(connection: Connection, id: string): Promise<StoredMemory | undefined | typeof UNADOPTED> {
  const statement = `MATCH (m:Memory {id: $id}) RETURN ${storedColumns('m')}`;
  const rows = await connection.read<StoredRow>(statement, { id: keyOf(id) });
  const ours = rows.find(({ revision }) => typeof revision === 'number');
  if (ours) return storedOf(ours);
  return rows.length > 0 ? UNADOPTED : undefined;
}

/** @returns ids of those that were taken over */
export async function adoptIfThere(connection: Connection, ids: readonly string[]): Promise<string[]> {
  const found = await inParts([...new Set(ids.map(keyOf))], part =>
    connection.read<FoundNode>(
      `UNWIND $ids AS id MATCH (m:Memory {id: id}) WHERE m._revision IS NULL RETURN ${foundColumns('m')}`,
      { ids: part },
    ),
  );
  return found.length === 0 ? [] : (await adoptNodes(connection, found)).adopted;
}
