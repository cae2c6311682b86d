/**
 * The part that all remote models share: it splits requests by size, cuts texts that are too long, checks answers
 * before use, and distinguishes an outage from a problem with the texts.
 */
import type { EmbeddingSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { Embedder, EmbeddingPurpose } from './embedder.js';
import { type DimensionPlan, type ModelProfile, planDimensions, profileOf } from './model-profiles.js';
import { ProviderFailure, type ProviderWords, providerError, settingError } from './provider-failure.js';
import { createVectorReader, tooManyDimensions, type VectorReader } from './read-vectors.js';
import { createSender, type Sender, type Sending, type SendSettings } from './request-sender.js';
import { batchesOf, cutText, embedFitting, type RequestLimits } from './text-limits.js';

export interface ProviderRequest extends Sending {
  /** Dimension to request from the model; undefined when the model's default dimension is used. */
  dimensions: number | undefined;
  signal: AbortSignal;
}

export interface RemoteProvider {
  words: ProviderWords;
  limits: RequestLimits;
  /**
   * Sends one request.
   *
   * @returns the embeddings in the order of the texts, unchecked
   * @throws ProviderFailure, or the error that `fetch` throws
   */
  request(request: ProviderRequest): Promise<unknown[]>;
}

export interface RemoteParts {
  settings: SendSettings & Pick<EmbeddingSettings, 'dimensions'>;
  /** The clock that measures the waits between attempts. */
  clock: Clock;
}

/** A harmless text. If the model cannot embed even this text, other texts are not the cause of a failure. */
const HARMLESS_TEXT = 'hello';

/** @throws MemoryError `invalid` when the model cannot make vectors of at most VECTOR_SIZE dimensions */
export function createRemoteEmbedder(provider: RemoteProvider, parts: RemoteParts): Embedder {
  const { words, limits } = provider;
  const { dimensions: size } = parts.settings;
  const profile = profileOf(words.model);
  const plan = planDimensions(profile, size);
  if (!plan) throw settingError(tooManyDimensions(leastDimensions(profile), size), words);
  const reader = createVectorReader({
    expected: plan.expected,
    cutFrom: profile.otherDimensions === 'any' ? profile.dimensions : undefined,
    size,
  });
  const sender = senderTo(provider, plan, reader, parts);

  return {
    model: spaceName(words, plan),
    description: `${words.name} ${words.model}${plan.expected === undefined ? '' : ` (${plan.expected} dimensions)`}`,
    unrelatedSimilarity: profile.unrelatedSimilarity,
    understandsMeaning: true,
    get returned() {
      return reader.returned;
    },
    embed: async (texts, purpose) => {
      const prefix = profile.prefixes?.[purpose] ?? '';
      const prepared = texts.map(text => cutText(prefix + text, limits.textCharacters));
      const vectors: Float32Array[] = [];
      for (const batch of batchesOf(prepared, limits))
        vectors.push(...(await embedBatch(sender, words, { texts: batch, purpose })));
      return vectors;
    },
    close: async () => sender.close(),
  };
}

/**
 * Returns the name of the vector space: provider, model and dimension. The address is left out, so that the vectors
 * remain valid when the server moves. A dimension that is known only from an answer is left out too, because such a
 * model has only one dimension.
 */
function spaceName({ name, model }: ProviderWords, { expected }: DimensionPlan): string {
  const space = `${name}:${model.replace(/:latest$/, '')}`;
  return expected === undefined ? space : `${space}:${expected}`;
}

function leastDimensions({ dimensions = 0, otherDimensions = [] }: ModelProfile): number {
  return Math.min(dimensions, ...(otherDimensions === 'any' ? [] : otherDimensions));
}

function senderTo(provider: RemoteProvider, plan: DimensionPlan, reader: VectorReader, parts: RemoteParts): Sender {
  return createSender(async sending => {
    const embeddings = await provider.request({ ...sending, dimensions: plan.requested });
    return reader.read(embeddings, sending.texts.length);
  }, parts);
}

/** @throws MemoryError as documented in `Embedder` */
async function embedBatch(
  sender: Sender,
  words: ProviderWords,
  { texts, purpose }: { texts: readonly string[]; purpose: EmbeddingPurpose },
): Promise<Float32Array[]> {
  try {
    return await embedFitting(texts, fitting => sender.send({ texts: fitting, purpose }));
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    // For a document, test whether its text is the cause. Otherwise an outage would use up the attempts of memories, or
    // a bad text would block all other memories forever. A question needs no test, because it is not queued.
    const isAboutTexts = error.isAmbiguous && purpose === 'document' && (await embedsAnything(sender));
    throw providerError(error, words, isAboutTexts);
  }
}

function embedsAnything(sender: Sender): Promise<boolean> {
  return sender.sendOnce({ texts: [HARMLESS_TEXT], purpose: 'document' }).then(
    () => true,
    () => false,
  );
}
