/** Converts a tool to the form that clients list. */
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { jsonSchemaOf } from '../api/json-schema.js';
import { TOOL_VIEW } from './resources/view.js';
import type { Tool } from './tool.js';

/** @param rendersViews whether the client shows MCP Apps; the list for other clients does not mention the view */
export function listTool(tool: Tool, rendersViews: boolean): ListedTool {
  const { name, title, description, annotations, alwaysLoad, hasView, input, output } = tool;
  const meta = {
    ...(alwaysLoad && { 'anthropic/alwaysLoad': true }),
    ...(hasView && rendersViews && { ui: TOOL_VIEW }),
  };
  return {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: { ...jsonSchemaOf(input, 'input'), type: 'object' },
    outputSchema: { ...jsonSchemaOf(output, 'output'), type: 'object' },
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}
