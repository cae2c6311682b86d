/** A TCP proxy on loopback that can delay or hold back data, to simulate a slow or broken network. */
import { once } from 'node:events';
import { createServer, connect as openSocket, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Number of connections that clients have opened so far. */
  readonly opened: number;
  /** Stops passing data on through the connections that are open now. They stay open. */
  mute(): void;
  stop(): Promise<void>;
}

interface ProxyOptions {
  /** Delay of all data in each direction. */
  delayMs?: number;
  /** Gets the data that clients send. */
  onRequest?(data: Buffer): void;
}

export async function startTcpProxy(
  targetPort: number,
  { delayMs = 0, onRequest }: ProxyOptions = {},
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const muted = new Set<Socket>();
  let opened = 0;
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('error', () => undefined);
    from.on('data', data => {
      if (muted.has(from)) return;
      setTimeout(() => to.writable && to.write(data), delayMs);
    });
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer(client => {
    opened += 1;
    client.on('data', data => onRequest?.(data));
    const target = openSocket(targetPort, '127.0.0.1');
    pass(client, target);
    pass(target, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    get opened() {
      return opened;
    },
    mute: () => {
      for (const socket of sockets) muted.add(socket);
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
