/**
 * Opens a connection to a server. If the server is a Sentinel, connects to its master instead. If it is a node of a
 * cluster, connects to the cluster.
 */
import { createClient, createCluster, type RedisClientOptions } from '@redis/client';
import { isReply } from './failures.js';
import type { Address } from './settings.js';

export interface Client {
  /**
   * @param key the key of the graph that the command concerns; in a cluster, it determines the node that gets the command
   */
  send(key: string | undefined, command: readonly string[]): Promise<unknown>;
  /** Closes the connection at once; pending commands reject. May be called twice. */
  destroy(): void;
}

interface ClientRequest {
  address: Address;
  /** Maximum silence of a connection. A connection that is silent for longer is treated as broken. */
  silenceMs: number;
  /** Called with failures of the connection, even while the connection is being opened, but not after it was closed. */
  onError(error: unknown): void;
}

/** Connects once; rejects with the library's error on failure. */
export async function openClient({ address, silenceMs, onError }: ClientRequest): Promise<Client> {
  const { socket, display: _, ...login } = address;
  const options = {
    ...login,
    socket: { ...socket, connectTimeout: silenceMs, socketTimeout: silenceMs, reconnectStrategy: false },
    // A call must fail at once, and not wait, while the connection is lost.
    disableOfflineQueue: true,
    disableClientInfo: true,
    // Prevents a healthy but idle connection from being treated as silent.
    pingInterval: Math.ceil(silenceMs / 3),
  } as RedisClientOptions;
  const named = await openServer(options, onError);
  try {
    const mode = await modeOf(named);
    if (mode !== 'sentinel' && mode !== 'cluster') return named;
    const master = mode === 'sentinel' && (await masterOf(named));
    named.destroy();
    if (!master) return await openCluster(options, onError);
    return await openServer({ ...options, socket: { ...options.socket, ...master } } as RedisClientOptions, onError);
  } catch (error) {
    named.destroy();
    throw error;
  }
}

type Listener = (error: unknown) => void;

function openServer(options: RedisClientOptions, onError: Listener): Promise<Client> {
  const client = createClient(options);
  return opened(client, onError, (_key, command) => client.sendCommand(command));
}

function openCluster(options: RedisClientOptions, onError: Listener): Promise<Client> {
  const cluster = createCluster({ rootNodes: [options], defaults: options });
  return opened(cluster, onError, (key, command) => cluster.sendCommand(key, false, [...command]));
}

interface Openable {
  readonly isOpen: boolean;
  on(event: 'error', listener: Listener): unknown;
  connect(): Promise<unknown>;
  destroy(): void;
}

/**
 * An error event without a listener would end the process, so a listener is attached before the connection opens and
 * stays attached after it ends.
 */
async function opened(connection: Openable, onError: Listener, send: Client['send']): Promise<Client> {
  let hasEnded = false;
  connection.on('error', error => {
    if (!hasEnded) onError(error);
  });
  await connection.connect();
  const destroy = () => {
    hasEnded = true;
    if (connection.isOpen) connection.destroy();
  };
  return { send, destroy };
}

async function modeOf(client: Client): Promise<string | undefined> {
  const info = await client.send(undefined, ['INFO', 'server']).catch((error: unknown) => {
    // A user without permission to run this command can still use the graph.
    if (isReply(error)) return '';
    throw error;
  });
  return /^(?:redis|server)_mode:(\w+)/m.exec(String(info))?.[1];
}

async function masterOf(sentinel: Client): Promise<{ host: string; port: number }> {
  const masters = (await sentinel.send(undefined, ['SENTINEL', 'MASTERS'])) as string[][];
  const [master, ...others] = masters;
  if (!master || others.length > 0) throw new Error(`The Sentinel watches ${masters.length} masters instead of one`);
  const entry = (name: string) => master[master.indexOf(name) + 1] ?? '';
  return { host: entry('ip'), port: Number(entry('port')) };
}
