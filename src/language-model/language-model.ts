/**
 * Chooses the language model, limits the time to wait for it, and asks it nothing while it does not answer. The model is
 * told to read texts as data. An instruction within a text can change only the answer to a question that contains the
 * text.
 */
import { withCircuitBreaker } from '../circuit-breaker.js';
import { MemoryError, messageOf } from '../domain/errors.js';
import type { MemoryType } from '../domain/memory.js';
import type { ModelUsage } from '../domain/reports.js';
import type { LanguageModelSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';
import {
  type Asker,
  createAsker,
  groupQuestion,
  type Provider,
  type Question,
  summaryQuestion,
  typeQuestion,
  UnusableAnswer,
} from './ask.js';

export interface TypeJudgement {
  type: MemoryType;
  /** 0..1 */
  confidence: number;
}

export interface DatedText {
  /** Date in ISO 8601. */
  date: string;
  text: string;
}

export interface LanguageModel {
  /** Provider and model, for people to read. */
  readonly description: string;
  readonly usage: Readonly<ModelUsage>;
  /** Why the model is not asked at present, as a text that any user may read. Undefined while it answers. */
  readonly lastFailure: string | undefined;
  /** @throws MemoryError `unavailable` when the model cannot be reached, `invalid` when its answer cannot be used */
  classify(content: string): Promise<TypeJudgement>;
  /**
   * Shortens a text to about `targetLength` characters. A caller waits, so this takes at most three seconds, and no time
   * while the model does not answer.
   *
   * @throws MemoryError `unavailable` when the model cannot be reached or its answer cannot be used
   */
  summarise(content: string, targetLength: number): Promise<string>;
  /**
   * Describes the common subject of texts in one or two sentences of about `targetLength` characters.
   *
   * @throws MemoryError `unavailable`, like `summarise`
   */
  describeGroup(texts: readonly DatedText[], targetLength: number): Promise<string>;
  /** Ends the questions under way. Later questions fail. A second call has no effect. */
  close(): Promise<void>;
}

interface GuardParts {
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
function guardModel(provider: Provider, parts: GuardParts): LanguageModel {
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

export interface ChosenModel {
  /** Undefined when no model is set up. Types are then found only by patterns, and no model writes summaries. */
  model: LanguageModel | undefined;
  /** Why this model was chosen, for people to read. */
  reason: string;
}

/** @throws MemoryError `invalid` when the key of the requested provider is missing */
export async function chooseLanguageModel(
  settings: LanguageModelSettings,
  parts: Omit<GuardParts, 'timeoutMs'>,
): Promise<ChosenModel> {
  const { provider, reason } = await chooseProvider(settings);
  return { model: provider && guardModel(provider, { ...parts, timeoutMs: settings.timeoutMs }), reason };
}

async function chooseProvider(
  settings: LanguageModelSettings,
): Promise<{ provider: Provider | undefined; reason: string }> {
  const { provider, anthropic, openai } = settings;
  if (provider === 'anthropic') return useAnthropic(settings, 'LLM_PROVIDER is anthropic');
  if (provider === 'openai') return useOpenAi(settings, 'LLM_PROVIDER is openai');
  if (provider === 'none') return { provider: undefined, reason: 'LLM_PROVIDER is none' };
  if (anthropic.apiKey) return useAnthropic(settings, 'ANTHROPIC_API_KEY is set');
  if (openai.apiKey) return useOpenAi(settings, 'OPENAI_API_KEY is set');
  return { provider: undefined, reason: 'no key of a language model is set' };
}

async function useAnthropic(settings: LanguageModelSettings, reason: string) {
  if (!settings.anthropic.apiKey) throw missingKey(reason, 'ANTHROPIC_API_KEY');
  const { createAnthropicProvider } = await import('./anthropic.js');
  return { provider: createAnthropicProvider(settings), reason };
}

async function useOpenAi(settings: LanguageModelSettings, reason: string) {
  if (!settings.openai.apiKey) throw missingKey(reason, 'OPENAI_API_KEY');
  const { createOpenAiProvider } = await import('./openai.js');
  return { provider: createOpenAiProvider(settings), reason };
}

function missingKey(reason: string, variable: string): MemoryError {
  return new MemoryError('invalid', `${reason}, but ${variable} is not set`, {
    hint: `Set ${variable}, or LLM_PROVIDER=none.`,
  });
}
