/**
 * The connection that the parts of the store use. It queues calls, limits the time of each call, and converts failures
 * to errors for users.
 */
import pLimit from 'p-limit';
import { failureOf, isConnectionLost, isGraphGone, isQueueFull, tooBusy, tooLate } from './failures.js';
import { keepConnected } from './link.js';
import type { Parameters } from './parameters.js';
import type { Session } from './session.js';
import type { FalkorSettings } from './settings.js';
import { pause, stopwatch, withinLimit } from './time-limit.js';

/**
 * Maximum number of statements in flight. The server runs the statements of a connection one after the other, so a
 * higher number would gain nothing. Further statements wait in Engraph's own queue, where they can be cancelled without
 * closing the connection.
 */
const IN_FLIGHT_MAX = 8;
/** Time until a statement is sent again after the server refused it because the server's queue was full. */
const FULL_WAIT_MS = 10;

export interface Connection {
  /** Address of the server without its password, for messages. */
  readonly display: string;
  /**
   * Runs a statement that writes nothing.
   *
   * @throws MemoryError `unavailable` when the server cannot be reached or does not answer within the time limit
   */
  read<Row>(statement: string, parameters?: Parameters): Promise<Row[]>;
  /**
   * Runs a statement that writes, with the same limits as `read`. A statement that times out may have run or may still
   * run.
   */
  write<Row>(statement: string, parameters?: Parameters): Promise<Row[]>;
  /** Replaces the connection with a new one, and prepares the graph again. */
  renew(): void;
  /** Waits for pending calls, each within its limit. Later calls reject. */
  close(): Promise<void>;
}

/** The state of a call. */
interface Turn {
  /** Whether the statement is waiting: it has not been sent yet, or the server refused it for now. */
  isWaiting: boolean;
  /** Whether the time limit of the call has passed. */
  isOver: boolean;
}

/** @param prepare runs on every new connection before any other statement */
export function connect(settings: FalkorSettings, prepare: (session: Session) => Promise<void>): Connection {
  const { timeoutMs, onStatement } = settings;
  const link = keepConnected(settings, prepare);
  const { display } = link;
  const inTurn = pLimit(IN_FLIGHT_MAX);
  const sinceAnswer = stopwatch();
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
  /** Queues the statement, and sends it again as long as the server's own queue is full. */
  const sendInTurn = <Row>(turn: Turn, run: (session: Session) => Promise<Row[]>): Promise<Row[]> =>
    inTurn(async () => {
      for (;;) {
        if (turn.isOver) throw tooBusy(display);
        turn.isWaiting = false;
        try {
          const rows = await ask(run);
          sinceAnswer.restart();
          return rows;
        } catch (error) {
          if (!isQueueFull(error)) throw error;
        }
        turn.isWaiting = true;
        await pause(FULL_WAIT_MS);
      }
    });
  const call = async <Row>(run: (session: Session) => Promise<Row[]>): Promise<Row[]> => {
    const turn: Turn = { isWaiting: true, isOver: false };
    const late = () => {
      turn.isOver = true;
      // If other calls were answered on this connection lately, the connection still works, and only this answer came
      // too late.
      if (turn.isWaiting || sinceAnswer.elapsedMs() < timeoutMs / 2) return tooBusy(display);
      const error = tooLate();
      // Discard the session, because a frozen server would block all later calls on this connection.
      link.dropAll(error);
      return error;
    };
    const answer = withinLimit(sendInTurn(turn, run), timeoutMs, late);
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
