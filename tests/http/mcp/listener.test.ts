/** `/mcp` on a socket, with clients of the SDK. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, expect, it, vi } from 'vitest';
import { type Listener, listen } from '../../../src/http/listen.js';
import { POLL_TIMEOUT_MS } from '../../support/suites.js';
import { recordingLog } from '../test-app.js';
import { type McpTestApp, openMcpApp } from './mcp-app.js';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function openListener(test: McpTestApp): Promise<Listener> {
  const { log } = recordingLog();
  const listener = await listen(test.app, { host: '127.0.0.1', port: 0, log, streams: test.endpoint });
  opened.push(listener);
  return listener;
}

async function connect({ url }: Listener) {
  const client = new Client({ name: 'test', version: '0' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
    },
  });
  client.onerror = () => {};
  await client.connect(transport as Parameters<Client['connect']>[0]);
  opened.push(client);
  return { client, transport };
}

const callOf = (name: string) => ({ name: 'wait', arguments: { name } });

it('parallel clients get their own answers', async () => {
  const test = openMcpApp();
  const listener = await openListener(test);
  const clients = await Promise.all(['a', 'b', 'c'].map(() => connect(listener)));
  const answers = clients.map(({ client }, index) => client.callTool(callOf(`${index}`)));
  for (const name of ['2', '0', '1']) (await test.begun(name)).finish(`for ${name}`);
  expect((await Promise.all(answers)).map(({ content }) => (content as { text: string }[])[0]?.text)).toEqual([
    'for 0',
    'for 1',
    'for 2',
  ]);
});

it('a session is freed when its client ends the session', async () => {
  const test = openMcpApp();
  const { client, transport } = await connect(await openListener(test));
  await client.listTools();
  expect(test.endpoint.sessionCount).toBe(1);
  await transport.terminateSession();
  expect(test.endpoint.sessionCount).toBe(0);
});

it('closing the listener answers a running call, and does not wait for the open stream of its client', async () => {
  const test = openMcpApp();
  const listener = await openListener(test);
  const { client } = await connect(listener);
  const answer = client.callTool(callOf('a'));
  const call = await test.begun('a');
  const startedMs = performance.now();
  const closed = listener.close();
  call.finish('done');
  expect(await answer).toMatchObject({ content: [{ text: 'done' }] });
  await closed;
  // If closing waited for the open stream, it would take two seconds, the grace period for running requests.
  expect(performance.now() - startedMs).toBeLessThan(1_900);
  expect(test.endpoint.sessionCount).toBe(0);
});

it('the session of a disconnected client can be replaced by a new session', async () => {
  const test = openMcpApp({ maxCount: 1 });
  const listener = await openListener(test);
  const { client } = await connect(listener);
  await client.close();
  // The session is idle as soon as the server notices the disconnection. A new session may then replace it.
  const { client: next } = await vi.waitFor(() => connect(listener), { timeout: POLL_TIMEOUT_MS });
  expect((await next.listTools()).tools).toHaveLength(1);
});
