/** The tool `store_memory` through a real client: its fields, its size tiers and its safety under retries. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import type { NewMemory } from '../../src/domain/memory.js';
import type { Engine } from '../../src/engine/engine.js';
import { openTestEngine } from '../support/test-engine.js';
import { type ConnectedClient, connectClient, faultyEngine, structuredOf, textOf } from './connected-client.js';

interface Stored {
  memory_id: string;
  type: string;
  confidence: number;
  size_warning?: string;
  content_length?: number;
}

describe('store_memory', () => {
  let test: Awaited<ReturnType<typeof openTestEngine>>;
  let connected: ConnectedClient;
  const store = async (args: Record<string, unknown>) => connected.call('store_memory', args);
  const storedId = async (args: Record<string, unknown>) => structuredOf<Stored>(await store(args)).memory_id;

  beforeAll(async () => {
    test = await openTestEngine();
    connected = await connectClient(test.engine);
  });
  afterAll(async () => {
    await connected.close();
    await test.close();
  });

  it('stores every given field', async () => {
    const id = randomUUID();
    const embedding = Array.from({ length: test.engine.limits.vectorSize }, (_, index) => (index === 0 ? 1 : 0));
    const fields = {
      content: 'We chose Postgres over MySQL for its JSON support.',
      tags: ['project:alpha', 'database'],
      importance: 0.9,
      type: 'Decision',
      confidence: 0.8,
      metadata: { source: 'meeting', nested: { depth: [1, 2] } },
      timestamp: '2026-01-02T03:04:05.000Z',
      updated_at: '2026-01-03T03:04:05.000Z',
      last_accessed: '2026-01-04T03:04:05.000Z',
      t_valid: '2026-01-02T00:00:00.000Z',
      t_invalid: '2027-01-02T00:00:00.000Z',
    };
    const result = await store({ ...fields, embedding, id });
    expect(result.isError).toBeFalsy();
    expect(structuredOf(result)).toMatchObject({
      status: 'success',
      memory_id: id,
      type: 'Decision',
      confidence: 0.8,
      enrichment: 'queued',
      embedding: 'stored',
    });
    expect(textOf(result)).toContain(id);
    const tags = [...fields.tags, 'entity:tools:mysql', 'entity:tools:postgresql'];
    expect((await test.engine.get(id)).memory).toMatchObject({ ...fields, tags });
  });

  it('requires only content', async () => {
    const result = await store({ content: 'The office plants are watered on Fridays.' });
    expect(structuredOf(result)).toMatchObject({
      embedding: 'stored',
      memory_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(structuredOf(result)).not.toHaveProperty('size_warning');
  });

  it('treats null as absent, and accepts numbers as text, a type in lower case and tags as one string', async () => {
    const id = await storedId({
      content: 'Forgiven forms.',
      type: 'insight',
      importance: '0.7',
      tags: 'x:y, z',
      metadata: null,
      timestamp: null,
      id: null,
    });
    expect((await test.engine.get(id)).memory).toMatchObject({
      type: 'Insight',
      importance: 0.7,
      tags: ['x:y', 'z'],
      metadata: {},
    });
  });

  it('stores a memory once when a call is repeated with the same id, and rejects other content', async () => {
    const args = { content: 'Told twice.', id: randomUUID(), tags: ['twice'] };
    expect(await storedId(args)).toBe(args.id);
    expect(await storedId(args)).toBe(args.id);
    expect((await test.engine.listByTag({ tags: ['twice'], limit: 5, offset: 0 })).memories).toHaveLength(1);
    const conflict = await store({ ...args, content: 'Something else.' });
    expect(conflict.isError).toBe(true);
    expect(conflict._meta).toMatchObject({ 'engraph/error': { code: 'conflict' } });
  });

  describe('content', () => {
    it.each([
      ['letters', 'a'],
      ['emoji', '🧠'],
    ])('of 500 %s is stored without a warning', async (_name, character) => {
      const result = await store({ content: character.repeat(500) });
      expect(result.isError).toBeFalsy();
      expect(structuredOf(result)).not.toHaveProperty('size_warning');
      expect(structuredOf(result)).not.toHaveProperty('content_length');
      expect(textOf(result)).not.toContain('Warning');
    });

    it.each([
      [501, 'a'],
      [501, '🧠'],
      [2000, 'a'],
      [2000, '🧠'],
    ])('of %i code points (%s) is stored with a warning', async (length, character) => {
      const result = await store({ content: character.repeat(length) });
      expect(result.isError).toBeFalsy();
      const { size_warning, content_length, memory_id } = structuredOf<Stored>(result);
      expect(content_length).toBe(length);
      expect(size_warning).toContain(String(length));
      expect(textOf(result)).toContain(size_warning);
      expect((await test.engine.get(memory_id)).memory.content).toBe(character.repeat(length));
    });

    it('is measured without surrounding white space', async () => {
      const result = await store({ content: `${' '.repeat(50)}${'a'.repeat(2000)}\n\n` });
      expect(structuredOf<Stored>(result).content_length).toBe(2000);
    });

    it.each(['a', '🧠'])('of 2001 code points (%s) is rejected before the engine is called', async character => {
      // The engine has no methods, so any call would be an internal error.
      const { call, close } = await connectClient(faultyEngine({}));
      const result = await call('store_memory', { content: character.repeat(2001) });
      await close();
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/2001 characters.*2000/);
      expect(textOf(result)).toMatch(/split/i);
      expect(result._meta).toMatchObject({ 'engraph/error': { code: 'too_large', field: 'content' } });
    });
  });

  it('assigns an id itself, and returns it when the outcome of a call is unknown', async () => {
    const seen: (string | undefined)[] = [];
    const failing: Partial<Engine> = {
      store(memory: NewMemory) {
        seen.push(memory.id);
        return Promise.reject(new MemoryError('unavailable', 'The graph store cannot be reached'));
      },
    };
    const { call, close } = await connectClient(faultyEngine(failing));
    const result = await call('store_memory', { content: 'a fact' });
    await close();
    expect(seen).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(seen[0]);
  });
});
