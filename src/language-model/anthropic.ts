/** Uses Claude through the official SDK. */

import type { LanguageModelSettings } from '../domain/settings.js';
import Anthropic from '../packages/anthropic.js';
import { createLanguageModel } from './ask.js';
import type { LanguageModel } from './language-model.js';

const DEFAULT_MODEL = 'claude-haiku-4-5';

export function createAnthropicModel({
  model,
  anthropic,
  timeoutMs,
  maxRetries,
}: LanguageModelSettings): LanguageModel {
  const { apiKey, baseUrl } = anthropic;
  const client = new Anthropic({ apiKey: apiKey ?? null, baseURL: baseUrl ?? null, timeout: timeoutMs, maxRetries });
  const name = model ?? DEFAULT_MODEL;
  return createLanguageModel(`anthropic ${name}`, async ({ system, user, schema, maxTokens }) => {
    const message = await client.messages.create({
      model: name,
      max_tokens: maxTokens,
      system,
      messages: [{ role: 'user', content: user }],
      output_config: { format: { type: 'json_schema', schema } },
    });
    if (message.stop_reason === 'max_tokens') throw new Error('its answer was cut off');
    const block = message.content.find(each => each.type === 'text');
    if (block?.type !== 'text') throw new Error(`it returned no text (${message.stop_reason})`);
    return { text: block.text, inputTokens: message.usage.input_tokens, outputTokens: message.usage.output_tokens };
  });
}
