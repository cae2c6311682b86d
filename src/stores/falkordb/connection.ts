/** The connection of the store as its parts use it: a limit on every call, and failures put to users. */
import { failureOf, isConnectionLost, isGraphGone, tooLate } from './failures.js';
import { keepConnected } from './link.js';
import type { Parameters } from './parameters.js';
import type { Session } from './session.js';
import type { FalkorSettings } from './settings.js';
import { withinLimit } from './time-limit.js';

export interface Connection {
  /** Where the server is, for people. */
  readonly display: string;
  /**
   * Runs a statement that writes nothing.
   *
   * @throws MemoryError `unavailable` when the server cannot be asked, within the time limit
   */
  read<Row>(statement: string, parameters?: Parameters): Promise<Row[]>;
  /** As `read`, for one that writes. When it takes too long, it may have been carried out or may yet be. */
  write<Row>(statement: string, parameters?: Parameters): Promise<Row[]>;
  /** Makes a new connection, which prepares the graph again. */
  renew(): void;
  /** Waits for the calls under way, each within its limit. Later calls reject. */
  close(): Promise<void>;
}

/** @param prepare runs on every new connection before anything else does */
export function connect(settings: FalkorSettings, prepare: (session: Session) => Promise<void>): Connection {
  const { timeoutMs, onStatement } = settings;
  const link = keepConnected(settings, prepare);
  const { display } = link;
  const underWay = new Set<Promise<unknown>>();

  const ask = async <Row>(run: (session: Session) => Promise<Row[]>): Promise<Row[]> => {
    const session = await link.session();
    try {
      return await run(session);
    } catch (error) {
      if (isConnectionLost(error) || isGraphGone(error)) link.drop(session, error);
      if (isGraphGone(error)) return run(await link.session());
      throw error;
    }
  };
  const call = async <Row>(run: (session: Session) => Promise<Row[]>): Promise<Row[]> => {
    const late = () => {
      const error = tooLate();
      // A server that is frozen would leave all later calls waiting on this connection.
      link.dropAll(error);
      return error;
    };
    const answer = withinLimit(ask(run), timeoutMs, late);
    underWay.add(answer);
    try {
      return await answer;
    } catch (error) {
      throw failureOf(error, display);
    } finally {
      underWay.delete(answer);
    }
  };
  return {
    display,
    read: (statement, parameters) => {
      onStatement?.(statement, 'read');
      return call(session => session.read(statement, parameters));
    },
    write: (statement, parameters) => {
      onStatement?.(statement, 'write');
      return call(session => session.write(statement, parameters));
    },
    renew: () => link.dropAll(new Error('The graph has to be prepared again')),
    close: async () => {
      await Promise.allSettled(underWay);
      link.close();
    },
  };
}
