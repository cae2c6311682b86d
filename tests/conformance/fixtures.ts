/** A server with every tool, resource and prompt that the official conformance suite uses by name. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CompleteRequestSchema,
  type ContentBlock,
  CreateMessageResultSchema,
  type ElicitRequestFormParams,
  ElicitResultSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  type Prompt,
  type PromptMessage,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Arguments = Record<string, unknown>;

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A sound of length zero. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (said: string): ContentBlock => ({ type: 'text', text: said });
const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, said: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: said },
});
/** Waits after a message, because the suite checks that messages arrive during a call. */
const pause = () => new Promise<void>(resolve => void setTimeout(resolve, 50));

const TOOLS: Record<string, (args: Arguments, extra: Extra) => Promise<ContentBlock[]>> = {
  test_simple_text: async () => [text('This is a simple text response for testing.')],
  test_image_content: async () => [image],
  test_audio_content: async () => [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: async () => [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: async () => [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_tool_with_logging: async (_, { sendNotification }) => {
    const log = (data: string) =>
      sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
    await log('Tool execution started');
    await pause();
    await log('Tool processing data');
    await pause();
    await log('Tool execution completed');
    return [text('Tool with logging executed')];
  },
  test_error_handling: async () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_tool_with_progress: async (_, { _meta, sendNotification }) => {
    for (const progress of [0, 50, 100]) {
      if (progress > 0) await pause();
      const progressToken = _meta?.progressToken;
      if (progressToken === undefined) continue;
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    }
    return [text('Tool with progress executed')];
  },
  test_sampling: async ({ prompt }, { sendRequest }) => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: String(prompt) } }];
    const request = { method: 'sampling/createMessage' as const, params: { messages, maxTokens: 100 } };
    const { content } = await sendRequest(request, CreateMessageResultSchema);
    return [text(`LLM response: ${'text' in content ? content.text : JSON.stringify(content)}`)];
  },
  test_elicitation: async ({ message }, extra) => {
    const properties = {
      username: { type: 'string' as const, description: "User's response" },
      email: { type: 'string' as const, description: "User's email address" },
    };
    const required = ['username', 'email'];
    return [text(`User response: ${await elicit(extra, String(message), { properties, required })}`)];
  },
  test_elicitation_sep1034_defaults: async (_, extra) => {
    const answer = await elicit(extra, 'Please review the defaults', {
      properties: {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
    });
    return [text(`Elicitation completed: ${answer}`)];
  },
  test_elicitation_sep1330_enums: async (_, extra) => {
    const titled = (value: string, name: string) =>
      ['First', 'Second', 'Third'].map((nth, index) => ({ const: `${value}${index + 1}`, title: `${nth} ${name}` }));
    const options = ['option1', 'option2', 'option3'];
    const answer = await elicit(extra, 'Please choose', {
      properties: {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled('value', 'Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: titled('value', 'Choice') } },
      },
    });
    return [text(`Elicitation completed: ${answer}`)];
  },
};

type Form = Omit<ElicitRequestFormParams['requestedSchema'], 'type'>;

async function elicit({ sendRequest }: Extra, message: string, form: Form): Promise<string> {
  const params = { mode: 'form' as const, message, requestedSchema: { type: 'object' as const, ...form } };
  const { action, content } = await sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema);
  return `action=${action}, content=${JSON.stringify(content ?? {})}`;
}

const RESOURCES: Record<string, { mimeType: string; text: string } | { mimeType: string; blob: string }> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched resource content' },
};
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

function readResource(uri: string) {
  const id = TEMPLATE.exec(uri)?.[1];
  const found =
    id === undefined
      ? RESOURCES[uri]
      : {
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        };
  if (!found) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}`, { uri });
  return { contents: [{ uri, ...found }] };
}

const argument = (name: string) => ({ name, description: `Argument ${name}`, required: true });
const PROMPTS: Record<string, { arguments: NonNullable<Prompt['arguments']>; get(args: Arguments): ContentBlock[] }> = {
  test_simple_prompt: { arguments: [], get: () => [text('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    arguments: [argument('arg1'), argument('arg2')],
    get: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: [argument('resourceUri')],
    get: ({ resourceUri }) => [
      embedded(String(resourceUri), 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: { arguments: [], get: () => [image, text('Please analyze the image above.')] },
};

async function callTool(name: string, args: Arguments, extra: Extra): Promise<CallToolResult> {
  const tool = TOOLS[name];
  if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}`);
  try {
    return { content: await tool(args, extra) };
  } catch (error) {
    return { isError: true, content: [text(error instanceof Error ? error.message : String(error))] };
  }
}

export function createFixtureServer(): Server {
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} };
  const server = new Server({ name: 'conformance-fixtures', version: '0' }, { capabilities });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(TOOLS).map(name => ({ name, description: `Fixture ${name}`, inputSchema: { type: 'object' } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    callTool(params.name, params.arguments ?? {}, extra),
  );
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({
      uri,
      name: uri,
      description: `Fixture ${uri}`,
      mimeType,
    })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'template', description: 'Fixture template' },
    ],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readResource(params.uri));
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: Object.entries(PROMPTS).map(([name, prompt]) => ({
      name,
      description: `Fixture ${name}`,
      arguments: prompt.arguments,
    })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = PROMPTS[params.name];
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${params.name}`);
    const messages = prompt.get(params.arguments ?? {}).map((content): PromptMessage => ({ role: 'user', content }));
    return { messages };
  });
  server.setRequestHandler(CompleteRequestSchema, ({ params }) => {
    const values = ['paris', 'park', 'party'].filter(value => value.startsWith(params.argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
  return server;
}
