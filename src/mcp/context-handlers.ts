/** Answers requests about resources, prompts and completion. */
import type {
  CompleteRequest,
  CompleteResult,
  GetPromptRequest,
  GetPromptResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceRequest,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { EngraphClient } from '../client/client.js';
import type { Logger } from '../log.js';
import { explained, ProtocolError } from './failure.js';
import { createPrompts, getPrompt, listPrompts, TAGS_ARGUMENT } from './prompts.js';
import { listResources, listResourceTemplates, RecentlyShown, readResource, resourceTemplateOf } from './resources.js';
import { readView, VIEW_URI } from './view.js';

/** A handler that fails throws a ProtocolError or rejects with one. The client may see the message of the error. */
export interface ContextHandlers {
  /** @param rendersViews whether the client shows MCP Apps */
  listResources(rendersViews: boolean): ListResourcesResult;
  listResourceTemplates(): ListResourceTemplatesResult;
  readResource(params: ReadResourceRequest['params']): Promise<ReadResourceResult>;
  listPrompts(): ListPromptsResult;
  getPrompt(params: GetPromptRequest['params']): Promise<GetPromptResult>;
  complete(params: CompleteRequest['params']): CompleteResult;
}

export interface ContextParts {
  memory: EngraphClient;
  log: Logger;
  isReadOnly: boolean;
}

export function createContextHandlers({ memory, log, isReadOnly }: ContextParts): ContextHandlers {
  const context = { memory, shown: new RecentlyShown() };
  const prompts = createPrompts(isReadOnly);
  const promptNamed = (name: string) => {
    const prompt = prompts.find(candidate => candidate.name === name);
    if (!prompt) throw ProtocolError.invalidParams(`The prompt '${name}' does not exist`);
    return prompt;
  };
  const completions = ({ ref, argument: { name, value } }: CompleteRequest['params']): string[] => {
    if (ref.type === 'ref/resource') return resourceTemplateOf(ref.uri, name)?.complete(value, context.shown) ?? [];
    promptNamed(ref.name);
    return name === TAGS_ARGUMENT.name ? context.shown.tagsFrom(value) : [];
  };
  return {
    listResources,
    listResourceTemplates,
    readResource: ({ uri }) =>
      explained('a resource', log, () => (uri === VIEW_URI ? readView(isReadOnly) : readResource(uri, context))),
    listPrompts: () => listPrompts(prompts),
    getPrompt: ({ name, arguments: args = {} }) =>
      explained(`prompt ${name}`, log, async () => getPrompt(promptNamed(name), args, context)),
    complete: params => {
      const values = completions(params);
      return { completion: { values, total: values.length, hasMore: false } };
    },
  };
}
