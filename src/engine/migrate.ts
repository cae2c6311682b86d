/** Copies all data from one pair of stores to another pair, and then compares the two pairs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { MemoryError } from '../domain/errors.js';
import type { Logger } from '../log.js';
import { type Copied, type CopyProgress, copyAll, type Verification, verify } from '../maintenance/migrate.js';
import { createVectorProjection } from '../projection/create-projection.js';
import { systemClock } from './clock.js';
import { openStores } from './open-stores.js';

/** File of the embedded graph in the data folder. */
const MEMORY_FILE = 'memories.db';

export interface Migration {
  copied: Copied;
  verification: Verification;
}

export interface MigrationRequest {
  from: Config;
  to: Config;
  log: Logger;
  onProgress(progress: CopyProgress | { what: 'comparing' }): void;
}

/**
 * Copies everything, then compares every record. Deletes nothing. After an interruption, another run continues the
 * copy.
 *
 * @throws MemoryError `unavailable` when a store cannot be reached or a data folder is in use, `invalid` when the
 * source folder does not contain a memory, or both sides would use the same data folder
 */
export async function migrate({ from, to, log, onProgress }: MigrationRequest): Promise<Migration> {
  assertThere(from);
  assertApart(from, to);
  const parts = { clock: systemClock, log };
  const source = await openStores({ ...parts, config: from });
  try {
    const target = await openStores({ ...parts, config: to });
    try {
      // Reach both sides first, because an unreachable side must fail before anything is copied.
      for (const { graph, vectors } of [source, target]) await Promise.all([graph.ping(), vectors.count()]);
      const onVectorFailure = (error: unknown) => log.warn('the vector store failed', error);
      const { put } = createVectorProjection({ ...target, onVectorFailure });
      const copied = await copyAll({ from: source, to: target, put, onProgress });
      onProgress({ what: 'comparing' });
      return { copied, verification: await verify(source, target, new Set(copied.kept)) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Rejects a folder without a memory. Opening a folder with a mistyped name would create an empty memory. */
function assertThere({ dataDir, stores }: Config): void {
  if (stores.falkordb || existsSync(join(dataDir, MEMORY_FILE))) return;
  throw new MemoryError('invalid', `There is no memory in the folder ${dataDir}`, {
    hint: `A data folder contains a file ${MEMORY_FILE}.`,
  });
}

function assertApart(from: Config, to: Config): void {
  const hasEmbedded = ({ stores }: Config) => !stores.falkordb || !stores.qdrant;
  if (hasEmbedded(from) && hasEmbedded(to) && from.dataDir === to.dataDir) {
    throw new MemoryError('invalid', `Both sides would use the data folder ${from.dataDir}`, {
      hint: 'Name another folder for one of them, such as --from embedded:/path/to/folder.',
    });
  }
}
