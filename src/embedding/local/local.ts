/** A sentence encoder on this machine: it needs no server and no key, and no text leaves the machine. */
import { availableParallelism } from 'node:os';
import { MemoryError } from '../../domain/errors.js';
import type { EmbeddingSettings } from '../../domain/settings.js';
import type { Clock } from '../../domain/time.js';
import type { Embedder, ReturnedLength } from '../embedder.js';
import type { EncoderSource } from './encoder.js';
import { startEncoderProcess, startEncoderThread } from './encoder-host.js';
import { createEncoderPool, type EncoderPool } from './encoder-pool.js';
import { chooseModel, tooManyDimensions } from './model-choice.js';
import { openModel, type SourceParts } from './model-source.js';
import { isNativeInstalled, type RuntimeInUse } from './runtime.js';
import { padTo } from './vectors.js';

export { findLocalModel } from './find-model.js';

export interface LocalParts extends SourceParts {
  clock: Pick<Clock, 'elapsedMs' | 'schedule'>;
}

/** Maximum number of encoders for memories by default. Each encoder keeps a copy of the model in memory. */
const DOCUMENT_ENCODERS_MAX = 4;

/**
 * Does not wait for the model. A download continues in the background, and embedding fails with `unavailable` until the
 * download is complete.
 *
 * @throws MemoryError `invalid` when the settings do not name a usable model
 */
export async function createLocalEmbedder(settings: EmbeddingSettings, parts: LocalParts): Promise<Embedder> {
  const { dimensions, local } = settings;
  const choice = await chooseModel(settings);
  const source = openModel(choice, parts);
  const { prefixes, unrelatedSimilarity } = choice.profile;
  let encoders: EncoderPool | undefined;
  let returned: ReturnedLength | undefined;
  let isClosed = false;
  return {
    model: `local:${choice.spaceName}`,
    description: `local (${choice.name}, on this machine)`,
    unrelatedSimilarity,
    understandsMeaning: true,
    get returned() {
      return returned;
    },
    embed: async (texts, purpose) => {
      if (isClosed) throw new MemoryError('unavailable', 'The local model is closed');
      encoders ??= openEncoders(source.get(), parts, local.threads);
      const prefix = prefixes?.[purpose] ?? '';
      const vectors = await encoders.encode(prefix ? texts.map(text => prefix + text) : texts, purpose);
      return vectors.map(vector => {
        returned = { dimensions: vector.length, isUsable: vector.length <= dimensions };
        if (!returned.isUsable) throw tooManyDimensions('unavailable', vector.length, dimensions);
        return padTo(vector, dimensions);
      });
    },
    close: async () => {
      isClosed = true;
      await source.close();
      await encoders?.close();
    },
  };
}

function openEncoders(source: EncoderSource, { log, clock }: LocalParts, threads: number | undefined): EncoderPool {
  const isProcess = isNativeInstalled();
  return createEncoderPool(source, {
    log,
    clock,
    documentEncoders: threads ?? Math.min(usableCores(isProcess), DOCUMENT_ENCODERS_MAX),
    startHost: isProcess ? startEncoderProcess : startEncoderThread,
    onRuntime: runtime => logRuntime(runtime, log),
  });
}

/**
 * The number of cores that encoders may use. Processes run at low priority on every system, but threads do so only on
 * Linux. At low priority, encoders may use every core. Otherwise one core stays free.
 */
function usableCores(isProcess: boolean): number {
  const cores = availableParallelism();
  return isProcess || process.platform === 'linux' ? cores : Math.max(1, cores - 1);
}

function logRuntime({ isNative, doubt }: RuntimeInUse, log: LocalParts['log']): void {
  if (doubt !== undefined) log.warn(`onnxruntime-node is installed but cannot be loaded: ${doubt}`);
  const name = isNative
    ? 'onnxruntime-node'
    : 'WebAssembly; onnxruntime-node, installed beside Engraph, is several times faster';
  log.info(`the local model runs on ${name}`);
}
