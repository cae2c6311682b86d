/**
 * If the process that has the memory open ends before it has answered, the request is sent again, but carried out only
 * once.
 */
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/domain/time.js';
import { createMemoryApp } from '../../src/http/memory-app.js';
import { bufferRequest } from '../../src/sharing/held-request.js';
import { connectionHere, createRelay, NoAnswer, type OpenMemory } from '../../src/sharing/relay.js';
import { createManualClock } from '../support/manual-clock.js';
import { openTestEngine } from '../support/test-engine.js';
import { log } from './test-memory.js';

/**
 * The first owner ends without an answer, before or after it has carried out the request. The second owner has the same
 * memory.
 */
async function relayOverTwoOwners(request: Request, owner: 'goes before' | 'goes after') {
  const memory = await openTestEngine();
  const app = createMemoryApp(memory.engine, log);
  const second = connectionHere(memory.engine, app.fetch, async () => {});
  const first: OpenMemory = {
    ...second,
    fetch: async held => {
      if (owner === 'goes after') await second.fetch(held);
      throw new NoAnswer(Object.assign(new Error('gone'), { code: owner === 'goes after' ? 'ECONNRESET' : 'ENOENT' }));
    },
  };
  const connections = [first, second].map(connection => Promise.resolve(connection));
  const schedule: Clock['schedule'] = (_delayMs, callback) => {
    callback();
    return () => {};
  };
  const relay = createRelay({
    clock: { ...createManualClock(), schedule },
    folder: '/folder',
    connected: () => connections[0] as Promise<OpenMemory>,
    forget: () => void connections.shift(),
  });
  return { memory, answer: async () => relay(await bufferRequest(request), request.signal) };
}

function post(path: string, body: object): Request {
  const headers = { 'content-type': 'application/json' };
  return new Request(`http://test${path}`, { method: 'POST', body: JSON.stringify(body), headers });
}

const ID = '11111111-1111-4111-8111-111111111111';

describe.each(['goes before', 'goes after'] as const)('when the owner %s carrying out the request', owner => {
  test('a memory is stored once, although the request has no id', async () => {
    const { memory, answer } = await relayOverTwoOwners(post('/memory', { content: 'One', tags: ['t'] }), owner);
    expect((await answer()).status).toBe(201);
    expect((await memory.engine.listByTag({ tags: ['t'], limit: 9, offset: 0 })).memories).toHaveLength(1);
    await memory.close();
  });

  test('a batch is stored once', async () => {
    const memories = [
      { content: 'One', tags: ['t'] },
      { content: 'Two', tags: ['t'] },
    ];
    const { memory, answer } = await relayOverTwoOwners(post('/memory/batch', memories), owner);
    expect(await (await answer()).json()).toMatchObject({ stored: 2 });
    expect((await memory.engine.listByTag({ tags: ['t'], limit: 9, offset: 0 })).memories).toHaveLength(2);
    await memory.close();
  });

  test('a memory is deleted, and the answer confirms it', async () => {
    const { memory, answer } = await relayOverTwoOwners(
      new Request(`http://test/memory/${ID}`, { method: 'DELETE' }),
      owner,
    );
    await memory.engine.store({ id: ID, content: 'One', tags: [], importance: 0.5, metadata: {} });
    const response = await answer();
    expect([response.status, await response.json()]).toEqual([200, { status: 'success', memory_id: ID }]);
    await memory.close();
  });
});

test('deleting an unknown memory answers 404, although an earlier owner has ended without an answer', async () => {
  const request = new Request(`http://test/memory/${ID}`, { method: 'DELETE' });
  const { memory, answer } = await relayOverTwoOwners(request, 'goes before');
  expect((await answer()).status).toBe(404);
  await memory.close();
});

describe('a request that must not be carried out twice', () => {
  const consolidation = () => post('/consolidate', { mode: 'decay', dry_run: false });

  test('is sent to the next owner if the first one never received it', async () => {
    const { memory, answer } = await relayOverTwoOwners(consolidation(), 'goes before');
    expect((await answer()).status).toBe(200);
    await memory.close();
  });

  test('fails if the first owner may have carried it out', async () => {
    const { memory, answer } = await relayOverTwoOwners(consolidation(), 'goes after');
    await expect(answer()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('may have carried out the request'),
    });
    expect((await memory.engine.consolidation.status()).history).toHaveLength(1);
    await memory.close();
  });
});
