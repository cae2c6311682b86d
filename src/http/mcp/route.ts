/** The route of MCP over HTTP. */
import type { Hono } from 'hono';
import { limitBody } from '../body-limit.js';
import { addResource } from '../resource.js';
import type { McpEndpoint } from './endpoint.js';
import { MCP_PATH } from './rpc-error.js';

/** Registers `/mcp` with its own body limit. */
export function addMcpRoute(app: Hono, endpoint: McpEndpoint): void {
  app.use(MCP_PATH, limitBody(endpoint.bodyLimitBytes));
  addResource(app, MCP_PATH, {
    POST: context => endpoint.post(context),
    GET: context => endpoint.get(context),
    DELETE: context => endpoint.delete(context),
  });
}
