/** Uses OpenAI or a compatible server through the official SDK. */

import type { LanguageModelSettings } from '../domain/settings.js';
import OpenAI from '../packages/openai.js';
import { CUT_OFF, NO_TEXT, type Provider } from './ask.js';

const DEFAULT_MODEL = 'gpt-4o-mini';

export function createOpenAiProvider(settings: LanguageModelSettings): Provider {
  const { model, openai, timeoutMs, maxRetries } = settings;
  const { apiKey, baseUrl } = openai;
  const client = new OpenAI({
    apiKey: apiKey ?? '',
    baseURL: baseUrl ?? null,
    timeout: timeoutMs,
    maxRetries,
    // A redirect would send the key and the question to another address.
    fetchOptions: { redirect: 'manual' },
    // Switch off the log of the SDK, because it does not pass through Engraph's.
    logLevel: 'off',
  });
  const name = model ?? DEFAULT_MODEL;
  return {
    description: `openai ${name}`,
    keyVariable: 'OPENAI_API_KEY',
    addressVariable: 'OPENAI_BASE_URL',
    send: async ({ system, user, name: schemaName, schema, maxTokens }, signal) => {
      const completion = await client.chat.completions.create(
        {
          model: name,
          // Compatible servers support only `max_tokens`. OpenAI's newer models support only `max_completion_tokens`.
          ...(baseUrl === undefined ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens }),
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: user },
          ],
          response_format: { type: 'json_schema', json_schema: { name: schemaName, strict: true, schema } },
        },
        { signal },
      );
      const [choice] = completion.choices ?? [];
      if (choice?.finish_reason === 'length') throw CUT_OFF;
      const text = choice?.message?.content;
      if (!text) throw NO_TEXT;
      const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0 } = completion.usage ?? {};
      return { text, inputTokens, outputTokens };
    },
  };
}
