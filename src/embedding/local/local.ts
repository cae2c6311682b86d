/** A sentence encoder on this machine: it needs no server and no key, and no text leaves the machine. */
import { MemoryError } from '../../domain/errors.js';
import type { EmbeddingSettings } from '../../domain/settings.js';
import type { Clock } from '../../domain/time.js';
import type { Embedder, ReturnedLength } from '../embedder.js';
import { type EncoderSource, isNativeInstalled, type RuntimeInUse } from './encoder.js';
import { createEncoderQueue, type EncoderQueue, startEncoderProcess, startEncoderThread } from './encoder-queue.js';
import { chooseModel, openModel, type SourceParts, tooManyDimensions } from './model.js';

export { findLocalModel } from './model.js';

export interface LocalParts extends SourceParts {
  clock: Pick<Clock, 'elapsedMs'>;
}

/**
 * Does not wait for the model. A download continues in the background, and embedding fails with `unavailable` until the
 * download is complete.
 *
 * @throws MemoryError `invalid` when the settings do not name a usable model
 */
export async function createLocalEmbedder(settings: EmbeddingSettings, parts: LocalParts): Promise<Embedder> {
  const { dimensions } = settings;
  const choice = await chooseModel(settings);
  const source = openModel(choice, parts);
  const { prefixes, unrelatedSimilarity } = choice.profile;
  let encoder: EncoderQueue | undefined;
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
      encoder ??= openEncoder(source.get(), parts);
      const prefix = prefixes?.[purpose] ?? '';
      const vectors = await encoder.encode(prefix ? texts.map(text => prefix + text) : texts, purpose);
      return vectors.map(vector => {
        returned = { dimensions: vector.length, isUsable: vector.length <= dimensions };
        if (!returned.isUsable) throw tooManyDimensions('unavailable', vector.length, dimensions);
        return padTo(vector, dimensions);
      });
    },
    close: async () => {
      isClosed = true;
      await source.close();
      await encoder?.close();
    },
  };
}

/** Pads with zeros, which do not change a cosine. */
function padTo(vector: Float32Array, dimensions: number): Float32Array {
  const padded = new Float32Array(dimensions);
  padded.set(vector);
  return padded;
}

function openEncoder(source: EncoderSource, { log, clock }: LocalParts): EncoderQueue {
  return createEncoderQueue(source, {
    log,
    clock,
    startHost: isNativeInstalled() ? startEncoderProcess : startEncoderThread,
    onRuntime: runtime => logRuntime(runtime, log),
  });
}

function logRuntime({ isNative, doubt }: RuntimeInUse, log: LocalParts['log']): void {
  if (doubt !== undefined) log.warn(`onnxruntime-node is installed but cannot be loaded: ${doubt}`);
  const name = isNative
    ? 'onnxruntime-node'
    : 'WebAssembly; onnxruntime-node, installed beside Engraph, is several times faster';
  log.info(`the local model runs on ${name}`);
}
