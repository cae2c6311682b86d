/** When a recall would have to wait too long, the caller learns when to try again. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openTestEngine } from '../support/test-engine.js';
import { letWorkRun, until } from '../support/turns.js';
import { createTestApp, send } from './test-app.js';

/** The time for which a recall waits for the vector of its query. */
const EMBED_DEADLINE_MS = 3_000;

/** Opens an embedding model that never answers. */
async function openSilentServer() {
  let asked = 0;
  const server = createServer(() => {
    asked += 1;
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

test('while the model hangs, some of many recalls are answered, and the others get a 429 within seconds', async () => {
  const model = await openSilentServer();
  const { engine, clock, log, close } = await openTestEngine({
    EMBEDDING_PROVIDER: 'ollama',
    OLLAMA_BASE_URL: model.url,
    OLLAMA_MODEL: 'silent',
  });
  onTestFinished(close);
  const app = createTestApp({ engine, log });
  const ask = (index: number) => send(app, `GET /recall?query=tea${index}`);
  const answered: number[] = [];
  const all = Array.from({ length: 24 }, async (_, index) => answered.push((await ask(index)).status));
  await until(() => model.asked() >= 4);
  clock.advance(EMBED_DEADLINE_MS);
  await until(() => answered.length >= 4);
  const { status, headers, body } = await ask(24);
  expect(status).toBe(429);
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(9);
  expect(body).toMatchObject({ status: 'error', code: 429, message: 'Too many recalls at once' });
  while (answered.length < all.length) {
    clock.advance(EMBED_DEADLINE_MS);
    await letWorkRun();
  }
  // A recall waits at most five seconds for its turn. Only two rounds of four recalls begin in that time.
  expect(answered.filter(each => each === 200)).toHaveLength(8);
  expect(answered.filter(each => each === 429)).toHaveLength(16);
});
