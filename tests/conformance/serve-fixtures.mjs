/**
 * Serves the fixtures through the HTTP application of the built package, until the process is killed. Needs a Node that
 * strips types.
 */

import { loadConfig } from '../../build/config.js';
import { createHttpApp } from '../../build/http/app.js';
import { listen } from '../../build/http/listen.js';
import { McpEndpoint } from '../../build/http/mcp/endpoint.js';
import { createFixtureServer } from './fixtures.ts';

const { input, mcpHttp, ...config } = loadConfig({});
const complain = message => process.stderr.write(`${message}\n`);
const log = { debug() {}, info() {}, warn: complain, error: complain };
const mcp = new McpEndpoint({ createServer: createFixtureServer, settings: mcpHttp });
const reach = async () => ({ forward: async () => new Response(null, { status: 404 }) });
const app = createHttpApp({ reach, limits: input, settings: { ...config, version: '0' }, log, mcp });
const { url } = await listen(app, { host: '127.0.0.1', port: 0, log, streams: mcp });
process.stdout.write(`listening on ${url}\n`);
