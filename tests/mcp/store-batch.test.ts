/** Tests calls of `store_memory` that store several memories. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import type { NewMemory } from '../../src/domain/memory.js';
import type { Engine } from '../../src/engine/engine.js';
import { openTestEngine } from '../support/test-engine.js';
import { type ConnectedClient, connectClient, faultyEngine, structuredOf, textOf } from './connected-client.js';

interface StoredMany {
  stored: number;
  memory_ids: string[];
  size_warnings?: object[];
  credential_warnings?: object[];
}

describe('store_memory with memories', () => {
  let test: Awaited<ReturnType<typeof openTestEngine>>;
  let connected: ConnectedClient;
  beforeAll(async () => {
    test = await openTestEngine();
    connected = await connectClient(test.engine);
  });
  afterAll(async () => {
    await connected.close();
    await test.close();
  });
  const store = (args: Record<string, unknown>) => connected.call('store_memory', args);
  const countTagged = async (tag: string) =>
    (await test.engine.listByTag({ tags: [tag], limit: 200, offset: 0 })).memories.length;

  it('stores all memories with their fields, in order', async () => {
    const first = {
      content: 'Ann leads the billing team.',
      type: 'Context',
      confidence: 0.8,
      tags: ['people:ann'],
      importance: 0.7,
      timestamp: '2026-01-02T03:04:05.000Z',
      metadata: { source: 'chat' },
    };
    const result = await store({
      memories: [first, { content: 'Bob is on call in odd weeks.', tags: 'people:bob, ops' }],
    });
    expect(result.isError).toBeFalsy();
    const { stored, memory_ids: ids } = structuredOf<StoredMany>(result);
    expect(stored).toBe(2);
    const tags = ['people:ann', 'entity:people:ann'];
    expect((await test.engine.get(ids[0] ?? '')).memory).toMatchObject({ ...first, tags });
    expect((await test.engine.get(ids[1] ?? '')).memory.tags).toEqual(['people:bob', 'ops', 'entity:people:bob']);
    expect(textOf(result)).toBe(`Stored 2 memories.\n\nIDs: ${ids.join(', ')}`);
  });

  it('reports progress to a client that asks for it', async () => {
    const seen: (number | undefined)[][] = [];
    const memories = Array.from({ length: 35 }, (_, index) => ({ content: `Step ${index}` }));
    await connected.client.callTool({ name: 'store_memory', arguments: { memories } }, undefined, {
      onprogress: ({ progress, total }) => void seen.push([progress, total]),
    });
    expect(seen).toEqual([
      [9, 35],
      [19, 35],
      [29, 35],
      [35, 35],
    ]);
  });

  it('returns every id in the structured content, and the first ten in the text', async () => {
    const result = await store({ memories: Array.from({ length: 500 }, (_, index) => ({ content: `Line ${index}` })) });
    const { stored, memory_ids: ids } = structuredOf<StoredMany>(result);
    expect(stored).toBe(500);
    expect(new Set(ids).size).toBe(500);
    expect(textOf(result)).toContain(`IDs: ${ids.slice(0, 10).join(', ')} and 490 more`);
    expect((await test.engine.get(ids[499] ?? '')).memory.content).toBe('Line 499');
  });

  it('warns about long contents and allowed credentials, and names their positions', async () => {
    const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const memories = [{ content: 'Short.' }, { content: 'x'.repeat(501) }, { content: `It uses ${token} now.` }];
    const result = await store({ memories, allow_credentials: true });
    expect(structuredOf(result)).toMatchObject({
      stored: 3,
      size_warnings: [{ index: 1, content_length: 501 }],
      credential_warnings: [{ index: 2, kinds: ['GITHUB TOKEN'] }],
    });
    expect(textOf(result)).toContain('item 1 (501)');
    expect(textOf(result)).toContain('item 2 (GITHUB TOKEN)');
    expect(JSON.stringify(result)).not.toContain(token);
  });

  it.each([
    ['an item over the hard limit', { content: 'x'.repeat(2_001) }, /item 1 has 2001 characters; the limit is 2000/],
    ['an id', { content: 'x', id: randomUUID() }, /index 1.*'id'/],
    ['a field that only a single memory can have', { content: 'x', t_valid: '2026-01-01' }, /index 1.*'t_valid'/],
    ['an unknown key', { content: 'x', priority: 1 }, /index 1.*'priority'/],
    ['an item without content', { tags: ['refused'] }, /index 1.*'content'/],
    ['a bad value', { content: 'x', importance: 7 }, /index 1.*'importance'/],
    ['an item that is not an object', 'x', /index 1.*JSON object/],
  ])('stores nothing when the batch contains %s', async (_, item, expected) => {
    const result = await store({ memories: [{ content: 'Fine.', tags: ['refused'] }, item] });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(expected);
    expect(await countTagged('refused')).toBe(0);
  });

  it.each([
    ['a call without content and memories', {}, /'content'.*memories/],
    ['an empty list', { memories: [] }, /'content'.*memories/],
    ['memories that are not a list', { memories: { content: 'x' } }, /non-empty array/],
    [
      'more than 500',
      { memories: Array.from({ length: 501 }, () => ({ content: 'x' })) },
      /501 items; the limit is 500/,
    ],
    ['both forms together', { memories: [{ content: 'x' }], content: 'y', tags: ['a'] }, /combined with content, tags/],
  ])('rejects %s', async (_, args, expected) => {
    const result = await store(args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(expected);
  });

  it('treats fields that are null as absent', async () => {
    const result = await store({
      memories: [{ content: 'One.', tags: null }],
      content: null,
      tags: null,
      importance: null,
    });
    expect(textOf(result)).toContain('Stored 1 memory.');
  });

  it('gives every memory an id before the first attempt, and says when the outcome is unknown', async () => {
    const seen: (string | undefined)[] = [];
    const failing: Partial<Engine> = {
      storeMany(memories: readonly NewMemory[]) {
        seen.push(...memories.map(({ id }) => id));
        return Promise.reject(new MemoryError('unavailable', 'The graph store cannot be reached'));
      },
    };
    const { call, close } = await connectClient(faultyEngine(failing));
    const result = await call('store_memory', { memories: [{ content: 'a fact' }, { content: 'another' }] });
    await close();
    expect(seen).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(textOf(result)).toContain('may not have been stored');
  });
});
