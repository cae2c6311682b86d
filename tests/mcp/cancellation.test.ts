/** Cancelling a tool call also cancels its request to the memory. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/engine/clock.js';
import { createHandlers } from '../../src/mcp/handlers.js';
import { createMcpServer } from '../../src/mcp/server.js';
import { createMemoryClient } from '../../src/sharing/memory.js';
import { testLimits } from '../support/test-limits.js';
import { CONTENT_TIERS, recordingLog } from './connected-client.js';

async function connectTo(forward: (request: Request) => Promise<Response>) {
  const { log, lines } = recordingLog();
  const outcomes: string[] = [];
  const observeCall = () => (outcome: string) => void outcomes.push(outcome);
  const shared = { isReadOnly: false, reach: async () => ({ forward }) };
  const parts = {
    memory: createMemoryClient({ memory: shared, clock: systemClock, log }),
    limits: testLimits(),
    content: CONTENT_TIERS,
  };
  const handlers = createHandlers({ ...parts, log, observeCall });
  const server = createMcpServer({ content: CONTENT_TIERS, version: '0', handlers: async () => handlers });
  const client = new Client({ name: 'test', version: '0' });
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await server.connect(serverEnd);
  await client.connect(clientEnd);
  return { client, lines, outcomes };
}

it('a cancelled call aborts its request to the memory, does not repeat it and logs nothing', async () => {
  let begun: () => void;
  const hasBegun = new Promise<void>(resolve => {
    begun = resolve;
  });
  const signals: AbortSignal[] = [];
  const { client, lines, outcomes } = await connectTo(({ signal }) => {
    signals.push(signal);
    begun();
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const cancelling = new AbortController();
  const call = client.callTool({ name: 'recall_memory', arguments: { query: 'tea' } }, undefined, {
    signal: cancelling.signal,
  });
  await hasBegun;
  cancelling.abort('not needed any more');
  await expect(call).rejects.toThrow('not needed any more');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  await expect.poll(() => outcomes).toEqual(['refused']);
  expect(lines).toEqual([]);
  await client.close();
});

it('a cancelled call does not affect other calls', async () => {
  const { client } = await connectTo(async () => Response.json({ status: 'success', memory_id: 'x' }));
  const cancelling = new AbortController();
  cancelling.abort();
  const args = { memory_id: '00000000-0000-4000-8000-000000000000' };
  const other = client.callTool({ name: 'delete_memory', arguments: args });
  const cancelled = client.callTool({ name: 'delete_memory', arguments: args }, undefined, {
    signal: cancelling.signal,
  });
  await expect(cancelled).rejects.toThrow();
  expect((await other).isError).toBeFalsy();
  await client.close();
});
