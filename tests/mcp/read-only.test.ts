/** A read-only memory: its assistant is told so, is offered what reads, and is refused the rest. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type ConnectedClient, connectClient, faultyEngine, textOf } from './connected-client.js';

const store = vi.fn();
let connected: ConnectedClient;
beforeAll(async () => {
  connected = await connectClient(faultyEngine({ store }), { isReadOnly: true });
});
afterAll(() => connected.close());

it('says in its instructions that nothing can be stored, and names no tool that is not offered', () => {
  const instructions = connected.client.getInstructions() ?? '';
  expect(instructions).toContain('read-only');
  expect(instructions).toContain('recall_memory');
  expect(instructions).not.toMatch(/store_memory|update_memory|delete_memory|associate_memories/);
});

it('refuses a tool that it does not list', async () => {
  expect((await connected.client.listTools()).tools.map(({ name }) => name)).toEqual([
    'recall_memory',
    'check_database_health',
  ]);
  const result = await connected.call('store_memory', { content: 'Ann prefers tea.' });
  expect(result).toMatchObject({ isError: true, _meta: { 'engraph/error': { code: 'forbidden' } } });
  expect(textOf(result)).toContain('read-only');
  expect(store).not.toHaveBeenCalled();
});
