/** Clients of one address that send their bodies very slowly do not keep the others waiting. Uses the real binary. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { INITIALIZE, spawnServe, temporaryFolder, toolCall } from './spawned-engraph.js';

/** As many as may wait for a place, and a few more. */
const SLOW_COUNT = 270;
const HEADERS = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n';
const BODY = '{"content":"Sent a byte at a time."}';

/** Opens connections that have sent their headers and the first byte of their bodies. */
async function openSlow(port: string, request: string, length: string): Promise<Socket[]> {
  const sockets = Array.from({ length: SLOW_COUNT }, () => connect(Number(port), '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) socket.on('error', () => {}).resume();
  await Promise.all(sockets.map(socket => once(socket, 'connect')));
  const head = `${request} HTTP/1.1\r\nHost: localhost:${port}\r\n${HEADERS}${length}\r\n\r\n`;
  const firstByte = length.startsWith('Transfer') ? '1\r\n{\r\n' : '{';
  await Promise.all(sockets.map(socket => new Promise(sent => socket.write(head + firstByte, sent))));
  return sockets;
}

async function post(url: string, json: object, headers: object = {}): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(json),
  });
  await response.text();
  return response.status;
}

const initialize = { jsonrpc: '2.0', ...INITIALIZE };
const call = { jsonrpc: '2.0', ...toolCall(1, 'recall_memory', { query: 'tea' }) };

/** What others do meanwhile, with the status that each gets. */
async function useService(url: string): Promise<number[]> {
  const uses = [
    post(`${url}/memory`, { content: 'Ann likes tea.' }),
    post(`${url}/memory/batch`, [{ content: 'Ben likes cocoa.' }]),
    post(`${url}/mcp`, initialize),
    post(`${url}/mcp`, call, { 'mcp-protocol-version': '2025-11-25' }),
    fetch(`${url}/recall?query=tea`).then(({ status }) => status),
    fetch(`${url}/health`).then(({ status }) => status),
  ];
  return Promise.all(uses);
}

describe.each([
  ['POST /memory', `Content-Length: ${BODY.length}`],
  ['POST /memory', 'Transfer-Encoding: chunked'],
  ['POST /memory/batch', 'Content-Length: 100000'],
  ['PATCH /memory/11111111-1111-4111-8111-111111111111', 'Content-Length: 200'],
  ['POST /mcp', 'Content-Length: 200'],
  ['POST /mcp', 'Transfer-Encoding: chunked'],
])('%s with slow bodies (%s)', (request, length) => {
  test(`answers the others while ${SLOW_COUNT} bodies arrive`, async () => {
    const { url, port } = await spawnServe(await temporaryFolder());
    const usual = await useService(url);
    expect(usual.slice(0, 3)).toEqual([201, 201, 200]);
    const slow = await openSlow(port, request, length);
    for (let byte = 1; byte <= 3; byte++) {
      for (const socket of slow) socket.write(length.startsWith('Transfer') ? '1\r\n \r\n' : ' ');
      expect(await useService(url)).toEqual(usual);
    }
    expect(slow.filter(socket => !socket.destroyed)).toHaveLength(SLOW_COUNT);
  });
});

test('each slow body is answered once it has arrived', async () => {
  const { url, port } = await spawnServe(await temporaryFolder());
  const slow = await openSlow(port, 'POST /memory', `Content-Length: ${BODY.length}`);
  expect(await useService(url)).not.toContain(429);
  // Fewer than may wait for a place.
  const finished = slow.slice(0, 200);
  const answers = finished.map(async socket => String((await once(socket, 'data'))[0]).slice(0, 12));
  for (const socket of finished) socket.write(BODY.slice(1));
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 201']));
});
