/** A real FalkorDB for tests: Debian's valkey-server with FalkorDB's module, in a temporary folder. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphOf } from '../../src/stores/falkordb/session.js';
import { type FalkorSettings, openFalkorStore } from '../../src/stores/falkordb/store.js';
import type { GraphStore } from '../../src/stores/graph-store.js';
import { temporaryFolder } from './temporary-folder.js';

const SERVER = 'valkey-server';
const MODULE_PACKAGE = '@falkordblite/linux-x64';
/** Starting takes a fraction of a second on an idle machine, but much longer on a busy machine. */
const START_LIMIT_MS = 20_000;
const POLL_MS = 10;

function modulePath(): string | undefined {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${MODULE_PACKAGE}/package.json`));
    const path = join(folder, 'bin', 'falkordb.so');
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** The reason why no server can be started here. Undefined when a server can be started. */
export function whyNoFalkorServer(): string | undefined {
  if (spawnSync(SERVER, ['--version']).status !== 0) return `${SERVER} is not installed`;
  return modulePath() === undefined ? `${MODULE_PACKAGE} is not installed` : undefined;
}

export interface FalkorServer {
  /** Address for `openFalkorStore`, by Unix socket. */
  readonly url: string;
  /** Address by TCP on loopback. Undefined unless a port was requested. */
  readonly tcpUrl: string | undefined;
  /** Kills the server without a warning, to simulate a loss of power. */
  kill(): Promise<void>;
  /** Starts the server again on its data, at the same addresses. */
  restart(): Promise<void>;
  /** Suspends the process: connections stay open and get no answers. */
  freeze(): void;
  thaw(): void;
  /** Runs a statement without the store. */
  query<Row>(graph: string, statement: string): Promise<Row[]>;
  explain(graph: string, statement: string): Promise<string[]>;
  /** Returns the number of nodes that the read statements of `action` find through indexes. */
  nodesRead(action: () => Promise<unknown>): Promise<number>;
  deleteGraph(graph: string): Promise<void>;
  /** The numbers that the server has given its open connections. */
  clientIds(): Promise<string[]>;
  /** Sends a command to the server. */
  command(...words: string[]): Promise<unknown>;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

interface ServerOptions {
  /** Also listens on a free TCP port of loopback. */
  hasPort?: boolean;
  password?: string;
  /** Settings of the module, alternating names and values. */
  moduleArguments?: readonly string[];
  /** Keeps everything in memory, for tests that never stop the server. */
  isForgetful?: boolean;
  /** Further options of the server, alternating names and values. */
  options?: readonly string[];
}

/** Starts a server that syncs every write to disk, unless configured otherwise. */
export async function startFalkorServer({
  hasPort = false,
  password,
  moduleArguments = [],
  isForgetful = false,
  options = [],
}: ServerOptions = {}): Promise<FalkorServer> {
  const folder = temporaryFolder();
  const socketPath = join(folder.path, 'socket');
  const port = hasPort ? await freePort() : 0;
  const launching = { socketPath, port, password, moduleArguments, isForgetful, options };
  let child = await launch(folder.path, launching);
  let client: ReturnType<typeof connectTo> | undefined;
  const connected = () => {
    client ??= connectTo(socketPath, password);
    return client;
  };
  const forget = async () => {
    await client?.then(
      each => each.isOpen && each.destroy(),
      () => undefined,
    );
    client = undefined;
  };
  const command = async (...words: string[]): Promise<unknown> => (await connected()).sendCommand(words);
  const kill = async () => {
    await forget();
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `unix://${socketPath}`,
    tcpUrl: hasPort ? `falkor://127.0.0.1:${port}` : undefined,
    kill,
    restart: async () => {
      child = await launch(folder.path, launching);
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    query: async <Row>(graph: string, statement: string) => {
      const client = { send: (_: unknown, words: readonly string[]) => command(...words), destroy: () => undefined };
      return (await graphOf(client, graph).query<Row>(statement)).data ?? [];
    },
    explain: async (graph, statement) => (await command('GRAPH.EXPLAIN', graph, statement)) as string[],
    nodesRead: async action => {
      const seen: string[][] = [];
      const monitor = await connectTo(socketPath, password);
      await monitor.monitor(line => seen.push(wordsOf(String(line))));
      await action();
      await eventually(async () => expect(seen).not.toEqual([]));
      monitor.destroy();
      let count = 0;
      for (const [name = '', graph = '', statement = ''] of seen) {
        if (name.toUpperCase() !== 'GRAPH.RO_QUERY') continue;
        const plan = (await command('GRAPH.PROFILE', graph, statement)) as string[];
        for (const [, records] of plan.join('\n').matchAll(/Index Scan.*Records produced: (\d+)/g))
          count += Number(records);
      }
      return count;
    },
    deleteGraph: async graph => {
      await command('GRAPH.DELETE', graph);
    },
    command,
    clientIds: async () =>
      [...String(await command('CLIENT', 'LIST')).matchAll(/^id=(\d+)/gm)].map(([, id = '']) => id),
    stop: async () => {
      child.kill('SIGCONT');
      await kill();
      folder.remove();
    },
  };
}

