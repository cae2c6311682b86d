/** A read-only memory says that it is read-only, offers only tools that read, and refuses other tools. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type ConnectedClient, connectClient, faultyEngine, textOf } from './connected-client.js';

const store = vi.fn();
let connected: ConnectedClient;
beforeAll(async () => {
  connected = await connectClient(faultyEngine({ store }), { isReadOnly: true });
});
afterAll(() => connected.close());

it('instructions of a read-only memory say that it is read-only, and name only offered tools', () => {
  const instructions = connected.client.getInstructions() ?? '';
  expect(instructions).toContain('read-only');
  expect(instructions).toContain('recall_memory');
  expect(instructions).not.toMatch(/store_memory|update_memory|delete_memory|associate_memories/);
});

it('a read-only memory refuses a tool that it does not list', async () => {
  expect((await connected.client.listTools()).tools.map(({ name }) => name)).toEqual([
    'recall_memory',
    'check_database_health',
  ]);
  const result = await connected.call('store_memory', { content: 'Ann prefers tea.' });
  expect(result).toMatchObject({ isError: true, _meta: { 'engraph/error': { code: 'forbidden' } } });
  expect(textOf(result)).toContain('read-only');
  expect(store).not.toHaveBeenCalled();
});
