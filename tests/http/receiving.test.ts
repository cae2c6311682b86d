/** A client that does not finish sending gets an answer and is disconnected. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { listen, type ReceiveLimits } from '../../src/http/listen.js';
import { openTestApp, recordingLog } from './test-app.js';

const { app, logged, close } = await openTestApp();
afterAll(close);
/** Sends the beginning of a request and keeps the connection open. Resolves when the server has closed it. */
async function sendPart(port: number, bytes: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.setEncoding('utf8').on('data', chunk => {
    received += chunk;
  });
  const closed = new Promise(resolve => socket.once('close', resolve));
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'end');
  // Writes repeatedly, because writing fails only when the server has closed both directions.
  const ticking = setInterval(() => socket.write('x'), 20);
  await closed;
  clearInterval(ticking);
  return received;
}

describe.concurrent('a client that stops sending', () => {
  const slowHeaders: ReceiveLimits = { headersMs: 50, requestMs: 600_000, checkEveryMs: 10 };
  const slowBody: ReceiveLimits = { headersMs: 50, requestMs: 50, checkEveryMs: 10 };

  it.each([
    ['before the first byte', '', slowHeaders],
    ['within a header', 'GET /health HTTP/1.1\r\nHost: local', slowHeaders],
    [
      'within a body of stated length',
      'POST /memory HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"con',
      slowBody,
    ],
    [
      'within a chunked body',
      'POST /memory HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"con\r\n',
      slowBody,
    ],
  ])('%s gets 408 and is disconnected', async (_, bytes, receiving) => {
    const listener = await listen(app, { host: '127.0.0.1', port: 0, log: recordingLog().log, receiving });
    const received = await sendPart(listener.port, bytes).finally(() => listener.close());
    const answers = received.split('HTTP/1.1 ').slice(1);
    expect(answers).toHaveLength(1);
    const [head = '', body = ''] = answers[0]?.split('\r\n\r\n') ?? [];
    expect(head).toMatch(/^408 Request Timeout\r\n/);
    expect(JSON.parse(body)).toMatchObject({ status: 'error', code: 408, error: expect.any(String) });
    expect(logged).toEqual([]);
  });
});
