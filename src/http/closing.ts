/** Closing a server without cutting off the requests that are running. */
import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Watches a server that has not been started yet.
 *
 * @returns what closes it: accepts no more, lets running requests finish within `graceMs`, then closes every connection
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
      // The headers of a stream have promised to keep the connection.
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

/** Node counts a connection that has not sent anything yet as busy, and keeps one that has been answered. */
function releaseIdle(connections: ReadonlySet<Socket>, running: ReadonlySet<ServerResponse>): void {
  const busy = new Set<Socket | null>();
  for (const response of running) {
    busy.add(response.socket);
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }
  for (const connection of connections) if (!busy.has(connection)) connection.destroy();
}
