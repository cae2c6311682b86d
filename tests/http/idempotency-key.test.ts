/** The Idempotency-Key header makes repeated store requests safe. */
import { afterAll, describe, expect, test } from 'vitest';
import { openTestApp } from './test-app.js';

const { call, close } = await openTestApp();
afterAll(close);

const withKey = (key: string, json: unknown) => ({ json, headers: { 'Idempotency-Key': key } });

describe('Idempotency-Key', () => {
  test('gives a memory the same id in every repetition', async () => {
    const memory = { content: 'The heron nests on the chimney', tags: ['one'] };
    const first = await call('POST /memory', withKey('a key', memory));
    const second = await call('POST /memory', withKey('a key', memory));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.memory_id).toBe(first.body.memory_id);
    expect((await call('GET /memory/by-tag?tags=one')).body.count).toBe(1);
  });

  test('gives every memory of a batch a separate id', async () => {
    const memories = [
      { content: 'First', tags: ['many'] },
      { content: 'Second', tags: ['many'] },
    ];
    const first = await call('POST /memory/batch', withKey('another', memories));
    const second = await call('POST /memory/batch', withKey('another', memories));
    expect(new Set(first.body.memory_ids).size).toBe(2);
    expect(second.body.memory_ids).toEqual(first.body.memory_ids);
    expect((await call('GET /memory/by-tag?tags=many')).body.count).toBe(2);
  });

  test('does not change an id that the request contains', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    expect((await call('POST /memory', withKey('third', { id, content: 'x' }))).body.memory_id).toBe(id);
  });

  test('repeated with other content is a conflict', async () => {
    await call('POST /memory', withKey('fourth', { content: 'One thing' }));
    expect((await call('POST /memory', withKey('fourth', { content: 'Another' }))).status).toBe(409);
  });

  test('that is too long is refused, and the answer names the header', async () => {
    const { status, body } = await call('POST /memory', withKey('x'.repeat(256), { content: 'x' }));
    expect([status, body.field]).toEqual([400, 'Idempotency-Key']);
  });
});
