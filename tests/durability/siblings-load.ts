/**
 * Many processes on one data folder: several MCP clients over stdio, one `serve` and its REST clients, all writing at
 * once. The process that has the memory open is killed again and again.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { createClient } from '../../src/client/client.js';
import { readOwner } from '../../src/stores/data-folder/owner-file.js';
import { BINARY, ENVIRONMENT, spawnServe } from '../cli/spawned-engraph.js';
import type { Random } from './random.js';

/** A client that uses the memory through its own process. */
export interface Way {
  name: string;
  pid(): number | undefined;
  /** @param key identifies the request, so that repeating the request stores nothing twice */
  store(key: string, content: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Starts the process again after a kill. */
  revive(): Promise<void>;
  close(): Promise<void>;
}

export interface LoadResult {
  /** Content by id. */
  stored: Map<string, string>;
  removed: Set<string>;
  /** Failures of clients whose own process was not killed. */
  errors: string[];
  /** Durations, in milliseconds, of the calls of clients whose own process was not killed. */
  durationsMs: number[];
  kills: number;
}

/** A tag of every memory that a load stores. */
export const TAG = 'load';

export async function stdioWay(name: string, folder: string, environment: Record<string, string>): Promise<Way> {
  let transport: StdioClientTransport;
  let client: Client;
  const start = async () => {
    transport = new StdioClientTransport({
      command: process.execPath,
      args: [BINARY, '--port', '0', '--data-dir', folder],
      env: { ...ENVIRONMENT, ...environment },
      stderr: 'ignore',
    });
    client = new Client({ name, version: '0' });
    await client.connect(transport);
  };
  const call = async (tool: string, args: Record<string, unknown>) => {
    const result = (await client.callTool({ name: tool, arguments: args })) as CallToolResult;
    if (result.isError) throw new Error(`${tool}: ${JSON.stringify(result.content)}`);
  };
  await start();
  return {
    name,
    pid: () => transport.pid ?? undefined,
    store: (id, content) => call('store_memory', { id, content, tags: [TAG] }),
    remove: id => call('delete_memory', { memory_id: id }),
    revive: async () => {
      await client.close();
      await start();
    },
    close: () => client.close(),
  };
}

/** Starts `serve` and a REST client, which retries by itself while the service restarts on the same port. */
export async function serveWay(folder: string, environment: Record<string, string>): Promise<Way & { url: string }> {
  let served = await spawnServe(folder, environment);
  const { url, port } = served;
  const client = createClient({ url });
  return {
    name: 'serve',
    url,
    pid: () => served.child.pid,
    store: async (id, content) => void (await client.store({ id, content, tags: [TAG] })),
    remove: async id => void (await client.remove(id)),
    revive: async () => {
      await served.ended;
      served = await spawnServe(folder, environment, port);
    },
    close: async () => {
      served.child.kill('SIGTERM');
      await served.ended;
    },
  };
}

export interface Load {
  writes: number;
  /** Number of times that the owner is killed during the load. */
  kills: number;
  random: Random;
}

/** Writes and deletes through all clients in parallel, while the owner is killed `load.kills` times. */
export async function writeWhileOwnersDie(folder: string, ways: readonly Way[], load: Load): Promise<LoadResult> {
  const { writes, random } = load;
  const result: LoadResult = { stored: new Map(), removed: new Set(), errors: [], durationsMs: [], kills: 0 };
  const revivals = new Map<Way, Promise<void>>();
  let begun = 0;
  let nextKill = 0;

  /** Kills the owner, unless it is still starting. Returns whether it was killed. */
  const killOwner = (): boolean => {
    const owner = readOwner(folder);
    const victim = ways.find(way => way.pid() === owner?.pid);
    if (!owner?.address || !victim || revivals.has(victim)) return false;
    process.kill(owner.pid, 'SIGKILL');
    revivals.set(
      victim,
      victim.revive().finally(() => revivals.delete(victim)),
    );
    return true;
  };

  const attempt = async (way: Way, request: () => Promise<void>): Promise<void> => {
    const pid = way.pid();
    const startedMs = performance.now();
    try {
      await request();
      if (!revivals.has(way)) result.durationsMs.push(performance.now() - startedMs);
    } catch (error) {
      // A client whose process was killed does not know the outcome of its request, so it repeats the request.
      if (pid === way.pid() && !revivals.has(way)) result.errors.push(`${way.name}: ${String(error)}`);
      await revivals.get(way);
      await request();
    }
  };

  const writeOne = async (way: Way): Promise<void> => {
    const ids = [...result.stored.keys()];
    if (ids.length > 20 && random.between(0, 4) === 0) {
      const id = random.pick(ids) ?? '';
      result.stored.delete(id);
      await attempt(way, () => way.remove(id));
      result.removed.add(id);
    } else {
      const id = random.uuid();
      const content = `Fact ${begun} of ${way.name}, in ${id}.`;
      await attempt(way, () => way.store(id, content));
      result.stored.set(id, content);
    }
  };

  const writer = async (way: Way): Promise<void> => {
    while (begun++ < writes) {
      if (result.kills < load.kills && begun >= nextKill && killOwner()) {
        result.kills++;
        nextKill = ((result.kills + 0.5) * writes) / load.kills;
      }
      await revivals.get(way);
      await writeOne(way);
    }
  };
  nextKill = writes / load.kills / 2;
  await Promise.all(ways.flatMap(way => [writer(way), writer(way)]));
  await Promise.all(revivals.values());
  return result;
}
