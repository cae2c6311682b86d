/** Uses OpenAI or a compatible server through the official SDK. */

import type { LanguageModelSettings } from '../domain/settings.js';
import OpenAI from '../packages/openai.js';
import { createLanguageModel } from './ask.js';
import type { LanguageModel } from './language-model.js';

const DEFAULT_MODEL = 'gpt-4o-mini';

export function createOpenAiModel({ model, openai, timeoutMs, maxRetries }: LanguageModelSettings): LanguageModel {
  const { apiKey, baseUrl } = openai;
  const client = new OpenAI({ apiKey: apiKey ?? '', baseURL: baseUrl ?? null, timeout: timeoutMs, maxRetries });
  const name = model ?? DEFAULT_MODEL;
  return createLanguageModel(`openai ${name}`, async ({ system, user, name: schemaName, schema, maxTokens }) => {
    const completion = await client.chat.completions.create({
      model: name,
      // Compatible servers support only `max_tokens`. OpenAI's newer models support only `max_completion_tokens`.
      ...(baseUrl === undefined ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      response_format: { type: 'json_schema', json_schema: { name: schemaName, strict: true, schema } },
    });
    const [choice] = completion.choices ?? [];
    if (choice?.finish_reason === 'length') throw new Error('its answer was cut off');
    const text = choice?.message?.content;
    if (!text) throw new Error(choice?.message?.refusal ?? 'it returned no text');
    const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0 } = completion.usage ?? {};
    return { text, inputTokens, outputTokens };
  });
}
