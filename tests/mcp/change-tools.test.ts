/** Calls the tools `update_memory` and `delete_memory` through a real client. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readNewMemory } from '../../src/api/memory-requests.js';
import { openTestEngine } from '../support/test-engine.js';
import { type ConnectedClient, connectClient, structuredOf, textOf } from './connected-client.js';

describe('tools that change memories', () => {
  let test: Awaited<ReturnType<typeof openTestEngine>>;
  let connected: ConnectedClient;
  let id: string;

  beforeAll(async () => {
    test = await openTestEngine();
    connected = await connectClient(test.engine);
  });
  afterAll(async () => {
    await connected.close();
    await test.close();
  });
  beforeEach(async () => {
    id = randomUUID();
    const memory = {
      id,
      content: 'Ann likes tea.',
      type: 'Preference',
      tags: ['people:ann', 'drinks'],
      metadata: { source: 'chat', page: 1 },
      t_valid: '2026-01-01T00:00:00Z',
    };
    await test.engine.store(readNewMemory(memory, test.engine.limits));
  });

  describe('update_memory', () => {
    const update = (args: Record<string, unknown>) => connected.call('update_memory', { memory_id: id, ...args });

    it('changes only the given fields', async () => {
      const result = await update({ content: 'Ann likes coffee.', importance: 0.9 });
      expect(structuredOf(result)).toEqual({ status: 'success', memory_id: id, message: expect.any(String) });
      expect(textOf(result)).toContain(id);
      expect((await test.engine.get(id)).memory).toMatchObject({
        content: 'Ann likes coffee.',
        importance: 0.9,
        type: 'Preference',
        tags: ['people:ann', 'drinks', 'entity:people:ann'],
        t_valid: '2026-01-01T00:00:00.000Z',
      });
      const { versions } = await test.engine.history(id);
      expect(versions).toMatchObject([{ number: 1, changed: ['content', 'importance'] }]);
    });

    it('warns about long content and allowed credentials, and rejects content over 2,000 characters', async () => {
      const secret = `ghp_${'a1B2'.repeat(9)}`;
      const result = await update({
        content: `Deploys use ${secret} ${'and more '.repeat(60)}`,
        allow_credentials: true,
      });
      expect(structuredOf(result)).toMatchObject({
        size_warning: expect.stringContaining('characters'),
        credential_warning: expect.stringContaining('credential'),
      });
      expect(JSON.stringify(result)).not.toContain(secret);
      const tooLong = await update({ content: 'x'.repeat(2001) });
      expect([tooLong.isError, textOf(tooLong)]).toEqual([true, expect.stringContaining('the limit is 2000')]);
    });

    it('merges metadata, replaces tags and removes a validity bound that is null', async () => {
      await update({
        metadata: { page: null, chapter: 2 },
        tags: ['people:ann'],
        t_valid: null,
        t_invalid: '2027-01-01',
      });
      const { memory } = await test.engine.get(id);
      expect(memory).toMatchObject({
        metadata: { source: 'chat', chapter: 2 },
        tags: ['people:ann', 'entity:people:ann'],
        t_invalid: '2027-01-01T00:00:00.000Z',
      });
      expect(memory.metadata).not.toHaveProperty('page');
      expect(memory).not.toHaveProperty('t_valid');
    });

    it('sets the given instants', async () => {
      const instants = {
        timestamp: '2025-01-01T00:00:00.000Z',
        updated_at: '2025-02-01T00:00:00.000Z',
        last_accessed: '2025-03-01T00:00:00.000Z',
      };
      await update({ ...instants, type: 'habit', confidence: 0.4 });
      expect((await test.engine.get(id)).memory).toMatchObject({ ...instants, type: 'Habit', confidence: 0.4 });
    });

    it('ignores null in content, type, tags and metadata, which a model may send for unused parameters', async () => {
      await update({ importance: 0.1, tags: null, metadata: null, content: null, type: null });
      expect((await test.engine.get(id)).memory).toMatchObject({
        content: 'Ann likes tea.',
        tags: ['people:ann', 'drinks', 'entity:people:ann'],
      });
    });

    it('rejects a call without a change', async () => {
      const result = await update({});
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain('Give at least one field');
    });

    it('fails for a missing memory', async () => {
      const result = await update({ memory_id: randomUUID(), importance: 1 });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain('Memory not found');
    });

    it('cannot change the id', async () => {
      const result = await update({ id: randomUUID(), importance: 1 });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain("'id'");
    });
  });

  describe('delete_memory', () => {
    const remove = (memoryId: string) => connected.call('delete_memory', { memory_id: memoryId });

    it('deletes a memory, and recall no longer finds it', async () => {
      const result = await remove(id);
      expect(structuredOf(result)).toMatchObject({ status: 'success', memory_id: id, deleted: true });
      await expect(test.engine.get(id)).rejects.toMatchObject({ code: 'not_found' });
      const recalled = await connected.call('recall_memory', { memory_id: id });
      expect(structuredOf(recalled)).toMatchObject({ count: 0 });
    });

    it('reports a missing memory without an error', async () => {
      await remove(id);
      const result = await remove(id);
      expect(result.isError).toBeFalsy();
      expect(structuredOf(result)).toMatchObject({ memory_id: id, deleted: false });
      expect(textOf(result)).toContain('does not exist');
    });
  });
});
