/** `delete_memory` with tags: a call without `confirm` only reports, and a confirmed call deletes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readMemoryBatch } from '../../src/api/memory-requests.js';
import { openTestEngine } from '../support/test-engine.js';
import { type ConnectedClient, connectClient, structuredOf, textOf } from './connected-client.js';

describe('delete_memory with tags', () => {
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
  beforeEach(async () => {
    await test.engine.removeByTag(['bulk', 'a,b', 'a', 'bulk:deep']);
    const items = [
      ...Array.from({ length: 450 }, (_, index) => ({ content: `Line ${index}\nof the bulk`, tags: ['Bulk'] })),
      { content: `The most important ${'x'.repeat(200)}`, tags: ['bulk', 'a'], importance: 1 },
      { content: 'Deeper', tags: ['bulk:deep'] },
      { content: 'With a comma', tags: ['a,b'] },
    ];
    await test.engine.storeMany(await readMemoryBatch(items, test.engine.limits));
  });
  const remove = (args: Record<string, unknown>) => connected.call('delete_memory', args);
  const countOf = async (...tags: string[]) =>
    (await test.engine.listByTag({ tags, limit: 1, offset: 0, counts: true })).total;

  it('without confirm reports the number of matching memories with examples, and deletes nothing', async () => {
    const result = await remove({ tags: ['bulk', 'absent'] });
    expect(result.isError).toBeFalsy();
    const { examples, ...said } = structuredOf<{ examples: { memory_id: string; content: string }[] }>(result);
    expect(said).toMatchObject({ deleted: false, count: 451, tags: ['bulk', 'absent'] });
    expect(examples).toHaveLength(5);
    expect(examples[0]?.content).toBe(`The most important ${'x'.repeat(81)}`);
    expect(textOf(result)).toMatch(/Nothing has been deleted yet\. 451 memories .*confirm: true/);
    expect(textOf(result)).toMatch(/\n- [0-9a-f-]{36}: Line \d+ of the bulk\n/);
    expect(textOf(result)).toContain('and 446 more');
    expect(await countOf('bulk')).toBe(451);
  });

  it('deletes memories with any of the exact tags when confirmed', async () => {
    const result = await remove({ tags: ['bulk'], confirm: true });
    expect(structuredOf(result)).toMatchObject({ deleted: true, deleted_count: 451, tags: ['bulk'] });
    expect(textOf(result)).toBe('Deleted 451 memories tagged bulk.');
    expect([await countOf('bulk'), await countOf('bulk:deep')]).toEqual([0, 1]);
    expect(structuredOf(await remove({ tags: ['bulk'], confirm: true }))).toMatchObject({
      deleted: false,
      deleted_count: 0,
    });
  });

  it('treats an item with a comma as one tag', async () => {
    expect(structuredOf(await remove({ tags: ['a,b'] }))).toMatchObject({ count: 1, tags: ['a,b'] });
    expect(structuredOf(await remove({ tags: ['a,b'], confirm: true }))).toMatchObject({ deleted_count: 1 });
    expect(await countOf('a')).toBe(1);
  });

  it('treats a text with a comma as one tag, and JSON text as a list', async () => {
    await test.engine.storeMany(await readMemoryBatch([{ content: 'Other', tags: ['b'] }], test.engine.limits));
    expect(structuredOf(await remove({ tags: 'a,b', confirm: true }))).toMatchObject({ deleted_count: 1 });
    expect([await countOf('a'), await countOf('b')]).toEqual([1, 1]);
    expect(structuredOf(await remove({ tags: '["b"]', confirm: true }))).toMatchObject({ deleted_count: 1 });
  });

  it('reports when no memory has the tags', async () => {
    const result = await remove({ tags: ['absent'] });
    expect(structuredOf(result)).toMatchObject({ deleted: false, count: 0, examples: [] });
    expect(textOf(result)).toBe('No memory has the tag absent; nothing was deleted.');
  });

  it.each([
    ['a call without memory_id and tags', {}, 'memory_id'],
    ['an empty list of tags', { tags: [] }, 'memory_id'],
    ['confirm without memory_id and tags', { confirm: true }, 'memory_id'],
    ['both forms together', { memory_id: '00000000-0000-4000-8000-000000000000', tags: ['bulk'] }, 'tags'],
    ['confirm that is not a boolean', { tags: ['bulk'], confirm: 'perhaps' }, 'confirm'],
  ])('rejects %s', async (_, args, field) => {
    const result = await remove(args);
    expect(result).toMatchObject({ isError: true, _meta: { 'engraph/error': { code: 'invalid', field } } });
    expect(await countOf('bulk')).toBe(451);
  });
});
