/** The application on a real socket. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { MemoryError } from '../../src/domain/errors.js';
import { type Listener, listen } from '../../src/http/listen.js';
import { openTestApp, recordingLog } from './test-app.js';

const real = await openTestApp({ bodyLimitBytes: 10_000 });
const listeners: Listener[] = [];
afterAll(real.close);
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(listeners.splice(0).map(listener => listener.close()));
});

async function start(app: Hono = real.app, host = '127.0.0.1') {
  const { log, entries } = recordingLog();
  const listener = await listen(app, { host, port: 0, log });
  listeners.push(listener);
  return { listener, entries };
}

function signal() {
  let fire = () => {};
  const fired = new Promise<void>(resolve => {
    fire = resolve;
  });
  return { fire, fired };
}

/** An application whose route `/held` answers when the test allows it. */
function holdingApp() {
  const app = new Hono();
  const { fire: letGo, fired: held } = signal();
  const { fire: arrive, fired: arrived } = signal();
  app.get('/held', async context => {
    arrive();
    await held;
    return context.json({ status: 'success' });
  });
  app.get('/free', context => context.json({ status: 'success' }));
  return { app, arrived, letGo };
}

/** Sends raw bytes and reads until the server closes the connection. */
async function sendRaw(port: number, bytes: string | Buffer): Promise<{ head: string; body: unknown }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { head, body: JSON.parse(body) };
}

describe('listen', () => {
  it('answers requests at its URL when the system chooses the port', async () => {
    const { listener } = await start();
    expect(listener.url).toBe(`http://127.0.0.1:${listener.port}`);
    const response = await fetch(`${listener.url}/memory`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'over a socket' }),
    });
    expect([response.status, (await response.json()) as object]).toMatchObject([201, { status: 'success' }]);
  });

  it('reports an address that clients can call when it listens on a wildcard address', async () => {
    const { app } = holdingApp();
    const { listener } = await start(app, '0.0.0.0');
    expect((await fetch(`${listener.url}/free`)).status).toBe(200);
  });

  it('rejects with a hint about --port when the port is taken', async () => {
    const { listener } = await start();
    const second = listen(real.app, { host: '127.0.0.1', port: listener.port, log: recordingLog().log });
    await expect(second).rejects.toBeInstanceOf(MemoryError);
    await expect(second).rejects.toMatchObject({
      code: 'unavailable',
      message: `Port ${listener.port} on 127.0.0.1 is taken`,
      hint: expect.stringContaining('--port'),
    });
    expect((await fetch(`${listener.url}/health`)).status).toBe(200);
  });

  it('rejects when the address does not belong to this machine', async () => {
    const second = listen(real.app, { host: '192.0.2.1', port: 0, log: recordingLog().log });
    await expect(second).rejects.toMatchObject({ code: 'unavailable', hint: expect.stringContaining('HOST') });
  });

  it('accepts an embedding of full precision in the query string', async () => {
    const { listener } = await start();
    const size = real.engine.limits.vectorSize;
    const embedding = Array.from({ length: size }, (_, index) => Math.sin(index + 1) * 1e-7).join(',');
    const response = await fetch(`${listener.url}/recall?embedding=${embedding}&context=${'x'.repeat(20_000)}`);
    expect(response.status).toBe(200);
  });
});