async function launch(
  folder: string,
  {
    socketPath,
    port,
    password,
    moduleArguments,
    isForgetful,
    options: further,
  }: Required<Omit<ServerOptions, 'hasPort' | 'password'>> & {
    socketPath: string;
    port: number;
    password: string | undefined;
  },
): Promise<ChildProcess> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--unixsocket', socketPath, '--dir', folder];
  const log = isForgetful ? ['no'] : ['yes', '--appendfsync', 'always'];
  const durability = ['--save', '', '--appendonly', ...log];
  const login = password === undefined ? [] : ['--requirepass', password];
  const module = ['--loadmodule', modulePath() ?? '', ...moduleArguments];
  const child = spawn(SERVER, [...options, ...durability, ...login, ...further, ...module], { stdio: 'ignore' });
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const client = await connectTo(socketPath, password).catch(() => undefined);
    if (client) {
      client.destroy();
      return child;
    }
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${SERVER} did not start`);
    }
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}

async function connectTo(path: string, password: string | undefined) {
  const client = createClient({
    socket: { path, reconnectStrategy: false },
    ...(password !== undefined && { password }),
  });
  client.on('error', () => undefined);
  await client.connect();
  // A server that is still loading its data accepts connections, but answers no queries.
  await client.sendCommand(['GRAPH.LIST']).catch((error: unknown) => {
    client.destroy();
    throw error;
  });
  return client;
}

/** Returns the words of a command as MONITOR shows it. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([word]) => JSON.parse(word) as string);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const closed = once(server, 'close');
  server.close();
  await closed;
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A fake server that accepts connections and handles them with `behave`. */
export async function startImpostor(behave: (socket: Socket) => void): Promise<{ url: string; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer(socket => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    behave(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `falkor://127.0.0.1:${port}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

export interface FalkorSuite {
  /** The server of the suite. */
  readonly server: FalkorServer;
  /** Settings for a graph that no other test uses. */
  settings(overrides?: Partial<FalkorSettings>): FalkorSettings;
  /** Opens a store with its own graph, unless the settings name a graph. Closes the store at the end of the suite. */
  open(overrides?: Partial<FalkorSettings>): GraphStore;
}

/**
 * Runs tests with one server for all tests. When no server can be started, the tests are skipped with a reason, except
 * under CI, where one failing test replaces them.
 */
export function describeFalkor(
  name: string,
  options: ServerOptions,
  body: (suite: FalkorSuite) => void | Promise<void>,
): void {
  const reason = whyNoFalkorServer();
  if (reason !== undefined && process.env.CI) {
    test(`${name}: a server can be started`, () => expect(reason).toBeUndefined());
    return;
  }
  describe.skipIf(reason !== undefined)(reason === undefined ? name : `${name} (${reason})`, () => {
    let server: FalkorServer;
    let graphs = 0;
    const stores: GraphStore[] = [];
    const settings: FalkorSuite['settings'] = (overrides = {}) => {
      graphs += 1;
      return { url: server.url, graph: `graph-${graphs}`, timeoutMs: 10_000, ...overrides };
    };
    beforeAll(async () => {
      server = await startFalkorServer(options);
    });
    afterAll(async () => {
      await Promise.all(stores.map(store => store.close()));
      await server?.stop();
    });
    return body({
      get server() {
        return server;
      },
      settings,
      open: overrides => {
        const store = openFalkorStore(settings(overrides));
        stores.push(store);
        return store;
      },
    });
  });
}

/** Retries until `attempt` resolves. After the time limit, the function rejects with the last error. */
export async function eventually<Result>(attempt: () => Promise<Result>, limitMs = 10_000): Promise<Result> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}
