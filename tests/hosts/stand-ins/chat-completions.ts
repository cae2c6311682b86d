/** The Chat Completions interface, which OpenCode calls through its provider for compatible services. */
import { contentTexts, type Dialect, events, type Json, objects } from './dialect.js';

export const CHAT_COMPLETIONS: Dialect = {
  accepts: path => path.endsWith('/chat/completions'),
  texts: ({ messages }) =>
    objects(messages).flatMap(({ role, content }) => contentTexts(content).map(text => ({ role: String(role), text }))),
  tools: ({ tools }) => objects(tools).map(tool => String((tool.function as Json | undefined)?.name)),
  answer: ({ model }, reply) => {
    const chunk = (rest: Json): { data: Json } => ({
      data: { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model, ...rest },
    });
    const delta =
      'text' in reply
        ? { role: 'assistant', content: reply.text }
        : { role: 'assistant', tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call(reply) }] };
    const reason = 'text' in reply ? 'stop' : 'tool_calls';
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const last = chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }], usage });
    return { isStream: true, body: events([chunk({ choices: [{ index: 0, delta }] }), last, { data: '[DONE]' }]) };
  },
};

function call({ tool, input }: { tool: string; input: Json }): Json {
  return { name: tool, arguments: JSON.stringify(input) };
}
