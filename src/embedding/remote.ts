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

interface RequestLimits {
  /** Maximum number of texts in one request. */
  texts: number;
  /** Maximum number of characters of all texts in one request. */
  characters: number;
  /** Maximum number of characters of one text. The rest of a longer text is cut off. */
  textCharacters: number;
}

/**
 * Converts limits in tokens, which providers count, to characters. A token of a common language has about four
 * characters, so few texts within a token limit are cut. A text with shorter tokens may still have too many tokens.
 * `embedFitting` halves such a text when the model refuses it.
 */
export const CHARACTERS_PER_TOKEN = 4;
/**
 * Characters per token for all texts of a request together. The value is cautious, because a request over the limit
 * costs two more requests.
 */
export const CHARACTERS_PER_TOKEN_CAREFUL = 2;

/** If the model refuses a text shorter than this, the text is not cut, because its length cannot be the cause. */
const TEXT_MIN_CHARACTERS = 200;

/**
 * Returns the beginning of a text. If the cut splits a surrogate pair, the remaining half is removed. Other unpaired
 * halves are replaced.
 */
function cutText(text: string, characters: number): string {
  const cut = text.slice(0, characters);
  return (text.length > characters ? cut.replace(/[\uD800-\uDBFF]$/, '') : cut).toWellFormed();
}

/** Splits texts, in order, into as few requests as the limits allow. */
function batchesOf(texts: readonly string[], limits: RequestLimits): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last && last.length < limits.texts && characters + text.length <= limits.characters) {
      last.push(text);
      characters += text.length;
    } else {
      batches.push([text]);
      characters = text.length;
    }
  }
  return batches;
}

/**
 * Embeds texts, in order. When the model refuses a batch as too long, the batch is split in two. When the model refuses
 * a single text, the text is cut in half until it fits. A text that fits alone is never cut, because only single texts
 * are cut.
 *
 * @throws the error of `send` for any other failure, or when a text shorter than TEXT_MIN_CHARACTERS is refused
 */
async function embedFitting(
  texts: readonly string[],
  send: (texts: readonly string[]) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  try {
    return await send(texts);
  } catch (error) {
    if (!(error instanceof ProviderFailure && error.kind === 'too long')) throw error;
    const [text = ''] = texts;
    if (texts.length > 1) {
      const middle = Math.ceil(texts.length / 2);
      const first = await embedFitting(texts.slice(0, middle), send);
      return [...first, ...(await embedFitting(texts.slice(middle), send))];
    }
    if (text.length < TEXT_MIN_CHARACTERS) throw error;
    return embedFitting([cutText(text, Math.floor(text.length / 2))], send);
  }
}
