/**
 * Chooses an embedder: the requested one, or else the first whose settings are present. Without either, chooses the
 * local model, or the hash embedder if the local model cannot be used. Loads the code of an embedder only when needed.
 * Counts the calls of the embedder, and records whether the last one failed, for health reports.
 */
import { MemoryError, messageOf } from '../domain/errors.js';
import type { EmbeddingUsage } from '../domain/reports.js';
import type { EmbeddingProvider, EmbeddingSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import type { Embedder, WatchedEmbedder } from './embedder.js';
import { publicSummary } from './provider-failure.js';

export interface EmbeddingParts {
  log: { info(message: string): void; warn(message: string): void };
  clock: Clock;
  /** Whether a local model is used only if its files are on disk. */
  neverDownloads?: boolean;
}

export interface ChosenEmbedder<Chosen extends Embedder = Embedder> {
  embedder: Chosen;
  /** The reason why this embedder was chosen, as a text for users. */
  reason: string;
}

type NamedProvider = Exclude<EmbeddingProvider, 'auto'>;

const LOADERS: Record<NamedProvider, (settings: EmbeddingSettings, parts: EmbeddingParts) => Promise<Embedder>> = {
  openai: async (settings, parts) => (await import('./openai.js')).createOpenAiEmbedder(settings, parts),
  voyage: async (settings, parts) => (await import('./http-providers.js')).createVoyageEmbedder(settings, parts),
  ollama: async (settings, parts) => (await import('./http-providers.js')).createOllamaEmbedder(settings, parts),
  local: async (settings, parts) => (await import('./local/local.js')).createLocalEmbedder(settings, parts),
  hash: async ({ dimensions }) => (await import('./hash.js')).createHashEmbedder(dimensions),
};

/** The settings that `auto` looks for, in this order. */
const SIGNS: readonly { provider: NamedProvider; sign: string; isGiven(settings: EmbeddingSettings): boolean }[] = [
  { provider: 'voyage', sign: 'VOYAGE_API_KEY is set', isGiven: ({ voyage }) => voyage.apiKey !== undefined },
  { provider: 'openai', sign: 'OPENAI_API_KEY is set', isGiven: ({ openai }) => openai.apiKey !== undefined },
  { provider: 'ollama', sign: 'OLLAMA_BASE_URL or OLLAMA_MODEL is set', isGiven: ({ ollama }) => ollama.isChosen },
];

/**
 * Creates the embedder that the settings request, and logs its name and the reason for the choice. The choice is final:
 * a provider that fails later is not replaced by another.
 *
 * @throws MemoryError `invalid` when the requested provider cannot work with its settings, for example when its key is
 * missing or its vectors are longer than VECTOR_SIZE
 */
export async function createEmbedder(
  settings: EmbeddingSettings,
  parts: EmbeddingParts,
): Promise<ChosenEmbedder<WatchedEmbedder>> {
  const { provider } = settings;
  const { embedder, reason } =
    provider === 'auto' ? await chooseBySigns(settings, parts) : await chooseNamed(provider, settings, parts);
  parts.log.info(`embeddings: ${embedder.description}, because ${reason}`);
  return { embedder: watchFailures(embedder), reason };
}

async function chooseNamed(
  provider: NamedProvider,
  settings: EmbeddingSettings,
  parts: EmbeddingParts,
): Promise<ChosenEmbedder> {
  const reason = `EMBEDDING_PROVIDER=${provider}`;
  if (provider === 'local' && parts.neverDownloads) return chooseWithoutProvider(settings, parts, [reason]);
  return { embedder: await LOADERS[provider](settings, parts), reason };
}

/**
 * Chooses the first provider whose settings are present. A provider that cannot work with its settings is skipped with
 * a warning, because its key may be set for another purpose.
 */
async function chooseBySigns(settings: EmbeddingSettings, parts: EmbeddingParts): Promise<ChosenEmbedder> {
  const passedOver: string[] = [];
  for (const { provider, sign, isGiven } of SIGNS) {
    if (!isGiven(settings)) continue;
    try {
      return { embedder: await LOADERS[provider](settings, parts), reason: [sign, ...passedOver].join('; ') };
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      passedOver.push(error.message);
      parts.log.warn(`embeddings: ${provider} is skipped: ${error.message}`);
    }
  }
  const none = passedOver.length === 0 ? ['no provider is set up'] : passedOver;
  return chooseWithoutProvider(settings, parts, none);
}

async function chooseWithoutProvider(
  settings: EmbeddingSettings,
  parts: EmbeddingParts,
  reasons: readonly string[],
): Promise<ChosenEmbedder> {
  const local = await tryLocal(settings, parts);
  const reason = [...reasons, `the local model ${settings.local.model}: ${local.reason}`].join('; ');
  return { embedder: local.embedder ?? (await LOADERS.hash(settings, parts)), reason };
}

async function tryLocal(
  settings: EmbeddingSettings,
  parts: EmbeddingParts,
): Promise<{ embedder?: Embedder; reason: string }> {
  try {
    const { findLocalModel } = await import('./local/local.js');
    const { state, reason } = await findLocalModel(settings.local, parts.neverDownloads);
    if (state === 'unavailable') return { reason };
    return { embedder: await LOADERS.local(settings, parts), reason };
  } catch (error) {
    // Catch every error, because the memory must start even if this machine cannot run a model.
    const reason = messageOf(error);
    parts.log.warn(`embeddings: the local model cannot be used: ${reason}`);
    return { reason };
  }
}

/** Adds `lastFailure` and `usage` to an embedder. */
function watchFailures(embedder: Embedder): WatchedEmbedder {
  const usage: EmbeddingUsage = { calls: 0, texts: 0, failures: 0 };
  let lastFailure: string | undefined;
  const { model, description, unrelatedSimilarity, understandsMeaning, isImmediate } = embedder;
  return {
    model,
    description,
    unrelatedSimilarity,
    understandsMeaning,
    isImmediate,
    usage,
    get returned() {
      return embedder.returned;
    },
    get lastFailure() {
      return lastFailure;
    },
    embed: async (texts, purpose) => {
      usage.calls += 1;
      usage.texts += texts.length;
      try {
        const vectors = await embedder.embed(texts, purpose);
        lastFailure = undefined;
        return vectors;
      } catch (error) {
        usage.failures += 1;
        const isAboutTexts = error instanceof MemoryError && error.code !== 'unavailable';
        lastFailure = isAboutTexts ? undefined : publicSummary(error);
        throw error;
      }
    },
    close: () => embedder.close(),
  };
}
