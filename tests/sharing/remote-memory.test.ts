/** A memory at ENGRAPH_URL is used instead of the data folder. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join as joinPath } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { systemClock } from '../../src/engine/clock.js';
import { listen } from '../../src/http/listen.js';
import { createMemoryClient } from '../../src/sharing/memory.js';
import { createTestApp } from '../http/test-app.js';
import { openTestEngine } from '../support/test-engine.js';
import { configOf, join, log, send, testFolder } from './test-memory.js';

async function served(apiToken: string) {
  const { engine, close } = await openTestEngine();
  const app = createTestApp({ engine, settings: { apiToken }, log });
  const listener = await listen(app, { host: '127.0.0.1', port: 0, log });
  onTestFinished(async () => {
    await listener.close();
    await close();
  });
  return { url: listener.url, engine };
}

describe('ENGRAPH_URL', () => {
  test('receives every request with ENGRAPH_TOKEN, and no data folder is created', async () => {
    const { url, engine } = await served('secret');
    const folder = joinPath(testFolder(), 'new');
    const memory = join(configOf({ ENGRAPH_URL: `${url}/`, ENGRAPH_TOKEN: 'secret', ENGRAPH_DATA_DIR: folder }));
    const client = createMemoryClient({ memory, clock: systemClock, log });
    const { memory_id } = await client.store({ content: 'Herons nest early', tags: ['birds, early'] });
    expect((await engine.get(memory_id)).memory.tags).toEqual(['birds, early']);
    expect((await client.recall({ query: 'herons', tags: ['birds, early'] })).count).toBe(1);
    expect(existsSync(folder)).toBe(false);
  });

  test('with a wrong token is refused by the service', async () => {
    const { url } = await served('secret');
    const memory = join(configOf({ ENGRAPH_URL: url, ENGRAPH_TOKEN: 'wrong' }));
    const message = `${url} refuses ENGRAPH_TOKEN`;
    await expect(send(memory, 'GET /recall')).rejects.toMatchObject({ code: 'unauthorized', message });
  });

  test('is named in the error, with the reason, if no process listens there', async () => {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise(resolve => server.close(resolve));
    const memory = join(configOf({ ENGRAPH_URL: `http://127.0.0.1:${port}` }));
    await expect(send(memory, 'GET /recall')).rejects.toMatchObject({
      code: 'unavailable',
      message: `http://127.0.0.1:${port} gave no answer (ECONNREFUSED)`,
      hint: 'Check that the service runs at that address, or correct ENGRAPH_URL.',
    });
  });

  test('confirms a deletion whose first answer was lost', async () => {
    const { url, engine } = await served('secret');
    const { memory } = await engine.store({ content: 'Herons nest early', tags: [], importance: 0.5, metadata: {} });
    const { id } = memory;
    let requests = 0;
    const forward = async (request: Request) => {
      requests += 1;
      const { pathname } = new URL(request.url);
      const headers = { authorization: 'Bearer secret' };
      const response = await fetch(`${url}${pathname}`, { method: request.method, headers });
      if (requests === 1) throw new MemoryError('unavailable', 'the connection was cut');
      return response;
    };
    const shared = { isReadOnly: false, reach: async () => ({ forward }) };
    const client = createMemoryClient({ memory: shared, clock: systemClock, log, retryDelaysMs: [1] });
    expect(await client.remove(id)).toEqual({ status: 'success', memory_id: id });
    await expect(engine.get(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.remove(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
