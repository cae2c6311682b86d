/** Runs `engraph` without a command, as an assistant does: a real process that speaks over stdin and stdout. */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RENDERS_VIEWS } from '../mcp/connected-client.js';
import {
  BINARY,
  ENVIRONMENT,
  INITIALIZE,
  spawnServe,
  spawnStdio,
  temporaryFolder,
  toolCall,
} from './spawned-engraph.js';
import { HAS_TERMINAL, spawnOnTerminal, untilSaid } from './spawned-on-terminal.js';

/** The SDK's client sends SIGTERM two seconds after it closes stdin, so a server must have ended by then. */
const PROMPT_MS = 2000;

async function connectClient(folder: string, capabilities: ClientCapabilities = {}): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, '--port', '0', '--data-dir', folder],
    env: ENVIRONMENT,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '0' }, { capabilities });
  onTestFinished(() => client.close());
  await client.connect(transport);
  await client.listTools();
  return client;
}

describe('engraph over stdio', () => {
  it('lets a real MCP client store, recall, update and delete', async () => {
    const client = await connectClient(await temporaryFolder());
    const call = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;

    const { memory_id } = await call('store_memory', { content: 'The heron nests on the chimney.', tags: ['birds'] });
    expect(await call('recall_memory', { query: 'Where does the heron nest?' })).toMatchObject({
      results: [{ memory: { memory_id } }],
    });
    await call('update_memory', { memory_id, content: 'The heron nests in the willow.' });
    expect(await call('recall_memory', { memory_id })).toMatchObject({
      results: [{ memory: { content: 'The heron nests in the willow.', tags: expect.arrayContaining(['birds']) } }],
    });
    expect(await call('delete_memory', { memory_id })).toMatchObject({ deleted: true });
    expect(await call('recall_memory', { query: 'heron' })).toMatchObject({ count: 0 });
  });

  it('offers the view only to a client that renders views, even if its server forwards the calls', async () => {
    const folder = await temporaryFolder();
    const [plain, forwarding] = [await connectClient(folder), await connectClient(folder, RENDERS_VIEWS)];
    const { structuredContent } = await plain.callTool({ name: 'store_memory', arguments: { content: 'A heron.' } });
    const { memory_id } = structuredContent as { memory_id: string };
    expect(JSON.stringify([await plain.listTools(), await plain.listResources()])).not.toContain('ui://');
    const { tools } = await forwarding.listTools();
    expect(tools.find(({ name }) => name === 'recall_memory')?._meta).toMatchObject({
      ui: { resourceUri: 'ui://engraph/view' },
    });
    expect((await forwarding.readResource({ uri: 'ui://engraph/view' })).contents[0]).toMatchObject({
      mimeType: 'text/html;profile=mcp-app',
      text: expect.stringContaining('<!doctype html>'),
    });
    const { structuredContent: found } = await forwarding.callTool({ name: 'recall_memory', arguments: { memory_id } });
    expect(found).toMatchObject({ results: [{ memory: { content: 'A heron.' } }] });
  });

  it('counts its tool calls in the metrics of its REST listener', async () => {
    const { send, receive, saysOnStderr } = spawnStdio(await temporaryFolder());
    send(INITIALIZE);
    await receive();
    send({ method: 'notifications/initialized' });
    const [, url = ''] = await saysOnStderr(/REST is listening on (\S+)\n/);
    send(toolCall(1, 'recall_memory', { query: 'herons' }));
    await receive();
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('engraph_mcp_tool_calls_total{tool="recall_memory",outcome="success"} 1\n');
    expect(metrics).toContain('engraph_recalls_total{confidence="none"} 1\n');
  });

  it('ends with exit code 0 within two seconds after stdin closes', async () => {
    const { child, ended, send, receive } = spawnStdio(await temporaryFolder());
    send(INITIALIZE);
    await receive();
    const closedAt = performance.now();
    child.stdin.end();
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - closedAt).toBeLessThan(PROMPT_MS);
  });

  it('answers every request that arrived before stdin ended', async () => {
    const { child, ended, send, output } = spawnStdio(await temporaryFolder());
    send(INITIALIZE);
    send({ method: 'notifications/initialized' });
    for (let id = 1; id <= 5; id++) send(toolCall(id, 'store_memory', { content: `Fact number ${id}.` }));
    child.stdin.end();
    expect(await ended).toEqual({ code: 0, signal: null });
    const answers = output.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    // JSON-RPC leaves the order of the answers open.
    expect(answers.map(answer => answer.id).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(answers.filter(answer => answer.result?.isError)).toEqual([]);
  });

  it('ends without a crash after its stdout was closed', async () => {
    const { child, ended, send, receive, output } = spawnStdio(await temporaryFolder());
    send(INITIALIZE);
    await receive();
    child.stdout.destroy();
    send(toolCall(1, 'recall_memory', {}));
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(output.stderr).not.toMatch(/Unhandled|\bat .*:\d+:\d+/);
  });

  it('keeps serving after garbage on stdin', async () => {
    const { child, send, receive, saysOnStderr } = spawnStdio(await temporaryFolder());
    child.stdin.write('this is no message\n{"nor":"this"}\n\n');
    child.stdin.write(
      `{"method":"tools/call","params":{"x":"${'x'.repeat(11 * 1_048_576)}"},"jsonrpc":"2.0","id":9}\n`,
    );
    for (const id of [null, null, 9])
      expect(await receive()).toMatchObject({ id, error: { code: expect.any(Number) } });
    send(INITIALIZE);
    expect(await receive()).toMatchObject({ id: 0, result: { serverInfo: { name: 'engraph' } } });
    await saysOnStderr(/unreadable/);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends cleanly on a %s that comes twice', async signal => {
    const { child, ended, send, receive } = spawnStdio(await temporaryFolder());
    send(INITIALIZE);
    await receive();
    child.kill(signal);
    child.kill(signal);
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it('serves REST beside MCP on the same memory', async () => {
    const { send, receive, saysOnStderr } = spawnStdio(await temporaryFolder());
    send(INITIALIZE);
    await receive();
    send({ method: 'notifications/initialized' });
    const [, url] = await saysOnStderr(/REST is listening on (http:\S+)/);
    send(toolCall(1, 'store_memory', { content: 'The heron nests on the chimney.', tags: ['birds'] }));
    await receive();
    const response = await fetch(`${url}/memory/by-tag?tags=birds`);
    expect(await response.json()).toMatchObject({ count: 1 });
  });

  it('continues without REST if the port is taken, and says so without a warning', async () => {
    const other = await spawnServe(await temporaryFolder());
    const { send, receive, saysOnStderr } = spawnStdio(await temporaryFolder(), ['--port', other.port]);
    send(INITIALIZE);
    expect(await receive()).toMatchObject({ id: 0 });
    send({ method: 'notifications/initialized' });
    await saysOnStderr(/info: Port \d+ .* taken; MCP goes on without the REST interface/);
    expect((await fetch(`${other.url}/health`)).ok).toBe(true);
  });

  it('answers initialize without touching the data folder', async () => {
    const folder = join(await temporaryFolder(), 'new');
    const { child, ended, send, receive } = spawnStdio(folder);
    send({ id: 1, method: 'server/discover', params: {} });
    expect(await receive()).toMatchObject({ id: 1, error: { code: -32601 } });
    send(INITIALIZE);
    await receive();
    send({ id: 2, method: 'tools/list' });
    expect(await receive()).toMatchObject({ id: 2, result: { tools: expect.any(Array) } });
    child.stdin.end();
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(existsSync(folder)).toBe(false);
  });

  it.runIf(HAS_TERMINAL)(
    'tells a person at a terminal what it waits for and what to type, and still serves',
    async () => {
      const folder = await temporaryFolder();
      const { child, output, ended } = spawnOnTerminal(['--port', '0', '--data-dir', folder]);
      await untilSaid(child.stdout, () => output.stdout.includes('Ctrl-C ends it.'));
      for (const said of [
        'waiting for an assistant (an MCP client)',
        'engraph connect',
        'engraph serve',
        'engraph help',
      ])
        expect(output.stdout).toContain(said);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...INITIALIZE })}\n`);
      await untilSaid(child.stdout, () => output.stdout.includes('"serverInfo"'));
      child.stdin.write('\u0003');
      await ended;
    },
  );

  it('prints no notice for a person if stdin is not a terminal', async () => {
    const { child, output, ended, send, receive } = spawnStdio(await temporaryFolder());
    send(INITIALIZE);
    await receive();
    child.stdin.end();
    await ended;
    expect(output.stderr).not.toContain('waiting');
  });

  it('reports in tool results why the memory cannot be opened', async () => {
    const file = join(await temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { send, receive, saysOnStderr } = spawnStdio(file);
    send(INITIALIZE);
    await receive();
    send({ method: 'notifications/initialized' });
    await saysOnStderr(/error: The data folder .* a file stands where a folder is needed\. Make it a folder/);
    send(toolCall(1, 'recall_memory', {}));
    expect(await receive()).toMatchObject({ method: 'notifications/message', params: { level: 'warning' } });
    const answer = JSON.stringify(await receive());
    expect(answer).toContain('a file stands where a folder is needed');
    expect(answer).toContain('isError');
  });
});
