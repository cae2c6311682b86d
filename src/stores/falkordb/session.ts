/** One client of FalkorDB, for as long as its connection lasts. */
import { EventEmitter } from 'node:events';
import { FalkorDB, type FalkorDBOptions } from 'falkordb';
import { checked, type Parameters } from './parameters.js';
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
  return {
    read: async (statement, parameters = {}) => rowsOf(await graph.roQuery(statement, { params: sent(parameters) })),
    write: async (statement, parameters = {}) => rowsOf(await graph.query(statement, { params: sent(parameters) })),
    close: () => {
      client.off('error', onLost);
      client.on('error', () => undefined);
      client.close().catch(() => undefined);
    },
  };
}

type SentParameters = Record<string, never>;

function sent(parameters: Parameters): SentParameters {
  return checked(parameters) as SentParameters;
}

function rowsOf<Row>({ data }: { data?: unknown[] }): Row[] {
  return (data ?? []) as Row[];
}
