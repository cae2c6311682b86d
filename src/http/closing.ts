/** Closes a server, and gives running requests a limited time to end. */
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Prepares a server that has not been started yet.
 *
 * @returns a function that closes the server: it accepts no more connections, waits up to `graceMs` for running
 * requests, then closes every connection
 */
export function prepareClosing(server: Server, graceMs: number): () => Promise<void> {
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
