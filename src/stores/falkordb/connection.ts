/** The connection of the store as its parts use it: a limit on every call, an orderly line, and failures put to users. */
import pLimit from 'p-limit';
import { failureOf, isConnectionLost, isGraphGone, isQueueFull, tooBusy, tooLate } from './failures.js';
import { keepConnected } from './link.js';
import type { Parameters } from './parameters.js';
import type { Session } from './session.js';
import type { FalkorSettings } from './settings.js';
import { pause, stopwatch, withinLimit } from './time-limit.js';

/**
 * Statements on their way at once. The server does those of one connection one after the other, so more would gain nothing,
 * and what waits here can be given up without a doubt about the connection.
 */
const AT_ONCE = 8;
/** Before a statement is sent again that the server had no room for. */
const FULL_WAIT_MS = 10;

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

/** Where a call stands. */
interface Turn {
  /** Nothing has been sent, or what was sent was refused for now. */
  isWaiting: boolean;
  /** Its time is over. */
  isOver: boolean;
}

/** @param prepare runs on every new connection before anything else does */
export function connect(settings: FalkorSettings, prepare: (session: Session) => Promise<void>): Connection {
  const { timeoutMs, onStatement } = settings;
  const link = keepConnected(settings, prepare);
  const { display } = link;
  const inTurn = pLimit(AT_ONCE);
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
  /** Asks once it is its turn, and again as long as the server has no room for it. */
  const askInTurn = <Row>(turn: Turn, run: (session: Session) => Promise<Row[]>): Promise<Row[]> =>
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
      // Others are answered on the connection: it is none the worse for one that came too late.
      if (turn.isWaiting || sinceAnswer.elapsedMs() < timeoutMs / 2) return tooBusy(display);
      const error = tooLate();
      // A server that is frozen would leave all later calls waiting on this connection.
      link.dropAll(error);
      return error;
    };
    const answer = withinLimit(askInTurn(turn, run), timeoutMs, late);
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
