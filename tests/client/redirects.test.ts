/** The client follows no redirect, because a redirect could send its tokens to another host. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/client.js';

async function listening(answer: { status: number; location?: string }): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    response.writeHead(answer.status, answer.location === undefined ? {} : { location: answer.location });
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

test.each([301, 302, 307, 308])('status %d', async status => {
  const elsewhere = await listening({ status: 200 });
  const service = await listening({ status, location: elsewhere.url });
  const client = createClient({ url: service.url, token: 'token-of-the-service', adminToken: 'admin' });
  await expect(client.recall({ query: 'herons' })).rejects.toMatchObject({ status });
  await expect(client.store({ content: 'Herons nest' })).rejects.toMatchObject({ status });
  expect(service.seen).toHaveLength(2);
  expect(elsewhere.seen).toEqual([]);
});
