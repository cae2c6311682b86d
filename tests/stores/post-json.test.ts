/** Tests how searches are sent to Qdrant: over `node:http`, to servers that answer in unusual ways. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { QdrantClientTimeoutError } from '../../src/packages/qdrant.js';
import { ConnectionFailure, createPostJson } from '../../src/stores/qdrant/post-json.js';

const TIMEOUT_MS = 300;

async function postTo(answer: RequestListener, path = '') {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return createPostJson({ base, headers: { 'api-key': 'secret' }, timeoutMs: TIMEOUT_MS });
}

test('a request has the path of the server, its headers and the whole body, and returns status and text', async () => {
  const post = await postTo(async (incoming, response) => {
    let body = '';
    for await (const part of incoming) body += part;
    const { url, method } = incoming;
    const key = incoming.headers['api-key'];
    response.writeHead(418).end(JSON.stringify({ url, method, key, body: JSON.parse(body) }));
  }, '/team/a%20proxy/');
  const { status, text } = await post('/points', { text: 'ü' });
  expect(status).toBe(418);
  expect(JSON.parse(text)).toEqual({
    url: '/team/a%20proxy/points',
    method: 'POST',
    key: 'secret',
    body: { text: 'ü' },
  });
});

test('an answer that is cut off in the middle is a failure of the connection', async () => {
  const post = await postTo((_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"result"', () => response.destroy());
  });
  await expect(post('/points', {})).rejects.toBeInstanceOf(ConnectionFailure);
});

test('if the server switches protocols, the request fails at once', async () => {
  const post = await postTo(
    (_, response) =>
      void response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n'),
  );
  await expect(post('/points', {})).rejects.toBeInstanceOf(ConnectionFailure);
});

test('an answer that does not end is given up at the time limit', async () => {
  const post = await postTo((_, response) => void response.writeHead(200).write('{'));
  await expect(post('/points', {})).rejects.toBeInstanceOf(QdrantClientTimeoutError);
});

test('requests without an answer free their connections at the time limit', async () => {
  let isHanging = true;
  const post = await postTo((_, response) => {
    if (!isHanging) response.end('answer');
  });
  const hanging = await Promise.allSettled(Array.from({ length: 30 }, () => post('/points', {})));
  expect(hanging.filter(({ status }) => status === 'rejected')).toHaveLength(30);
  isHanging = false;
  expect(await post('/points', {})).toEqual({ status: 200, text: 'answer' });
});

test('an answer that is too long is refused, and the next request works', async () => {
  let isFirst = true;
  const megabyte = 'x'.repeat(1024 * 1024);
  const post = await postTo((_, response) => {
    response.writeHead(200);
    for (let count = 0; isFirst && count < 70; count++) response.write(megabyte);
    response.end('end');
    isFirst = false;
  });
  const failure = await post('/points', {}).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(failure).not.toBeInstanceOf(ConnectionFailure);
  expect((await post('/points', {})).text).toBe('end');
});
