/**
 * Binds tools, resources and prompts to the MCP SDK. Creating a server costs little, so every connection gets its own
 * server.
 */
import type { ProgressNotification, ProgressToken } from '@modelcontextprotocol/sdk/types.js';
import type { ContentTiers } from '../domain/settings.js';
import {
  AjvJsonSchemaValidator,
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  Server,
} from '../packages/mcp-sdk.js';
import type { McpHandlers } from './handlers.js';
import { instructions, READ_ONLY_INSTRUCTIONS } from './instructions.js';
import { rendersViews } from './renders-views.js';
import { createProjectFinder } from './session-project.js';
import type { ProgressReporter } from './tool.js';

export interface McpServerParts {
  version: string;
  content: ContentTiers;
  /** Selects READ_ONLY_INSTRUCTIONS, which tell the model that it cannot store memories. */
  isReadOnly?: boolean;
  /** Folder in which the client has started this process. */
  workingFolder?: string | undefined;
  /**
   * Called on the first request that needs the handlers, so that `initialize` is answered before the handlers are
   * loaded.
   */
  handlers(): Promise<McpHandlers>;
}

/** Creating a validator takes longer than creating a server, so all servers share one. */
const schemaValidator = new AjvJsonSchemaValidator();

/**
 * Creates a server. Closing the server does not close the handlers. This function uses the low-level `Server` of the
 * SDK, because `McpServer` validates arguments itself, and its errors name neither the field nor the expected value.
 */
export function createMcpServer({
  version,
  content,
  isReadOnly = false,
  workingFolder,
  handlers,
}: McpServerParts): Server {
  const server = new Server(
    { name: 'engraph', title: 'Engraph', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
      instructions: isReadOnly ? READ_ONLY_INSTRUCTIONS : instructions(content),
      jsonSchemaValidator: schemaValidator,
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () =>
    (await handlers()).listTools(rendersViews(server.getClientCapabilities())),
  );
  const findProject = createProjectFinder(server, workingFolder);
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, { signal, sessionId, requestId, sendNotification }) => {
      const reportProgress = progressReporter(params._meta?.progressToken, sendNotification);
      const caller = { ...(reportProgress && { reportProgress }), findProject: () => findProject(requestId) };
      const result = await (await handlers()).callTool(params, signal, caller);
      if (result.isError) await warnOf(server, params.name, sessionId);
      return result;
    },
  );
  addContext(server, handlers);
  return server;
}

type Send = (notification: ProgressNotification) => Promise<void>;

function progressReporter(progressToken: ProgressToken | undefined, send: Send): ProgressReporter | undefined {
  if (progressToken === undefined) return undefined;
  return (progress, total) => send({ method: 'notifications/progress', params: { progressToken, progress, total } });
}

/** People see this message in the log of their client. The result of the call contains the error itself. */
async function warnOf(server: Server, toolName: string, sessionId: string | undefined): Promise<void> {
  const data = `The tool ${toolName} answered with an error`;
  await server.sendLoggingMessage({ level: 'warning', logger: 'engraph', data }, sessionId);
}

function addContext(server: Server, handlers: McpServerParts['handlers']): void {
  server.setRequestHandler(ListResourcesRequestSchema, async () =>
    (await handlers()).listResources(rendersViews(server.getClientCapabilities())),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => (await handlers()).listResourceTemplates());
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => (await handlers()).readResource(params));
  server.setRequestHandler(ListPromptsRequestSchema, async () => (await handlers()).listPrompts());
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => (await handlers()).getPrompt(params));
  server.setRequestHandler(CompleteRequestSchema, async ({ params }) => (await handlers()).complete(params));
}
