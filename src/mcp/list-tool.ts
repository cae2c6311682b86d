/** Converts a tool to the form that clients list. */
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { type JsonSchema, jsonSchemaOf } from '../api/json-schema.js';
import { TOOL_VIEW } from './resources/view.js';
import type { Tool } from './tool.js';

/** @param rendersViews whether the client shows MCP Apps; the list for other clients does not mention the view */
export function listTool(tool: Tool, rendersViews: boolean): ListedTool {
  const { name, title, description, annotations, alwaysLoad, hasView, output } = tool;
  const meta = {
    ...(alwaysLoad && { 'anthropic/alwaysLoad': true }),
    ...(hasView && rendersViews && { ui: TOOL_VIEW }),
  };
  return {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: { ...listedInput(tool), type: 'object' },
    outputSchema: { ...plain(jsonSchemaOf(output, 'output')), type: 'object' },
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}

/**
 * A schema that forbids other properties would make a client that validates calls refuse the parameters that are
 * accepted without being listed. The tool itself refuses unknown parameters.
 */
function listedInput({ input, unlisted = [] }: Tool): JsonSchema {
  const { properties = {}, ...schema } = plain(jsonSchemaOf(input, 'input')) as Parts;
  const listed = Object.entries(properties).filter(([name]) => !unlisted.includes(name));
  return {
    ...schema,
    properties: Object.fromEntries(listed),
    ...(unlisted.length === 0 && { additionalProperties: false }),
  };
}

/**
 * The keywords that every host forwards to its model. Some hosts, and the models behind them, refuse a tool whose schema
 * has other keywords, such as `format`, `anyOf` and `default`.
 */
const KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'maxLength',
]);

/** Keeps the plain keywords. Of several alternatives, keeps the first, which is the form that a model should use. */
function plain(schema: JsonSchema): JsonSchema {
  const { anyOf: [first] = [], items, properties, ...rest } = schema as Parts;
  const own = Object.entries({ ...first, ...rest }).filter(([keyword]) => KEYWORDS.has(keyword));
  return {
    ...Object.fromEntries(own),
    ...(items && { items: plain(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, plain(each)])),
    }),
  };
}

type Parts = JsonSchema & { anyOf?: JsonSchema[]; items?: JsonSchema; properties?: Record<string, JsonSchema> };
