/** Memory usage after hundreds of sessions and requests. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { expect, it } from 'vitest';
import type { Engine } from '../../../src/engine/engine.js';
import { McpEndpoint } from '../../../src/http/mcp/endpoint.js';
import { createManualClock } from '../../support/manual-clock.js';
import { testLimits } from '../../support/test-limits.js';
import { createTestApp, recordingLog } from '../test-app.js';
import { exchange, INITIALIZE, MCP_SETTINGS } from './mcp-app.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const COUNT = 300;
const KEPT = 20;

function openCountedApp() {
  const servers: WeakRef<Server>[] = [];
  const createServer = () => {
    const server = new Server({ name: 'fixture', version: '0' }, { capabilities: {} });
    servers.push(new WeakRef(server));
    return server;
  };
  const settings = { ...MCP_SETTINGS, maxCount: KEPT };
  const mcp = new McpEndpoint({ createServer, settings, clock: createManualClock() });
  const app = createTestApp({
    engine: { limits: testLimits(), inPlace: request => request() } as Engine,
    log: recordingLog().log,
    mcp,
  });
  const countAlive = async () => {
    // The last servers are released in a later turn of the event loop.
    await new Promise(resolve => setImmediate(resolve));
    collectGarbage();
    return servers.filter(reference => reference.deref() !== undefined).length;
  };
  return { app, mcp, servers, countAlive };
}

it.each([
  ['initialize', INITIALIZE, KEPT],
  ['server/discover', { jsonrpc: '2.0', id: 1, method: 'server/discover' }, 0],
])(
  'after hundreds of %s requests, only the servers of open sessions stay in memory',
  async (_, message, kept) => {
    const { app, mcp, servers, countAlive } = openCountedApp();
    for (let sent = 0; sent < COUNT; sent++) {
      const { status } = await exchange(app, { message });
      if (status !== 200) expect(status).toBe(200);
    }
    expect([servers.length, mcp.sessionCount]).toEqual([COUNT, kept]);
    // The garbage collector may keep the last servers.
    expect(await countAlive()).toBeLessThanOrEqual(kept + 5);
  },
  30_000,
);