describe('an address that is not percent-encoded', () => {
  const ask = (address: string | Buffer, more = '') =>
    Buffer.concat([
      Buffer.from('GET '),
      Buffer.from(address),
      Buffer.from(` HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`),
    ]);

  it.each(['서버는 어디', 'Łódź', '📌 größe'])('is read as if it were: %s', async question => {
    const { listener, entries } = await start();
    const [word = ''] = question.split(' ');
    const raw = await sendRaw(listener.port, ask(`/recall?query=${question.replaceAll(' ', '+')}&tags=${word}`));
    expect(raw.head).toMatch(/^HTTP\/1.1 200 /);
    expect(raw.head).toMatch(/connection: close/i);
    expect(raw.body).toMatchObject({ status: 'success', query: question, tags: [word] });
    expect(entries).toEqual([]);
  });

  it('in a path reaches the route too', async () => {
    const { listener } = await start();
    const { head, body } = await sendRaw(listener.port, ask('/memory/é'));
    expect(head).toMatch(/^HTTP\/1.1 (?:400|404) /);
    expect(body).toMatchObject({ status: 'error', error: expect.not.stringContaining('Bad Request') });
  });

  it('is read with the headers and the body that follow in further packets', async () => {
    const { listener } = await start();
    const socket = connect(listener.port, '127.0.0.1');
    const body = JSON.stringify({ content: 'after the address' });
    const head = 'Host: localhost\r\nContent-Type: application/json\r\n';
    socket.write(`POST /memory?api_key=é HTTP/1.1\r\n${head}`);
    await new Promise(resolve => setImmediate(resolve));
    socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 201 /);
  });

  it('is refused with a reason if it is not UTF-8', async () => {
    const { listener } = await start();
    const { head, body } = await sendRaw(listener.port, ask(Buffer.from('/recall?query=gr\xf6\xdfe', 'latin1')));
    expect(head).toMatch(/^HTTP\/1.1 400 /);
    expect(body).toMatchObject({ status: 'error', error: 'The address of the request is not valid UTF-8' });
  });

  it('reveals who opened the connection', async () => {
    const seen: unknown[] = [];
    const app = new Hono<{ Bindings: { incoming: IncomingMessage } }>().get('/where', context => {
      const { socket } = context.env.incoming;
      seen.push([socket instanceof Socket, socket.remoteAddress, socket.localPort, socket.remotePort]);
      return context.json({ status: 'success' });
    });
    const { listener } = await start(app as unknown as Hono);
    await sendRaw(listener.port, ask('/where?é'));
    expect(seen).toEqual([[true, '127.0.0.1', listener.port, expect.any(Number)]]);
  });

  it('never makes an earlier request of the connection run again', async () => {
    const seen: string[] = [];
    const app = new Hono().get('/*', context => {
      seen.push(context.req.path);
      return context.json({ status: 'success' });
    });
    const { listener } = await start(app);
    const socket = connect(listener.port, '127.0.0.1');
    socket.write(Buffer.concat([ask('/first'), ask('/second?é')]));
    expect(await text(socket)).toContain('400 Bad Request');
    expect(seen).toEqual(['/first']);
  });
});

describe('bodies on a socket', () => {
  const post = async (url: string, headers: Record<string, string>, chunks: string[]) => {
    const request = httpRequest(`${url}/memory`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    for (const chunk of chunks) request.write(chunk);
    request.end();
    const [response] = await once(request, 'response');
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  };

  it('are refused with 413 above the size limit, with or without Content-Length', async () => {
    const { listener } = await start();
    const large = JSON.stringify({ content: 'x'.repeat(10_000) });
    const stated = await post(listener.url, { 'content-length': String(large.length) }, [large]);
    const chunked = await post(listener.url, {}, [large.slice(0, 6000), large.slice(6000)]);
    expect([stated.status, chunked.status]).toEqual([413, 413]);
    expect(chunked.body).toMatchObject({ status: 'error', code: 413 });
  });

  it('are accepted in chunks', async () => {
    const { listener } = await start();
    expect((await post(listener.url, {}, ['{"content":', '"in two parts"}'])).status).toBe(201);
  });
});

describe('a failing request', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['no host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['no host in HTTP/1.0', 'GET /health HTTP/1.0\r\n\r\n', 400],
    ['a host that is none', 'GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    [
      'another host in an absolute target',
      'GET http://evil.example/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      403,
    ],
    ['endless headers', `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(600_000)}\r\n\r\n`, 431],
  ])('with %s is answered with JSON', async (_, bytes, status) => {
    const { listener } = await start();
    const { head, body } = await sendRaw(listener.port, bytes);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/content-type: application\/json/i);
    expect(body).toMatchObject({
      status: 'error',
      code: status,
      error: expect.any(String),
      message: expect.any(String),
    });
  });

  it('that makes the application throw a value other than an Error is answered with 500', async () => {
    const app = new Hono().get('/strange', () => Promise.reject('strange'));
    const { listener, entries } = await start(app);
    const response = await fetch(`${listener.url}/strange`);
    expect([response.status, (await response.json()) as object]).toMatchObject([
      500,
      { error: 'Internal server error' },
    ]);
    expect(entries).toHaveLength(1);
  });
});

