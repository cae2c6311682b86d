/** Runs the application on a socket, and closes it without interrupting running requests. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6, type ListenOptions, type Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import { MemoryError } from '../domain/errors.js';
import type { Logger } from '../log.js';
import { withRequest } from '../request-context.js';
import { describeError } from './errors.js';
import { REQUEST_ID_HEADER, SAFE_HEADERS } from './every-request.js';
import { acceptRawTargets } from './raw-target.js';

export interface ListenSettings {
  host: string;
  /** 0 lets the system choose a free port. */
  port: number;
  log: Logger;
  receiving?: ReceiveLimits;
  /** A source of connections that stay open. */
  streams?: Closable;
}

export interface Closable {
  /** Ends idle connections and accepts no new work. */
  beginClosing(): void;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Time limits for sending a request. A slower client gets 408 and is disconnected. */
export interface ReceiveLimits {
  /** Time from the opening of the connection, or from the first byte of a later request, to the end of the headers. */
  headersMs: number;
  /** Time from the opening of the connection, or from the first byte of a later request, to the end of the body. */
  requestMs: number;
  /** Interval at which connections are checked. */
  checkEveryMs: number;
}

export interface Listener {
  /** An address at which this machine can reach the listener. */
  url: string;
  port: number;
  /**
   * Accepts no more connections, gives running requests two seconds, then closes every connection. A second call of
   * `close` is safe.
   */
  close(): Promise<void>;
}

const CLOSE_GRACE_MS = 2000;
const RECEIVE_LIMITS: ReceiveLimits = { headersMs: 10_000, requestMs: 60_000, checkEveryMs: 1_000 };
/**
 * Maximum size of the headers. The query string of a recall may contain an embedding: 20,000 numbers of about 20
 * characters.
 */
const MAX_HEADER_BYTES = 512 * 1024;

/**
 * @throws MemoryError `unavailable` when the port is taken or not permitted, or the host does not belong to this
 * machine
 */
export async function listen(app: Hono, settings: ListenSettings): Promise<Listener> {
  const { host, port, log, streams } = settings;
  const { server, close: closeServer } = prepareServer(app, log, settings.receiving);
  await bind(server, { host, port }, error => listenError(error, host, port));
  const close = async () => {
    streams?.beginClosing();
    await closeServer();
    await streams?.close();
  };
  const actualPort = (server.address() as AddressInfo).port;
  return { url: `http://${reachableHost(host)}:${actualPort}`, port: actualPort, close };
}

/**
 * Listens on a Unix socket or a named pipe.
 *
 * @returns a function that closes the socket like `Listener.close`
 * @throws MemoryError `unavailable` when the address cannot be used
 */
export async function listenOnSocket(app: Hono, address: string, log: Logger): Promise<Listener['close']> {
  const { server, close } = prepareServer(app, log);
  await bind(
    server,
    { path: address },
    cause => new MemoryError('unavailable', `Cannot listen on ${address}: ${cause.message}`, { cause }),
  );
  return close;
}

function prepareServer(app: Hono, log: Logger, receiving?: ReceiveLimits) {
  const respond = getRequestListener(app.fetch, {
    errorHandler: error => {
      const failure = error instanceof RequestError ? new MemoryError('invalid', 'Malformed request') : error;
      const id = randomUUID();
      const body = withRequest({ id }, () => describeError(failure, 'A request', log));
      return Response.json(body, { status: body.code, headers: { ...SAFE_HEADERS, [REQUEST_ID_HEADER]: id } });
    },
  });
  const server = createServer(serverOptions(receiving), (request, response) => {
    void respond(request, response);
  });
  const close = prepareClosing(server, CLOSE_GRACE_MS);
  acceptRawTargets(server);
  // Until the server listens, failures go to the caller.
  server.on('listening', () => server.on('error', error => log.error('The listener failed', error)));
  return { server, close };
}

function serverOptions({ headersMs, requestMs, checkEveryMs } = RECEIVE_LIMITS): ServerOptions {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    // By default Node itself answers a request without a Host header, with an empty body.
    requireHostHeader: false,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkEveryMs,
  };
}

async function bind(
  server: Server,
  place: ListenOptions,
  failureOf: (error: NodeJS.ErrnoException) => MemoryError,
): Promise<void> {
  try {
    server.listen(place);
    await once(server, 'listening');
  } catch (error) {
    throw failureOf(error as NodeJS.ErrnoException);
  }
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): MemoryError {
  const choosePort = 'Choose another port with --port or PORT.';
  switch (error.code) {
    case 'EADDRINUSE':
      return new MemoryError('unavailable', `Port ${port} on ${host} is taken`, { hint: choosePort, cause: error });
    case 'EACCES':
      return new MemoryError('unavailable', `Port ${port} on ${host} is not permitted`, {
        hint: choosePort,
        cause: error,
      });
    default:
      return new MemoryError('unavailable', `Cannot listen on ${host}, port ${port}: ${error.message}`, {
        hint: 'Give an address of this machine with --host or HOST.',
        cause: error,
      });
  }
}

function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

/**
 * Prepares a server that has not been started yet.
 *
 * @returns a function that closes the server: it accepts no more connections, waits up to `graceMs` for running
 * requests, then closes every connection
 */
function prepareClosing(server: Server, graceMs: number): () => Promise<void> {
  const connections = new Set<Socket>();
  const running = new Set<ServerResponse>();
  server.on('connection', (connection: Socket) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  let closed: Promise<void> | undefined;
  server.on('request', ({ socket }, response: ServerResponse) => {
    running.add(response);
    response.once('close', () => {
      running.delete(response);
      // If the headers were sent before the shutdown, the client keeps the connection open, so the server closes it.
      if (closed) socket.destroySoon();
    });
  });

  return () => {
    closed ??= close(server, graceMs, () => releaseIdle(connections, running));
    return closed;
  };
}

async function close(server: Server, graceMs: number, release: () => void): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  release();
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(deadline);
}

/**
 * Closes idle connections. Node would not close all of them, because it treats a connection that has not yet sent a
 * request as busy.
 * Running requests get the header `Connection: close`, because Node would keep the connection open after the answer.
 */
function releaseIdle(connections: ReadonlySet<Socket>, running: ReadonlySet<ServerResponse>): void {
  const busy = new Set<Socket | null>();
  for (const response of running) {
    busy.add(response.socket);
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
  for (const connection of connections) if (!busy.has(connection)) connection.destroy();
}
