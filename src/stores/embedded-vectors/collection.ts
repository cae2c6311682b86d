/** Opening the zvec collection: its schema, its quiet, and what to do with a folder it cannot read. */
import { existsSync, mkdtempSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ZVecCollection } from '@zvec/zvec';
import { MemoryError } from '../../domain/errors.js';

export const VECTOR_FIELD = 'embedding';
/** Present in every array field: a negated condition drops documents whose array is empty. */
export const SENTINEL = '_';

/** Links per node and candidates while building: recall@10 of 1.00 at 100,000 vectors of 1,024 dimensions. */
const HNSW = { m: 16, efConstruction: 200 } as const;

const FIELD_NAMES = ['keys', 'prefixes', 'model', 'timestamp', 'valid_from', 'valid_to'] as const;

export type Zvec = typeof import('@zvec/zvec')['default'];

/** The platform has no binary of the library, or it was left out when Engraph was installed. */
export class MissingBinaryError extends Error {
  constructor(cause: unknown) {
    super('The embedded vector store has no binary for this platform', { cause });
    this.name = 'MissingBinaryError';
  }
}

let library: Promise<Zvec> | undefined;

/**
 * Loads the binding, once a process.
 *
 * @throws MissingBinaryError
 */
export function loadZvec(): Promise<Zvec> {
  // Searches of several segments wait for each other for ever once as many run as the library has threads, and it reads
  // their number while it loads.
  process.env.OMP_NUM_THREADS = '16';
  delete process.env.OMP_THREAD_LIMIT;
  library ??= import('@zvec/zvec').then(
    ({ default: zvec }) => {
      // One thread for building the index: the other core goes on answering.
      zvec.ZVecInitialize({ logLevel: zvec.ZVecLogLevel.ERROR, optimizeThreads: 1 });
      return zvec;
    },
    cause => {
      throw new MissingBinaryError(cause);
    },
  );
  return library;
}

/**
 * Opens or creates the collection in `folder`.
 *
 * @throws MemoryError `unavailable` when its vectors have another length
 */
export function openCollection(zvec: Zvec, folder: string, dimensions: number): ZVecCollection {
  const path = join(folder, 'vectors');
  if (!existsSync(path)) return createCollection(zvec, path, dimensions);
  let collection: ZVecCollection;
  try {
    assertNotCutOff(path);
    collection = zvec.ZVecOpen(path);
  } catch (error) {
    if (isLockFailure(error))
      throw new MemoryError('unavailable', `The vectors in ${path} are still in use`, { cause: error });
    return createInPlaceOf(zvec, { folder, path, dimensions });
  }
  const fields = new Set(collection.schema.fields().map(({ name }) => name));
  if (!FIELD_NAMES.every(name => fields.has(name))) {
    // Made by an earlier version, whose filters could look at less.
    collection.closeSync();
    return createInPlaceOf(zvec, { folder, path, dimensions });
  }
  const stored = collection.schema.vector(VECTOR_FIELD).dimension;
  if (stored !== dimensions) {
    collection.closeSync();
    throw new MemoryError(
      'unavailable',
      `VECTOR_SIZE is ${dimensions}, but the vectors in ${path} have ${stored} dimensions`,
      { hint: `Set VECTOR_SIZE=${stored}, or remove that folder: the vectors are then made again.` },
    );
  }
  return collection;
}

/** A process that is about to end may still hold it, or an index that is still being built. */
function isLockFailure(error: unknown): boolean {
  return error instanceof Error && /can't lock/i.test(error.message);
}

/** Vectors are derived: what cannot be used is set aside, and made again from the graph. */
function createInPlaceOf(
  zvec: Zvec,
  { folder, path, dimensions }: { folder: string; path: string; dimensions: number },
) {
  renameSync(path, join(mkdtempSync(join(folder, 'unreadable-')), 'vectors'));
  return createCollection(zvec, path, dimensions);
}

/** The library ends the whole process over a manifest without content, as a loss of power can leave it. */
function assertNotCutOff(path: string): void {
  for (const name of readdirSync(path)) {
    if (name.startsWith('manifest') && statSync(join(path, name)).size === 0) throw new Error(`${name} is empty`);
  }
}

function createCollection(zvec: Zvec, path: string, dimension: number): ZVecCollection {
  const { ZVecDataType: type, ZVecIndexType: index } = zvec;
  const inverted = { indexType: index.INVERT } as const;
  const ranged = { indexType: index.INVERT, enableRangeOptimization: true } as const;
  return zvec.ZVecCreateAndOpen(
    path,
    new zvec.ZVecCollectionSchema({
      name: 'memories',
      vectors: {
        name: VECTOR_FIELD,
        dataType: type.VECTOR_FP32,
        dimension,
        indexParams: {
          indexType: index.HNSW,
          metricType: zvec.ZVecMetricType.COSINE,
          quantizeType: zvec.ZVecQuantizeType.INT8,
          ...HNSW,
        },
      },
      fields: [
        { name: 'keys', dataType: type.ARRAY_STRING, nullable: false, indexParams: inverted },
        { name: 'prefixes', dataType: type.ARRAY_STRING, nullable: false, indexParams: inverted },
        { name: 'model', dataType: type.STRING, nullable: false, indexParams: inverted },
        { name: 'timestamp', dataType: type.INT64, nullable: false, indexParams: ranged },
        { name: 'valid_from', dataType: type.INT64, nullable: false, indexParams: ranged },
        { name: 'valid_to', dataType: type.INT64, nullable: false, indexParams: ranged },
      ],
    }),
  );
}