describe('a client that disconnects', () => {
  it('does not affect other requests and causes no output on stdout', async () => {
    const printed = vi.spyOn(process.stdout, 'write');
    const { app, arrived, letGo } = holdingApp();
    const { listener, entries } = await start(app);
    const abort = new AbortController();
    const gone = fetch(`${listener.url}/held`, { signal: abort.signal });
    await arrived;
    abort.abort();
    await expect(gone).rejects.toThrow();
    letGo();
    expect((await fetch(`${listener.url}/free`)).status).toBe(200);
    expect(entries).toEqual([]);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  it.each([
    ['stated', 'Content-Length: 100\r\n\r\n{"con'],
    ['chunked', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"con\r\n'],
  ])('while it sends a body (length: %s) causes no internal error', async (_, framing) => {
    const { fire: arrive, fired: arrived } = signal();
    const statuses: Promise<number>[] = [];
    const app = new Hono().all('*', context => {
      const answer = Promise.resolve(real.app.fetch(context.req.raw, context.env));
      statuses.push(answer.then(({ status }) => status));
      arrive();
      return answer;
    });
    const { listener, entries } = await start(app);
    const socket = connect(listener.port, '127.0.0.1');
    socket.write(`POST /memory HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${framing}`);
    await arrived;
    socket.resetAndDestroy();
    // Whose connection it was is no longer known either.
    const [status] = await Promise.all(statuses);
    expect([400, 403]).toContain(status);
    expect((await fetch(`${listener.url}/health`)).status).toBe(200);
    expect([...real.logged, ...entries]).toEqual([]);
  });
});

describe('close', () => {
  it('waits for a running request on a keep-alive connection, and accepts no more requests', async () => {
    const { app, arrived, letGo } = holdingApp();
    const { listener } = await start(app);
    const running = fetch(`${listener.url}/held`);
    await arrived;
    const closed = listener.close();
    await expect(fetch(`${listener.url}/free`)).rejects.toThrow();
    letGo();
    const answer = await running;
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await closed;
  });

  it('does not wait for a connection that has sent nothing', async () => {
    const { app } = holdingApp();
    const { listener } = await start(app);
    const silent = connect(listener.port, '127.0.0.1');
    await once(silent, 'connect');
    // Connections are accepted in order, so the silent connection is open when this request is answered.
    await fetch(`${listener.url}/free`);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await Promise.all([once(silent, 'close'), listener.close()]);
  });

  it('disconnects unfinished requests after two seconds', async () => {
    const { app, arrived, letGo } = holdingApp();
    const { listener } = await start(app);
    const running = fetch(`${listener.url}/held`).then(
      () => 'answered',
      () => 'cut off',
    );
    await arrived;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let isClosed = false;
    const closed = listener.close().then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(1999);
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await closed;
    expect(await running).toBe('cut off');
    letGo();
  });

  it('may be called twice and frees the port', async () => {
    const { listener } = await start();
    await Promise.all([listener.close(), listener.close()]);
    const again = await listen(real.app, { host: '127.0.0.1', port: listener.port, log: recordingLog().log });
    listeners.push(again);
    expect(again.port).toBe(listener.port);
  });
});
