/** Engraph on a real FalkorDB for tests of outages: its REST application, and a clock that only the test moves. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { HealthAnswer } from '../../src/api/answers/health.js';
import { loadConfig } from '../../src/config.js';
import { openEngine } from '../../src/engine/open.js';
import { type Answer, type Call, createTestApp, recordingLog, send } from '../http/test-app.js';
import { eventually } from '../support/falkordb-server.js';
import { createManualClock } from '../support/manual-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

export const VECTOR_SIZE = 64;
/** Time that passes between two attempts of a wait. */
const STEP_MS = 1_000;

export type Service = Awaited<ReturnType<typeof openService>>;

/** @param env settings by the names of their variables; without ENGRAPH_DATA_DIR the data folder is new */
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
  // From now on, because other processes may work on the same graph.
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
  /** Advances the time until an attempt no longer throws. */
  const whenTimePasses = <Result>(look: () => Promise<Result>, stepMs = STEP_MS) =>
    eventually(async () => {
      clock.advance(stepMs);
      return look();
    });
  return {
    engine,
    clock,
    log: entries,
    call,
    health,
    whenTimePasses,
    /** Advances the time until the service answers again. */
    untilHealthy: () =>
      whenTimePasses(async () => {
        const { status } = await health();
        if (status !== 'healthy') throw new Error(`still ${status}`);
      }),
    /** Advances the time, past the leases of killed processes, until no work is left. */
    untilDone: () =>
      whenTimePasses(async () => {
        const { embedding, enrichment, sync_status } = await health();
        const left = embedding.pending + enrichment.queue_depth;
        if (left > 0) throw new Error(`${left} pieces of work are left`);
        if (sync_status !== 'synced') throw new Error(`the stores are ${sync_status}`);
      }, 10_000),
    /** Ids that a recall of a word finds, best first. */
    recallIds: async (word: string): Promise<string[]> => {
      const { status, body } = await call(`GET /recall?limit=1&query=${encodeURIComponent(word)}`);
      if (status !== 200) throw new Error(`recall answered ${status}: ${body.error}`);
      return body.results.map(({ id }: { id: string }) => id);
    },
  };
}

/** One request of every kind that needs the memory. Each must report that the memory is unavailable. */
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

/** Problems of an answer that should report that the graph is away; empty if it is correct. */
export function faultsOfOutageAnswer(route: string, { status, body }: Answer): string[] {
  const isClear = typeof body.error === 'string' && body.error.includes('FalkorDB at ') && body.code === 503;
  return status === 503 && isClear ? [] : [`${route}: ${status} ${JSON.stringify(body)}`];
}

/** A proxy to a server that counts its traffic. */
export interface CountingProxy {
  url: string;
  /** Number of attempted connections. */
  readonly connections: number;
  /** Number of statements sent. */
  readonly statements: number;
}

/**
 * The proxy ends with the test.
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
