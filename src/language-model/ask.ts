/** Asks any provider a question: counts the cost, and turns every failure into a MemoryError `unavailable`. */
import { MemoryError } from '../domain/errors.js';
import type { ModelUsage } from '../domain/status.js';
import type { LanguageModel } from './language-model.js';
import { groupQuestion, type Question, summaryQuestion, typeQuestion } from './questions.js';

/** A provider's answer to a question. */
export interface ModelAnswer {
  /** Text in JSON. */
  text: string;
  inputTokens: number;
  outputTokens: number;
}

export type Transport = (question: Omit<Question<unknown>, 'read'>) => Promise<ModelAnswer>;

export function createLanguageModel(description: string, transport: Transport): LanguageModel {
  const usage: ModelUsage = { requests: 0, failures: 0, inputTokens: 0, outputTokens: 0, lastError: null };

  const ask = async <Answer>({ read, ...question }: Question<Answer>): Promise<Answer> => {
    usage.requests += 1;
    try {
      const { text, inputTokens, outputTokens } = await transport(question);
      usage.inputTokens += inputTokens;
      usage.outputTokens += outputTokens;
      return read(JSON.parse(text));
    } catch (cause) {
      usage.failures += 1;
      usage.lastError = sentenceOf(cause);
      throw new MemoryError('unavailable', `The language model ${description} failed: ${usage.lastError}`, { cause });
    }
  };

  return {
    description,
    usage,
    classify: content => ask(typeQuestion(content)),
    summarise: (content, targetLength) => ask(summaryQuestion(content, targetLength)),
    describeGroup: (texts, targetLength) => ask(groupQuestion(texts, targetLength)),
  };
}

/**
 * Replaces the message of an unreadable answer by a fixed text, and shortens any other message to its first line,
 * because the errors of validation and of web servers can be pages long.
 */
function sentenceOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const isUnreadable = cause instanceof SyntaxError || (cause instanceof Error && cause.name === 'ZodError');
  return isUnreadable ? 'its answer did not have the requested shape' : (message.split('\n')[0] ?? '').slice(0, 200);
}
