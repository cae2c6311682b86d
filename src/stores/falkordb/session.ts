/** One client of FalkorDB and its graph, for the lifetime of a connection. */
import { type Client, openClient } from './client.js';
import { isReply, RefusedError } from './failures.js';
import { type Parameters, preamble } from './parameters.js';
import { readRows } from './reply.js';
import type { Address } from './settings.js';

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
  graph: string;
  /** Maximum time without data from the server. After this time, the connection is treated as broken. */
  silenceMs: number;
  onLost(error: unknown): void;
}

/** Connects once; rejects with the client's error on failure. */
export async function openSession({ address, graph, silenceMs, onLost }: SessionRequest): Promise<Session> {
  const client = await openClient({ address, silenceMs, onError: onLost });
  try {
    const { rowsMax, runningMaxMs } = await readLimits(client);
    const ask = async <Row>(command: readonly string[], options: readonly string[] = []): Promise<Row[]> => {
      const rows = readRows<Row>(await client.send(graph, [...command, '--compact', ...options]));
      if (rows.length >= rowsMax) throw cutShort(rowsMax);
      return rows;
    };
    const textOf = (statement: string, parameters: Parameters = {}) => preamble(parameters) + statement;
    return {
      read: (statement, parameters, runningMs = NO_LIMIT) => {
        const limitMs =
          runningMaxMs === undefined ? NO_LIMIT : Math.min(Math.max(1, Math.ceil(runningMs)), runningMaxMs);
        const options = Number.isFinite(limitMs) ? ['timeout', String(limitMs)] : [];
        return ask(['GRAPH.RO_QUERY', graph, textOf(statement, parameters)], options);
      },
      write: (statement, parameters) => ask(['GRAPH.QUERY', graph, textOf(statement, parameters)]),
      close: client.destroy,
    };
  } catch (error) {
    client.destroy();
    throw error;
  }
}

interface Limits {
  /** The number of rows after which the server cuts an answer off without reporting that it did. */
  rowsMax: number;
  /**
   * The greatest limit that a statement may set for its own running time. The server refuses a greater limit. If the
   * maximum is unknown, statements set no limit.
   */
  runningMaxMs: number | undefined;
}

async function readLimits(client: Client): Promise<Limits> {
  const settings = ['RESULTSET_SIZE', 'TIMEOUT_MAX'];
  const [rowsMax, runningMaxMs] = await Promise.all(settings.map(setting => readLimit(client, setting)));
  return { rowsMax: rowsMax ?? NO_LIMIT, runningMaxMs };
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
 * Makes the error for an answer with as many rows as the limit. Engraph's statements stay well below the default limit,
 * but a smaller setting must not go unnoticed.
 */
function cutShort(rowsMax: number): RefusedError {
  return new RefusedError(
    `The graph store may have cut an answer short: FalkorDB returns no more than ${rowsMax} rows`,
    {
      hint: 'Set RESULTSET_SIZE of FalkorDB to at least 10000, or to -1 for no limit.',
    },
  );
}
