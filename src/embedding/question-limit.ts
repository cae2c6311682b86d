/** Lets nobody wait long for the vector of a question: a time limit, and a circuit breaker while the model is away. */
import { withCircuitBreaker } from '../circuit-breaker.js';
import { MemoryError } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';
import { withinLimit } from '../time-limit.js';
import type { WatchedEmbedder } from './embedder.js';
import { publicSummary } from './provider-errors.js';

/** An assistant waits for the answer: it gets one without vectors rather than one much later. */
const QUESTION_LIMIT_MS = 3_000;
/** Finds out whether a model that was away answers again. */
const HARMLESS_QUESTION = 'hello';

/**
 * The same embedder, whose questions fail with `unavailable` after QUESTION_LIMIT_MS, and from the first such failure on at
 * once, until the model has answered a question of ours. It passes documents on always: their queue has waits of its own.
 */
export function limitQuestions(embedder: WatchedEmbedder, clock: Clock): WatchedEmbedder {
  if (embedder.isImmediate) return embedder;
  const limit = { clock, limitMs: QUESTION_LIMIT_MS, late: tooLate };
  const ask = (texts: readonly string[]) => withinLimit(embedder.embed(texts, 'query'), limit);
  let failure: string | undefined;
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
      },
    },
  );
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
    embed: (texts, purpose) => (purpose === 'query' ? questions.ask(texts) : embedder.embed(texts, purpose)),
    close: () => questions.close(),
  };
}

function tooLate(): MemoryError {
  return new MemoryError('unavailable', `no vector of the question within ${QUESTION_LIMIT_MS / 1000} seconds`);
}
