/**
 * One connection to a server and its graph. If the address is a Sentinel, connects to its master instead. If it is a node
 * of a cluster, connects to the cluster. The package `falkordb` writes the commands and reads the answers.
 */
import { createClient, createCluster, type RedisClientOptions } from '@redis/client';
import { Graph, type GraphClient, QUERY, type QueryReply, RO_QUERY } from '../../packages/falkordb.js';
import { isReply, RefusedError } from './failures.js';
import type { Address } from './settings.js';
import { type Parameters, preamble } from './values.js';

export interface Session {
  /**
   * @param runningMs maximum running time on the server. Without it, the server would finish the statement although the
   *   caller has given up. Writes would wait until then
   */
  read<Row>(statement: string, parameters?: Parameters, runningMs?: number): Promise<Row[]>;
  write<Row>(statement: string, parameters?: Parameters): Promise<Row[]>;
  /** Closes the connection at once; pending calls reject. May be called twice. */
  close(): void;
}

interface SessionRequest {
  address: Address;
  /** Name of the graph. */
  graph: string;
  /** Maximum time without data from the server. After this time, the connection is treated as broken. */
  silenceMs: number;
  /** Called with failures of the connection, even while it is being opened, but not after it was closed. */
  onLost(error: unknown): void;
}

/** Connects once; rejects with the client's error on failure. */
export async function openSession({ graph: name, ...request }: SessionRequest): Promise<Session> {
  const client = await openClient(request);
  try {
    const [rowsMax = NO_LIMIT, runningMaxMs] = await Promise.all(
      ['RESULTSET_SIZE', 'TIMEOUT_MAX'].map(setting => readLimit(client, setting)),
    );
    const graph = graphOf(client, name);
    const rowsOf = async <Row>(answer: Promise<{ data?: Row[] }>): Promise<Row[]> => {
      const { data = [] } = await answer;
      if (data.length >= rowsMax) throw cutShort(rowsMax);
      return data;
    };
    const textOf = (statement: string, parameters: Parameters = {}) => preamble(parameters) + statement;
    return {
      read: <Row>(statement: string, parameters?: Parameters, runningMs = NO_LIMIT) => {
        // If the server's maximum is unknown, statements set no limit, because it refuses a greater one.
        const limitMs = Math.min(Math.max(1, Math.ceil(runningMs)), runningMaxMs ?? NO_LIMIT);
        const hasLimit = runningMaxMs !== undefined && Number.isFinite(limitMs);
        return rowsOf(graph.roQuery<Row>(textOf(statement, parameters), hasLimit ? { TIMEOUT: limitMs } : {}));
      },
      write: <Row>(statement: string, parameters?: Parameters) =>
        rowsOf(graph.query<Row>(textOf(statement, parameters))),
      close: client.destroy,
    };
  } catch (error) {
    client.destroy();
    throw error;
  }
}

/** Returns the graph of the package on our own connection. */
export function graphOf(client: Client, name: string) {
  const sender =
    ({ transformArguments, transformReply }: typeof QUERY | typeof RO_QUERY): GraphClient['query'] =>
    async (graph, statement, options, isCompact = true) => {
      const command = transformArguments(graph, statement, options, isCompact);
      const reply = (await client.send(name, command as string[])) as QueryReply;
      // The package reads an error in place of a row as an empty row.
      const failure = reply.length > 1 ? (reply[1] as unknown[]).find(isReply) : undefined;
      if (failure) throw failure;
      return transformReply(reply);
    };
  return new Graph({ query: sender(QUERY), roQuery: sender(RO_QUERY) } as GraphClient, name);
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

/**
 * Reads a limit. In the server's settings, zero or a negative number means no limit.
 *
 * @returns undefined when the user may not read the setting, or the server does not have it
 */
async function readLimit(client: Client, setting: string): Promise<number | undefined> {
  const [, value] = (await client.send(undefined, ['GRAPH.CONFIG', 'GET', setting]).catch((error: unknown) => {
    // A user without permission to read settings can still use the graph.
    if (isReply(error)) return [];
    throw error;
  })) as unknown[];
  if (typeof value !== 'number') return undefined;
  return value > 0 ? value : NO_LIMIT;
}

/**
 * Makes the error for an answer with as many rows as the limit, which the server may have cut off. Engraph's statements
 * stay well below the default limit, but a smaller setting must not go unnoticed.
 */
function cutShort(rowsMax: number): RefusedError {
  return new RefusedError(
    `The graph store may have cut an answer short: FalkorDB returns no more than ${rowsMax} rows`,
    { hint: 'Set RESULTSET_SIZE of FalkorDB to at least 10000, or to -1 for no limit.' },
  );
}

interface Client {
  /**
   * @param key the key of the graph that the command concerns; in a cluster, it determines the node that gets the command
   */
  send(key: string | undefined, command: readonly string[]): Promise<unknown>;
  /** Closes the connection at once; pending commands reject. May be called twice. */
  destroy(): void;
}

async function openClient({ address, silenceMs, onLost }: Omit<SessionRequest, 'graph'>): Promise<Client> {
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
  const named = await openNamed(options, onLost);
  try {
    const mode = await modeOf(named);
    if (mode !== 'sentinel' && mode !== 'cluster') return named;
    const master = mode === 'sentinel' && (await masterOf(named));
    named.destroy();
    if (!master) return await openCluster(options, onLost);
    return await openServer({ ...options, socket: { ...options.socket, ...master } } as RedisClientOptions, onLost);
  } catch (error) {
    named.destroy();
    throw error;
  }
}

/** Opens the server of the address. A Sentinel may have no password although its master has one. */
async function openNamed(options: RedisClientOptions, onLost: Listener): Promise<Client> {
  try {
    return await openServer(options, onLost);
  } catch (refusal) {
    if (!isReply(refusal)) throw refusal;
    const { username: _, password: __, ...withoutLogin } = options;
    const named = await openServer(withoutLogin, onLost);
    if ((await modeOf(named)) === 'sentinel') return named;
    named.destroy();
    throw refusal;
  }
}

type Listener = (error: unknown) => void;

function openServer(options: RedisClientOptions, onLost: Listener): Promise<Client> {
  // The client adds the login in another form to the options that it is given.
  const client = createClient({ ...options });
  return opened(client, onLost, (_key, command) => client.sendCommand(command));
}

function openCluster(options: RedisClientOptions, onLost: Listener): Promise<Client> {
  const cluster = createCluster({ rootNodes: [options], defaults: options });
  return opened(cluster, onLost, (key, command) => cluster.sendCommand(key, false, [...command]));
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
async function opened(connection: Openable, onLost: Listener, send: Client['send']): Promise<Client> {
  let hasEnded = false;
  connection.on('error', error => {
    if (!hasEnded) onLost(error);
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
