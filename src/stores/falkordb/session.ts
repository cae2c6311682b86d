/** One client of FalkorDB, for as long as its connection lasts. */
import { EventEmitter } from 'node:events';
import { FalkorDB, type FalkorDBOptions } from 'falkordb';
import { isReply, RefusedError } from './failures.js';
import { type Parameters, preamble } from './parameters.js';
import type { Address } from './settings.js';

export interface Session {
  read<Row>(statement: string, parameters?: Parameters): Promise<Row[]>;
  write<Row>(statement: string, parameters?: Parameters): Promise<Row[]>;
  /** Ends the connection at once; calls under way reject. Twice is harmless. */
  close(): void;
}

interface SessionRequest {
  address: Address;
  graph: string;
  /** A connection that is silent for longer than this is broken. */
  silenceMs: number;
  onLost(error: unknown): void;
}

// The client emits errors of its connection before `connect` gives us anything to listen on, and an error that nobody hears
// ends the process.
FalkorDB.prototype.emit = function emit(this: FalkorDB, event: string | symbol, ...values: unknown[]): boolean {
  if (event === 'error' && this.listenerCount('error') === 0) return false;
  return EventEmitter.prototype.emit.call(this, event, ...values);
};

/** Connects once; rejects with what the client says when that fails. */
export async function openSession({ address, graph: name, silenceMs, onLost }: SessionRequest): Promise<Session> {
  const { socket, display: _, ...login } = address;
  const options = {
    ...login,
    socket: { ...socket, connectTimeout: silenceMs, socketTimeout: silenceMs, reconnectStrategy: false },
    // A call must fail while there is no connection, not wait for one.
    disableOfflineQueue: true,
    disableClientInfo: true,
    // Keeps a healthy connection from being taken for a silent one.
    pingInterval: Math.ceil(silenceMs / 3),
  };
  const client = await FalkorDB.connect(options as FalkorDBOptions);
  const graph = client.selectGraph(name);
  client.on('error', onLost);
  const close = () => {
    client.off('error', onLost);
    client.on('error', () => undefined);
    client.close().catch(() => undefined);
  };
  try {
    const rowsMax = await readRowsMax(client);
    const rowsOf = <Row>({ data = [] }: { data?: unknown[] }): Row[] => {
      if (data.length >= rowsMax) throw cutShort(rowsMax);
      return data as Row[];
    };
    return {
      read: async (statement, parameters = {}) => rowsOf(await graph.roQuery(preamble(parameters) + statement)),
      write: async (statement, parameters = {}) => rowsOf(await graph.query(preamble(parameters) + statement)),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** After so many rows the server ends an answer, as if there were no more (its RESULTSET_SIZE). */
async function readRowsMax(client: FalkorDB): Promise<number> {
  const [, size] = await client.configGet('RESULTSET_SIZE').catch((error: unknown) => {
    // A user that may not read settings is as good as any.
    if (isReply(error)) return [];
    throw error;
  });
  return typeof size === 'number' && size > 0 ? size : Number.POSITIVE_INFINITY;
}

/** Our own statements stay well below what its image is set to; a smaller setting must not go unnoticed. */
function cutShort(rowsMax: number): RefusedError {
  return new RefusedError(`The graph store may have cut an answer short: FalkorDB gives no more than ${rowsMax} rows`, {
    hint: 'Set RESULTSET_SIZE of FalkorDB to 10000 or more, or to -1 for no limit.',
  });
}
