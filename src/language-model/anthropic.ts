/** Uses Claude through the official SDK. */

import type { LanguageModelSettings } from '../domain/settings.js';
import Anthropic from '../packages/anthropic.js';
import { CUT_OFF, NO_TEXT, type Provider } from './ask.js';

const DEFAULT_MODEL = 'claude-haiku-4-5';

export function createAnthropicProvider(settings: LanguageModelSettings): Provider {
  const { model, anthropic, timeoutMs, maxRetries } = settings;
  const { apiKey, baseUrl } = anthropic;
  const client = new Anthropic({
    apiKey: apiKey ?? null,
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
    description: `anthropic ${name}`,
    keyVariable: 'ANTHROPIC_API_KEY',
    addressVariable: 'ANTHROPIC_BASE_URL',
    send: async ({ system, user, schema, maxTokens }, signal) => {
      const message = await client.messages.create(
        {
          model: name,
          max_tokens: maxTokens,
          system,
          messages: [{ role: 'user', content: user }],
          output_config: { format: { type: 'json_schema', schema } },
        },
        { signal },
      );
      if (message.stop_reason === 'max_tokens') throw CUT_OFF;
      const block = message.content.find(each => each.type === 'text');
      if (block?.type !== 'text') throw NO_TEXT;
      return { text: block.text, inputTokens: message.usage.input_tokens, outputTokens: message.usage.output_tokens };
    },
  };
}
