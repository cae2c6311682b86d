/** Limits the time to wait for the language model, and asks it nothing while it does not answer. */
import { withCircuitBreaker } from '../circuit-breaker.js';
import { MemoryError, messageOf } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';
import { type Asker, createAsker, type Provider, UnusableAnswer } from './ask.js';
import type { LanguageModel } from './language-model.js';
import { groupQuestion, type Question, summaryQuestion, typeQuestion } from './questions.js';

export interface GuardParts {
  clock: Clock;
  /** Limit for an answer that nobody waits for. */
  timeoutMs: number;
  log: { info(message: string): void; warn(message: string, details?: unknown): void };
  /** Called when the model answers again. */
  onRecovery(): void;
}

/** Maximum wait for a model while a caller waits. */
const REQUEST_LIMIT_MS = 3_000;
/** A model is tested less often than a store, because the tests count against the limits of an account. */
const TESTS = { firstMs: 1_000, maxMs: 60_000 };
/** Tests whether a model answers again. What it answers does not matter. */
const TEST_QUESTION = { ...typeQuestion('hello'), read: () => undefined };

/**
 * After a failure, all questions fail at once until the model has answered a test question. What callers wait for and
 * what nobody waits for have a circuit each, because a slow model is still good enough for the latter.
 */
export function guardModel(provider: Provider, parts: GuardParts): LanguageModel {
  const asker = createAsker(provider, parts.clock);
  const { description } = provider;
  const waitedFor = circuitOf(asker, { ...parts, description, limitMs: Math.min(REQUEST_LIMIT_MS, parts.timeoutMs) });
  const background = circuitOf(asker, { ...parts, description, limitMs: parts.timeoutMs });
  return {
    description,
    usage: asker.usage,
    get lastFailure() {
      return waitedFor.failure() ?? background.failure();
    },
    classify: content => background.ask(typeQuestion(content)).catch(throwAsFinal),
    summarise: (content, targetLength) => waitedFor.ask(summaryQuestion(content, targetLength)),
    describeGroup: (texts, targetLength) => background.ask(groupQuestion(texts, targetLength)),
    close: async () => {
      await Promise.all([waitedFor.close(), background.close()]);
      asker.close();
    },
  };
}

/** Another attempt with the same text would not help, so the failure is not `unavailable`. */
function throwAsFinal(error: unknown): never {
  if (!(error instanceof UnusableAnswer)) throw error;
  throw new MemoryError('invalid', error.message, { cause: error.cause });
}

interface CircuitParts extends GuardParts {
  description: string;
  limitMs: number;
}

function circuitOf(asker: Asker, { clock, log, onRecovery, description, limitMs }: CircuitParts) {
  let failure: string | undefined;
  const circuit = withCircuitBreaker(
    {
      description,
      ask: <Answer>(question: Question<Answer>) => asker.ask(question, limitMs),
      ping: () => asker.ask(TEST_QUESTION, limitMs),
      close: async () => {},
    },
    {
      clock,
      pings: TESTS,
      onChange: ({ error }) => {
        failure = error?.message;
        if (!error) {
          log.info(`the language model ${description} answers again`);
          return onRecovery();
        }
        log.warn(
          `${error.message}; until it answers a test, texts stay as they are`,
          error.cause === undefined ? undefined : messageOf(error.cause),
        );
      },
    },
  );
  return { ask: circuit.ask, close: () => circuit.close(), failure: () => failure };
}
