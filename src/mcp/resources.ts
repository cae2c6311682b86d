/** Lists all resources and resource templates, and reads the resource at an address. */
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';
import { visible } from '../domain/visible-text.js';
import { ProtocolError } from './protocol-failure.js';
import { memoryById } from './resources/memory.js';
import type { ReadContext, ResourceTemplate } from './resources/resource.js';
import { startup } from './resources/startup.js';
import { memoriesByTag } from './resources/tag.js';
import { LISTED_VIEW } from './resources/view.js';

const MIME_TYPE = 'text/plain';
const RESOURCES = [startup];
/** The template with the longer prefix comes first, because the first template whose prefix matches is used. */
const TEMPLATES = [memoriesByTag, memoryById];

/** @param rendersViews whether the client shows MCP Apps; the list for other clients does not mention the view */
export function listResources(rendersViews: boolean): ListResourcesResult {
  const resources = RESOURCES.map(({ read: _read, ...listed }) => ({ ...listed, mimeType: MIME_TYPE }));
  return { resources: rendersViews ? [...resources, LISTED_VIEW] : resources };
}

export function listResourceTemplates(): ListResourceTemplatesResult {
  const resourceTemplates = TEMPLATES.map(template => {
    const { name, title, description } = template;
    return { uriTemplate: uriTemplateOf(template), name, title, description, mimeType: MIME_TYPE };
  });
  return { resourceTemplates };
}

/** @throws ProtocolError when the resource does not exist */
export async function readResource(uri: string, context: ReadContext): Promise<ReadResourceResult> {
  const text = await textOf(uri, context);
  if (text === undefined) throw ProtocolError.resourceNotFound(uri);
  return { contents: [{ uri, mimeType: MIME_TYPE, text: visible(text) }] };
}

/** Finds a resource template by its URI template and its parameter. Returns undefined when none matches. */
export function resourceTemplateOf(uriTemplate: string, argument: string): ResourceTemplate | undefined {
  return TEMPLATES.find(template => uriTemplateOf(template) === uriTemplate && template.parameter === argument);
}

function uriTemplateOf({ base, parameter }: ResourceTemplate): string {
  return `${base}{${parameter}}`;
}

async function textOf(uri: string, context: ReadContext): Promise<string | undefined> {
  const resource = RESOURCES.find(candidate => candidate.uri === uri);
  if (resource) return resource.read(context);
  const template = TEMPLATES.find(({ base }) => uri.startsWith(base));
  const value = template && decoded(uri.slice(template.base.length));
  return value === undefined ? undefined : template?.read(value, context);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
