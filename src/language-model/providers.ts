/** Chooses the language model, and reports why. */
import { MemoryError } from '../domain/errors.js';
import type { LanguageModelSettings } from '../domain/settings.js';
import type { Provider } from './ask.js';
import { type GuardParts, guardModel } from './guard.js';
import type { LanguageModel } from './language-model.js';

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
