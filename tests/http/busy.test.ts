/** While a model hangs, requests wait for it, and no request waits for them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openTestEngine } from '../support/test-engine.js';
import { until } from '../support/turns.js';
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

test('recalls that wait for a model keep nobody waiting, and are answered without it', async () => {
  const model = await openSilentServer();
  const { engine, clock, log, close } = await openTestEngine({
    EMBEDDING_PROVIDER: 'ollama',
    OLLAMA_BASE_URL: model.url,
    OLLAMA_MODEL: 'silent',
  });
  onTestFinished(close);
  const app = createTestApp({ engine, log });
  const answered: number[] = [];
  const all = Array.from({ length: 24 }, async (_, index) =>
    answered.push((await send(app, `GET /recall?query=tea${index}`)).status),
  );
  await until(() => model.asked() > 0);
  const { status } = await send(app, 'GET /memory/by-tag?tags=tea');
  expect([status, answered.length]).toEqual([200, 0]);
  clock.advance(EMBED_DEADLINE_MS);
  await until(() => answered.length === all.length);
  expect(new Set(answered)).toEqual(new Set([200]));
});
