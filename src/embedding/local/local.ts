/** A sentence encoder in this process: no server and no key, and nothing leaves the machine. */
import { MemoryError } from '../../domain/errors.js';
import type { EmbeddingSettings } from '../../domain/settings.js';
import type { Embedder, ReturnedLength } from '../embedder.js';
import { createEncoderThread, type EncoderThread, startEncoder } from './encoder-thread.js';
import { chooseModel, tooManyDimensions } from './model-choice.js';
import { openModel, type SourceParts } from './model-source.js';
import { padTo } from './vectors.js';

export { findLocalModel } from './find-model.js';

export type LocalParts = SourceParts;

/**
 * Does not wait for the model: a download goes on behind, and until it is there embedding fails with `unavailable`.
 *
 * @throws MemoryError `invalid` when the settings name no model that can be used
 */
export async function createLocalEmbedder(settings: EmbeddingSettings, parts: LocalParts): Promise<Embedder> {
  const { dimensions } = settings;
  const choice = await chooseModel(settings);
  const source = openModel(choice, parts);
  const { prefixes, unrelatedSimilarity } = choice.profile;
  let thread: EncoderThread | undefined;
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
      thread ??= createEncoderThread(source.get(), { ...parts, startWorker: startEncoder });
      const prefix = prefixes?.[purpose] ?? '';
      const vectors = await thread.encode(prefix ? texts.map(text => prefix + text) : texts, purpose);
      return vectors.map(vector => {
        returned = { dimensions: vector.length, isUsable: vector.length <= dimensions };
        if (!returned.isUsable) throw tooManyDimensions('unavailable', vector.length, dimensions);
        return padTo(vector, dimensions);
      });
    },
    close: async () => {
      isClosed = true;
      await source.close();
      await thread?.close();
    },
  };
}
