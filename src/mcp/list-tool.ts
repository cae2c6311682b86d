/** Converts a tool to the form that clients list. */
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { jsonSchemaOf } from '../api/json-schema.js';
import type { Tool } from './tool.js';

export function listTool({ name, title, description, annotations, alwaysLoad, input, output }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: { ...jsonSchemaOf(input, 'input'), type: 'object' },
    outputSchema: { ...jsonSchemaOf(output, 'output'), type: 'object' },
    ...(alwaysLoad && { _meta: { 'anthropic/alwaysLoad': true } }),
  };
}
