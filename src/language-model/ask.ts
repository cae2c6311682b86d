/** Asks any provider a question: counts the cost, limits the time, and turns every failure into a MemoryError. */
import { MemoryError } from '../domain/errors.js';
import { withoutSecrets } from '../domain/secrets.js';
import type { ModelUsage } from '../domain/status.js';
import type { Clock } from '../domain/time.js';
import { type ModelFailure, problemOf } from './failures.js';
import type { Question } from './questions.js';

/** A provider's answer to a question. */
export interface ModelAnswer {
  /** Text in JSON. */
  text: string;
  inputTokens: number;
  outputTokens: number;
}

export interface Provider {
  /** Provider and model, for people to read. */
  description: string;
  keyVariable: string;
  addressVariable: string;
  /** Sends a question, until the signal ends it. */
  send(question: Omit<Question<unknown>, 'read'>, signal: AbortSignal): Promise<ModelAnswer>;
}

/** The model has answered, but not as requested. Perhaps it cannot answer this one question. */
export class UnusableAnswer extends MemoryError {}

export interface Asker {
  readonly usage: Readonly<ModelUsage>;
  /**
   * @param limitMs limit for the whole answer, with all attempts
   * @throws MemoryError `unavailable` when there is no usable answer within the limit. Any user may read its message;
   * its cause has the words of the server, which only an operator may read
   */
  ask<Answer>(question: Question<Answer>, limitMs: number): Promise<Answer>;
  /** Ends the questions under way. */
  close(): void;
}

export function createAsker(provider: Provider, clock: Pick<Clock, 'schedule'>): Asker {
  const usage: ModelUsage = { requests: 0, failures: 0, inputTokens: 0, outputTokens: 0, lastError: null };
  const underWay = new Set<(failure: ModelFailure) => void>();

  const send = (question: Question<unknown>, limitMs: number): Promise<ModelAnswer> => {
    const { read: _, ...sent } = question;
    const abort = new AbortController();
    const sending = provider.send(sent, abort.signal);
    return new Promise((resolve, reject) => {
      const end = (failure: ModelFailure) => {
        // Reject first, because the abort makes the provider fail too, with a less precise error.
        reject(failure);
        abort.abort();
      };
      const cancel = clock.schedule(limitMs, () => end(lateAfter(limitMs)));
      underWay.add(end);
      sending.then(resolve, reject).finally(() => {
        cancel();
        underWay.delete(end);
      });
    });
  };

  return {
    usage,
    ask: async (question, limitMs) => {
      usage.requests += 1;
      try {
        const { text, inputTokens, outputTokens } = await send(question, limitMs);
        usage.inputTokens += inputTokens;
        usage.outputTokens += outputTokens;
        return question.read(JSON.parse(text));
      } catch (failure) {
        usage.failures += 1;
        const error = errorOf(failure, provider);
        usage.lastError = error.message;
        throw error;
      }
    },
    close: () => {
      for (const end of underWay) end({ problem: 'did not answer before the memory was closed' });
    },
  };
}

function errorOf(failure: unknown, provider: Provider): MemoryError {
  const { problem, serverMessage, hasAnswered } = problemOf(failure, provider);
  const message = `The language model ${provider.description} ${problem}`;
  const context = serverMessage === undefined ? {} : { cause: new Error(withoutSecrets(serverMessage)) };
  return hasAnswered
    ? new UnusableAnswer('unavailable', message, context)
    : new MemoryError('unavailable', message, context);
}

function lateAfter(limitMs: number): ModelFailure {
  return { problem: `did not answer within ${limitMs / 1000} seconds` };
}
