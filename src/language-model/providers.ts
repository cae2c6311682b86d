/** Chooses the language model, and reports why. */
import { MemoryError } from '../domain/errors.js';
import type { LanguageModelSettings } from '../domain/settings.js';
import type { LanguageModel } from './language-model.js';

export interface ChosenModel {
  /** Undefined when no model is set up. Types are then found only by patterns, and no model writes summaries. */
  model: LanguageModel | undefined;
  /** Why this model was chosen, for people to read. */
  reason: string;
}

/** @throws MemoryError `invalid` when the key of the requested provider is missing */
export async function chooseLanguageModel(settings: LanguageModelSettings): Promise<ChosenModel> {
  const { provider, anthropic, openai } = settings;
  if (provider === 'anthropic') return useAnthropic(settings, 'LLM_PROVIDER is anthropic');
  if (provider === 'openai') return useOpenAi(settings, 'LLM_PROVIDER is openai');
  if (provider === 'none') return { model: undefined, reason: 'LLM_PROVIDER is none' };
  if (anthropic.apiKey) return useAnthropic(settings, 'ANTHROPIC_API_KEY is set');
  if (openai.apiKey) return useOpenAi(settings, 'OPENAI_API_KEY is set');
  return { model: undefined, reason: 'no key of a language model is set' };
}

async function useAnthropic(settings: LanguageModelSettings, reason: string): Promise<ChosenModel> {
  if (!settings.anthropic.apiKey) throw missingKey(reason, 'ANTHROPIC_API_KEY');
  const { createAnthropicModel } = await import('./anthropic.js');
  return { model: createAnthropicModel(settings), reason };
}

async function useOpenAi(settings: LanguageModelSettings, reason: string): Promise<ChosenModel> {
  if (!settings.openai.apiKey) throw missingKey(reason, 'OPENAI_API_KEY');
  const { createOpenAiModel } = await import('./openai.js');
  return { model: createOpenAiModel(settings), reason };
}

function missingKey(reason: string, variable: string): MemoryError {
  return new MemoryError('invalid', `${reason}, but ${variable} is not set`, {
    hint: `Set ${variable}, or LLM_PROVIDER=none.`,
  });
}
