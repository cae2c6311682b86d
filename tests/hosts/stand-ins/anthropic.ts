/** The Messages interface, which Claude Code calls. */
import { contentTexts, type Dialect, events, type Json, objects, type Reply } from './dialect.js';

export const ANTHROPIC: Dialect = {
  accepts: path => path.endsWith('/v1/messages'),
  texts: ({ system, messages }) => [
    ...contentTexts(system).map(text => ({ role: 'system', text })),
    ...objects(messages).flatMap(({ role, content }) => {
      if (typeof content === 'string') return [{ role: String(role), text: content }];
      return objects(content).flatMap(part =>
        contentTexts([part]).map(text => ({ role: part.type === 'tool_result' ? 'tool' : String(role), text })),
      );
    }),
  ],
  tools: ({ tools }) => objects(tools).map(({ name }) => String(name)),
  answer: ({ model, stream }, reply) =>
    stream === true
      ? { isStream: true, body: streamed(model, reply) }
      : {
          isStream: false,
          body: JSON.stringify({ ...message(model), content: [block(reply)], stop_reason: 'end_turn' }),
        },
};

const USAGE = { input_tokens: 10, output_tokens: 5 };

function message(model: unknown): Json {
  return { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_sequence: null, usage: USAGE };
}

function block(reply: Reply): Json {
  if ('text' in reply) return { type: 'text', text: reply.text };
  return { type: 'tool_use', id: 'toolu_1', name: reply.tool, input: reply.input };
}

function streamed(model: unknown, reply: Reply): string {
  const isText = 'text' in reply;
  const start = isText ? { type: 'text', text: '' } : { ...block(reply), input: {} };
  const delta = isText
    ? { type: 'text_delta', text: reply.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(reply.input) };
  const stop = { stop_reason: isText ? 'end_turn' : 'tool_use', stop_sequence: null };
  const list: [string, Json][] = [
    ['message_start', { message: { ...message(model), stop_reason: null } }],
    ['content_block_start', { index: 0, content_block: start }],
    ['content_block_delta', { index: 0, delta }],
    ['content_block_stop', { index: 0 }],
    ['message_delta', { delta: stop, usage: { output_tokens: 5 } }],
    ['message_stop', {}],
  ];
  return events(list.map(([event, data]) => ({ event, data: { type: event, ...data } })));
}
