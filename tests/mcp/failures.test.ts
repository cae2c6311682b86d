/** The text of failed tool calls: errors of the caller are shown in full, and internal errors are hidden. */
import { randomUUID } from 'node:crypto';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import type { Engine } from '../../src/engine/engine.js';
import { connectClient, faultyEngine, recordingLog, textOf } from './connected-client.js';

const SECRET = 'cannot read /srv/secret/path';
const fault = () => Promise.reject(new Error(SECRET));

const CALLS: [tool: string, method: keyof Engine, args: Record<string, unknown>][] = [
  ['store_memory', 'store', { content: 'a fact' }],
  ['recall_memory', 'recall', { query: 'a fact' }],
  ['recall_memory', 'listByTag', { tags: ['a'], exhaustive: true }],
  ['recall_memory', 'get', { memory_id: randomUUID() }],
  ['update_memory', 'update', { memory_id: randomUUID(), importance: 1 }],
  ['delete_memory', 'remove', { memory_id: randomUUID() }],
  ['delete_memory', 'listByTag', { tags: ['a'] }],
  ['delete_memory', 'removeByTag', { tags: ['a'], confirm: true }],
  ['store_memory', 'storeMany', { memories: [{ content: 'a fact' }] }],
  ['associate_memories', 'associate', { memory1_id: randomUUID(), memory2_id: randomUUID() }],
];

describe('failed tool calls', () => {
  it.each(CALLS)('%s hides an internal error of engine.%s and logs it once', async (tool, method, args) => {
    const { log, lines } = recordingLog();
    const { call, close } = await connectClient(faultyEngine({ [method]: fault }), { log });
    const result = await call(tool, args);
    await close();

    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('secret');
    const [, requestId = ''] = /^Internal error \(request ([0-9a-f-]{36})\)$/.exec(textOf(result)) ?? [];
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 'error', details: { message: SECRET } });
    expect(lines[0]?.requestId).toBe(requestId);
  });

  it.each(CALLS)('%s reports that engine.%s is unavailable', async (tool, method, args) => {
    const unavailable = new MemoryError('unavailable', 'The graph store cannot be reached', { hint: 'Start it.' });
    const { log, lines } = recordingLog();
    const { call, close } = await connectClient(faultyEngine({ [method]: () => Promise.reject(unavailable) }), { log });
    const result = await call(tool, args);
    await close();

    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('The graph store cannot be reached');
    expect(textOf(result)).toContain('Start it.');
    expect(result._meta).toMatchObject({ 'engraph/error': { code: 'unavailable' } });
    expect(lines.map(({ level }) => level)).toEqual(['warn']);
  });

  it('name the invalid field', async () => {
    const { call, close } = await connectClient(faultyEngine({}));
    const result = await call('store_memory', { content: 'a fact', timestamp: '2026-02-30' });
    await close();
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("'timestamp' must be an ISO 8601 timestamp");
    expect(textOf(result)).toContain('Field: timestamp');
    expect(result._meta).toMatchObject({ 'engraph/error': { code: 'invalid', field: 'timestamp' } });
  });
});

describe('tool input', () => {
  it.each([
    ['store_memory', { content: 'a fact' }],
    ['recall_memory', { query: 'a fact' }],
    ['update_memory', { memory_id: randomUUID(), importance: 1 }],
    ['delete_memory', { memory_id: randomUUID() }],
  ])('%s rejects an unknown parameter and names it', async (tool, args) => {
    const { call, close } = await connectClient(faultyEngine({}));
    const result = await call(tool, { ...args, importence: 0.5 });
    await close();
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('importence');
  });

  it.each([
    ['store_memory', { content: 5 }, 'content'],
    ['store_memory', { content: 'a', importance: 1.5 }, 'importance'],
    ['store_memory', { content: 'a', importance: true }, 'importance'],
    ['store_memory', { content: 'a', type: 'Secret' }, 'type'],
    ['store_memory', {}, 'content'],
    ['store_memory', { content: ' \n ' }, 'content'],
    ['store_memory', { content: 'a', id: 'not-a-uuid' }, 'id'],
    ['store_memory', { content: 'a', embedding: [1, 2, 3] }, 'embedding'],
    ['recall_memory', { limit: 'many' }, 'limit'],
    ['recall_memory', { limit: 1.5 }, 'limit'],
    ['recall_memory', { sort: 'random' }, 'sort'],
    ['recall_memory', { start: '2026-02-30' }, 'start'],
    ['recall_memory', { memory_id: 'x' }, 'memory_id'],
    ['update_memory', { importance: 1 }, 'memory_id'],
    ['update_memory', { memory_id: 'x', importance: 1 }, 'memory_id'],
    ['delete_memory', {}, 'memory_id'],
    ['delete_memory', { memory_id: '../health' }, 'memory_id'],
  ])('%s rejects %j and names %s', async (tool, args, field) => {
    const { call, close } = await connectClient(faultyEngine({}));
    const result = await call(tool, args);
    await close();
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(field);
    expect(textOf(result)).not.toContain('Internal error');
  });

  it('is rejected when it has more than 50,000 values', async () => {
    const { call, close } = await connectClient(faultyEngine({}));
    const result = await call('recall_memory', { tags: Array.from({ length: 60_000 }, () => 'a') });
    await close();
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('more than 50000 values');
  });
});

describe('log messages to the client', () => {
  it('report a failed call, unless the client wants only more severe messages', async () => {
    const { client, call, close } = await connectClient(faultyEngine({}));
    const messages: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void messages.push(params));
    await call('store_memory', {});
    await client.setLoggingLevel('error');
    await call('store_memory', {});
    await close();
    const data = 'The tool store_memory answered with an error';
    expect(messages).toEqual([{ level: 'warning', logger: 'engraph', data }]);
  });
});
