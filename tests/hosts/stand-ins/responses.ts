/** The Responses interface of OpenAI, which Codex calls. */
import { contentTexts, type Dialect, events, type Json, objects, type Reply } from './dialect.js';

export const RESPONSES: Dialect = {
  accepts: path => path.endsWith('/responses'),
  texts: ({ instructions, input }) => [
    ...contentTexts(instructions).map(text => ({ role: 'instructions', text })),
    ...objects(input).flatMap(({ role, content, output }) => [
      ...contentTexts(content).map(text => ({ role: String(role), text })),
      ...contentTexts(output).map(text => ({ role: 'tool', text })),
    ]),
  ],
  tools: ({ tools }) => objects(tools).flatMap(namesIn),
  answer: ({ tools }, reply) => {
    const item = itemOf(objects(tools), reply);
    const list: [string, Json][] = [
      ['response.created', { response: { id: 'resp_1' } }],
      ['response.output_item.done', { item }],
      ['response.completed', { response: { id: 'resp_1', usage: USAGE } }],
    ];
    return { isStream: true, body: events(list.map(([event, data]) => ({ event, data: { type: event, ...data } }))) };
  },
};

const USAGE = {
  input_tokens: 10,
  input_tokens_details: null,
  output_tokens: 5,
  output_tokens_details: null,
  total_tokens: 15,
};

/** Tools of an MCP server stand together in a namespace. */
function namesIn({ name, tools }: Json): string[] {
  return tools === undefined ? [String(name)] : objects(tools).map(tool => String(tool.name));
}

function itemOf(tools: Json[], reply: Reply): Json {
  if ('text' in reply) {
    const content = [{ type: 'output_text', text: reply.text }];
    return { type: 'message', id: 'msg_1', role: 'assistant', content };
  }
  const namespace = tools.find(tool => tool.tools !== undefined && namesIn(tool).includes(reply.tool))?.name;
  return {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: reply.tool,
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(reply.input),
  };
}
