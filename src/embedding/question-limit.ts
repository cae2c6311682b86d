/**
 * Limits the time to wait for the vector of a question, and sends no questions while the model does not answer. Embeds a
 * document once when two parts need its vector at about the same time: the answer to a write, and the worker.
 */
import { withCircuitBreaker } from '../circuit-breaker.js';
import { createRecent } from '../domain/collections.js';
import { MemoryError } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';
import { withinLimit } from '../time-limit.js';
import type { WatchedEmbedder } from './embedder.js';
import { publicSummary } from './provider-failure.js';

/**
 * Maximum wait for the vector of a question. An assistant is waiting, and an answer without vectors is better than a
 * much later answer.
 */
const QUESTION_LIMIT_MS = 3_000;
/** The question that tests whether a model answers again. */
const HARMLESS_QUESTION = 'hello';

/**
 * Limits the questions of an embedder, and shares its documents: a question without a vector after QUESTION_LIMIT_MS
 * fails with `unavailable`. After the first failure `unavailable`, all questions fail at once, until the model has
 * answered a test question or embedded a document. Documents are not limited: their queue has its own waits, and the
 * answer to a write waits only briefly.
 */
export function limitQuestions(embedder: WatchedEmbedder, clock: Clock): WatchedEmbedder {
  if (embedder.isImmediate) return embedder;
  const limit = { clock, limitMs: QUESTION_LIMIT_MS, late: tooLate };
  const ask = (texts: readonly string[]) => withinLimit(embedder.embed(texts, 'query'), limit);
  let failure: string | undefined;
  let hasEmbeddedSince = false;
  const questions = withCircuitBreaker(
    {
      description: embedder.description,
      ask,
      ping: () => ask([HARMLESS_QUESTION]).then(() => {}),
      close: () => embedder.close(),
    },
    {
      clock,
      onChange: ({ error }) => {
        failure = error && publicSummary(error);
        hasEmbeddedSince = false;
      },
    },
  );
  const askQuestion = async (texts: readonly string[]) => {
    if (failure === undefined || !hasEmbeddedSince) return questions.ask(texts);
    hasEmbeddedSince = false;
    const vectors = await ask(texts);
    hasEmbeddedSince = true;
    return vectors;
  };
  const embedDocuments = shareDocuments(async texts => {
    const vectors = await embedder.embed(texts, 'document');
    hasEmbeddedSince = true;
    return vectors;
  }, clock);
  const { model, description, unrelatedSimilarity, understandsMeaning, isImmediate, usage } = embedder;
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
      return failure ?? embedder.lastFailure;
    },
    embed: (texts, purpose) => (purpose === 'query' ? askQuestion(texts) : embedDocuments(texts)),
    close: () => questions.close(),
  };
}

function tooLate(): MemoryError {
  return new MemoryError('unavailable', `the question got no vector within ${QUESTION_LIMIT_MS / 1000} seconds`);
}

type EmbedTexts = (texts: readonly string[]) => Promise<Float32Array[]>;

/** Number of texts whose vectors are kept. */
const KEPT_MAX = 50;
/** A vector is shared for this time after it was requested, so that a call that hangs is not shared forever. */
const SHARED_MS = 3_000;

/** Shares vectors that are being made or were made just before. A failed text is embedded again by the next call. */
export function shareDocuments(embed: EmbedTexts, clock: Pick<Clock, 'schedule'>): EmbedTexts {
  const recent = createRecent<Promise<Float32Array>>(KEPT_MAX, () => 1);
  return texts => {
    const known = new Map(texts.map(text => [text, recent.get(text)]));
    const missing = [...known.keys()].filter(text => !known.get(text));
    const made = missing.length > 0 ? embed(missing) : Promise.resolve([]);
    for (const [index, text] of missing.entries()) {
      const vector = made.then(vectors => vectors[index] as Float32Array);
      vector.catch(() => recent.delete(text));
      recent.set(text, vector);
      clock.schedule(SHARED_MS, () => recent.delete(text));
      known.set(text, vector);
    }
    return Promise.all(texts.map(text => known.get(text) as Promise<Float32Array>));
  };
}
