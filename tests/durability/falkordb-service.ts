/** Opens Engraph on a real FalkorDB for tests of outages, with its REST API and a clock that only the test advances. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { HealthAnswer } from '../../src/api/health.js';
import { loadConfig } from '../../src/config.js';
import { openEngine } from '../../src/engine/open.js';
import { type Answer, type Call, createTestApp, recordingLog, send } from '../http/test-app.js';
import { eventually } from '../support/falkordb-server.js';
import { createManualClock } from '../support/manual-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

export const VECTOR_SIZE = 64;
/** Step by which a wait advances the clock before each attempt. */
const STEP_MS = 1_000;

export type Service = Awaited<ReturnType<typeof openService>>;

/** @param env settings, keyed by environment variable; by default, ENGRAPH_DATA_DIR is a new folder */
export async function openService(env: Record<string, string>) {
  const folder = temporaryFolder();
  const config = loadConfig({
    ENGRAPH_DATA_DIR: folder.path,
    VECTOR_SIZE: String(VECTOR_SIZE),
    EMBEDDING_PROVIDER: 'hash',
    LLM_PROVIDER: 'none',
    RECALL_RELATION_LIMIT: '200',
    FALKORDB_TIMEOUT_SECONDS: '10',
    ...env,
  });
  // The clock starts at the real time, because other processes may work on the same graph.
  const clock = createManualClock(new Date().toISOString());
  const { log, entries } = recordingLog();
  const engine = await openEngine(config, { clock, log });
  const app = createTestApp({ engine, log });
  const call = (route: string, json?: unknown) => send(app, route, json === undefined ? {} : ({ json } as Call));
  onTestFinished(async () => {
    await engine.close();
    folder.remove();
  });
  const health = async () => (await call('GET /health')).body as HealthAnswer;
  /** Repeats `look` until it no longer throws. Advances the clock before each attempt. */
  const whenTimePasses = <Result>(
    look: () => Promise<Result>,
    { stepMs = STEP_MS, limitMs }: { stepMs?: number; limitMs?: number } = {},
  ) =>
    eventually(async () => {
      clock.advance(stepMs);
      return look();
    }, limitMs);
  return {
    engine,
    clock,
    log: entries,
    call,
    health,
    whenTimePasses,
    /** Advances the clock until health reports `healthy`. */
    untilHealthy: () =>
      whenTimePasses(async () => {
        const { status } = await health();
        if (status !== 'healthy') throw new Error(`still ${status}`);
      }),
    /** Advances the clock until no work is left and the stores are in sync. Leases of killed processes expire too. */
    untilDone: (limitMs?: number) =>
      whenTimePasses(
        async () => {
          const { embedding, enrichment, sync_status } = await health();
          const left = embedding.pending + enrichment.queue_depth;
          if (left > 0) throw new Error(`${left} pieces of work are left`);
          if (sync_status !== 'synced') throw new Error(`the stores are ${sync_status}`);
        },
        limitMs === undefined ? {} : { limitMs },
      ),
    /** A list with the id of the best result of a recall, or an empty list. */
    recallIds: async (word: string): Promise<string[]> => {
      const { status, body } = await call(`GET /recall?limit=1&query=${encodeURIComponent(word)}`);
      if (status !== 200) throw new Error(`recall answered ${status}: ${body.error}`);
      return body.results.map(({ id }: { id: string }) => id);
    },
  };
}

/** Requests that read or write memories, edges and work. During an outage of the graph, each must fail with 503. */
export function requestsOfEveryKind(id: string): [route: string, json?: unknown][] {
  return [
    ['POST /memory', { content: 'written during an outage' }],
    ['POST /memory', { id, content: 'written during an outage under a known id' }],
    ['POST /memory/batch', [{ content: 'written in a batch during an outage' }]],
    [`GET /memory/${id}`],
    [`PATCH /memory/${id}`, { importance: 0.5 }],
    [`DELETE /memory/${id}`],
    ['GET /recall?query=outage'],
    ['GET /recall'],
    ['GET /recall?tags=ledger'],
    ['GET /memory/by-tag?tags=ledger'],
    ['DELETE /memory/by-tag?tags=nothing-has-this'],
    ['POST /associate', { memory1_id: id, memory2_id: '00000000-0000-4000-8000-000000000001', type: 'LEADS_TO' }],
    [`GET /memories/${id}/related`],
    ['GET /enrichment/status'],
  ];
}

/** Checks that an answer reports the outage of the graph. Returns an empty list if it does, otherwise the answer. */
export function faultsOfOutageAnswer(route: string, { status, body }: Answer): string[] {
  const isClear = typeof body.error === 'string' && body.error.includes('FalkorDB at ') && body.code === 503;
  return status === 503 && isClear ? [] : [`${route}: ${status} ${JSON.stringify(body)}`];
}

/** A proxy that counts the connections and statements that it passes on to a server. */
export interface CountingProxy {
  url: string;
  /** Number of attempted connections. */
  readonly connections: number;
  /** Number of statements sent. */
  readonly statements: number;
}

/**
 * Starts a proxy, which is closed at the end of the test.
 * @param url `unix://` and the path of the server's socket
 */
export async function countingProxy(url: string): Promise<CountingProxy> {
  const counted = { connections: 0, statements: 0 };
  const sockets = new Set<Socket>();
  const server = createServer(client => {
    counted.connections += 1;
    const upstream = connect(new URL(url).pathname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => other.destroy());
      one.pipe(other);
    }
    client.on('data', chunk => {
      counted.statements += chunk.toString('latin1').split(/GRAPH\.(?:RO_)?QUERY\r\n/).length - 1;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    const closed = once(server, 'close');
    server.close();
    await closed;
  });
  return {
    url: `falkor://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return counted.connections;
    },
    get statements() {
      return counted.statements;
    },
  };
}
