/** One client of FalkorDB and its graph, for the lifetime of a connection. */
import { type Client, openClient } from './client.js';
import { isReply, RefusedError } from './failures.js';
import { type Parameters, preamble } from './parameters.js';
import { readRows } from './reply.js';
import type { Address } from './settings.js';

export interface Session {
  read<Row>(statement: string, parameters?: Parameters): Promise<Row[]>;
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
    const rowsMax = await readRowsMax(client);
    const ask = async <Row>(command: string, statement: string, parameters: Parameters = {}): Promise<Row[]> => {
      const reply = await client.send(graph, [command, graph, preamble(parameters) + statement, '--compact']);
      const rows = readRows<Row>(reply);
      if (rows.length >= rowsMax) throw cutShort(rowsMax);
      return rows;
    };
    return {
      read: (statement, parameters) => ask('GRAPH.RO_QUERY', statement, parameters),
      write: (statement, parameters) => ask('GRAPH.QUERY', statement, parameters),
      close: client.destroy,
    };
  } catch (error) {
    client.destroy();
    throw error;
  }
}

/** Reads RESULTSET_SIZE, the number of rows after which the server cuts an answer off without reporting that it did. */
async function readRowsMax(client: Client): Promise<number> {
  const [, size] = (await client.send(undefined, ['GRAPH.CONFIG', 'GET', 'RESULTSET_SIZE']).catch((error: unknown) => {
    // A user without permission to read settings can still use the graph.
    if (isReply(error)) return [];
    throw error;
  })) as unknown[];
  return typeof size === 'number' && size > 0 ? size : Number.POSITIVE_INFINITY;
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
