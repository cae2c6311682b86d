/**
 * The connection that the parts of the store use. It opens a session again whenever it is lost, queues calls, limits the
 * time of each call, and converts failures to errors for users.
 */
import pLimit from 'p-limit';
import { partsOf } from '../../domain/collections.js';
import { MemoryError } from '../../domain/errors.js';
import {
  failureOf,
  isConnectionLost,
  isQueueFull,
  isReply,
  needsNewSession,
  tooBusy,
  tooLate,
  unavailable,
} from './failures.js';
import { openSession, type Session } from './session.js';
import { addressOf, checkGraphName, type FalkorSettings } from './settings.js';
import { keysOf, type Parameters } from './values.js';

/**
 * Maximum number of statements in flight. The server runs the statements of a connection one after the other, so a
 * higher number would gain nothing. Further statements wait in Engraph's own queue, where they can be cancelled without
 * closing the connection.
 */
const IN_FLIGHT_MAX = 8;
/** Maximum number of nodes that one statement sorts, writes or reads by id. It is well below the limits of a server. */
export const NODES_MAX = 2_000;
/** Time until a statement is sent again because the queue of the server was full, or its indexes were incomplete. */
const PAUSE_MS = 10;
/**
 * The share of a call's remaining time that a read may run on the server. The rest is for the server's answer.
 * If a read could run until the time limit, its answer would come too late, and the connection would seem broken.
 */
const RUNNING_SHARE = 0.8;

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
   * Runs a read with the ids of many nodes, in several statements. Each stays well below the time limit, and below the
   * limit for rows.
   *
   * @param statement receives the distinct keys of some of the ids as `$ids`
   */
  readByIds<Row>(statement: string, ids: readonly string[], parameters?: Parameters): Promise<Row[]>;
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
  /** Whether the statement waits for its turn, for a session, or for the server's answer. */
  waitsFor: 'turn' | 'session' | 'answer';
  /** The session through which the statement was sent last. */
  session?: Session;
  /** When the statement was sent last. */
  sentMs: number;
  /** When the time limit of the call passes. */
  limitMs: number;
  /** Whether the time limit of the call has passed. */
  isOver: boolean;
}

/**
 * Sends one statement.
 * @param runningMs maximum running time on the server
 */
type Send<Row> = (session: Session, runningMs: number) => Promise<Row[]>;

/** @param prepare runs on every new connection before any other statement */
export function connect(settings: FalkorSettings, prepare: (session: Session) => Promise<void>): Connection {
  const { timeoutMs, onStatement } = settings;
  const link = keepConnected(settings, prepare);
  const { display } = link;
  const inTurn = pLimit(IN_FLIGHT_MAX);
  let answeredMs = 0;
  const underWay = new Set<Promise<unknown>>();

  const sendOnce = async <Row>(turn: Turn, send: Send<Row>, session: Session): Promise<Row[]> => {
    if (turn.isOver) throw tooLate();
    Object.assign(turn, { waitsFor: 'answer', session, sentMs: nowMs() });
    try {
      return await send(session, (turn.limitMs - turn.sentMs) * RUNNING_SHARE);
    } catch (error) {
      if (needsNewSession(error) || isConnectionLost(error)) link.drop(error, session);
      if (isReply(error)) answeredMs = nowMs();
      throw error;
    }
  };
  /** Queues the statement. Sends it again in a new session, and as long as the server's own queue is full. */
  const sendInTurn = <Row>(turn: Turn, send: Send<Row>): Promise<Row[]> =>
    inTurn(async () => {
      for (let isAgain = false; ; ) {
        if (turn.isOver) throw tooBusy(display);
        turn.waitsFor = 'session';
        try {
          const rows = await sendOnce(turn, send, await link.session());
          answeredMs = nowMs();
          return rows;
        } catch (error) {
          const isFull = isQueueFull(error);
          if (!isFull && (isAgain || !needsNewSession(error))) throw error;
          isAgain = !isFull;
        }
        turn.waitsFor = 'turn';
        if (!isAgain) await pause();
      }
    });
  /**
   * Makes the error for a late call. Discards the session if no call has been answered for half the time limit.
   */
  const giveUp = (turn: Turn): Error => {
    const { waitsFor, session, sentMs } = turn;
    const silentMs = nowMs() - Math.max(answeredMs, sentMs);
    turn.isOver = true;
    const error = tooLate();
    // Other calls wait for the same session, so this call leaves the attempt alone.
    if (waitsFor === 'session') return error;
    // If other calls were answered lately, the connection works, and only this call is late. If the statement was sent
    // lately, the answer may still arrive.
    if (waitsFor === 'turn' || silentMs < timeoutMs / 2) return tooBusy(display);
    // Discard the session, because a frozen server would block all later calls on this connection.
    link.drop(error, session);
    return error;
  };
  const call = async <Row>(send: Send<Row>): Promise<Row[]> => {
    const turn: Turn = { waitsFor: 'turn', isOver: false, sentMs: 0, limitMs: nowMs() + timeoutMs };
    const answer = withinLimit(sendInTurn(turn, send), timeoutMs, () => giveUp(turn));
    underWay.add(answer);
    try {
      return await answer;
    } catch (error) {
      throw failureOf(error, display);
    } finally {
      underWay.delete(answer);
    }
  };
  const read = <Row>(statement: string, parameters?: Parameters): Promise<Row[]> => {
    onStatement?.(statement);
    return call((session, runningMs) => session.read(statement, parameters, runningMs));
  };
  return {
    display,
    read,
    readByIds: async <Row>(statement: string, ids: readonly string[], parameters?: Parameters) => {
      const rows: Row[] = [];
      for (const part of partsOf(keysOf(ids), NODES_MAX))
        rows.push(...(await read<Row>(statement, { ...parameters, ids: part })));
      return rows;
    },
    write: (statement, parameters) => {
      onStatement?.(statement);
      return call(session => session.write(statement, parameters));
    },
    renew: () => link.drop(new Error('The graph has to be prepared again')),
    close: async () => {
      await Promise.allSettled(underWay);
      link.close();
    },
  };
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/**
 * Keeps one session with the server: opens it in the background, and opens a new one whenever it is lost.
 *
 * @param prepare runs on every new session before any other statement
 */
function keepConnected(settings: FalkorSettings, prepare: (session: Session) => Promise<void>) {
  const { timeoutMs } = settings;
  const address = addressOf(settings);
  const { display } = address;
  const graph = checkGraphName(settings.graph);
  let current: Session | undefined;
  let attempt: Promise<Session> | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let failures = 0;
  let lastFailure: unknown;
  let isClosed = false;

  const establish = async (): Promise<Session> => {
    let session: Session | undefined;
    const onLost = (error: unknown) => {
      if (session && session === current) lose(error);
    };
    const opening = openSession({ address, graph, silenceMs: 2 * timeoutMs, onLost });
    try {
      session = await withinLimit(opening, timeoutMs, tooLate);
      await withinLimit(prepare(session), timeoutMs, tooLate);
    } catch (error) {
      // The session may still open after the time limit, and must then be closed.
      opening.then(
        opened => opened.close(),
        () => undefined,
      );
      throw error;
    }
    return session;
  };

  const begin = () => {
    if (isClosed) return;
    const mine = establish();
    attempt = mine;
    mine.then(
      session => {
        if (isClosed || attempt !== mine) return session.close();
        attempt = undefined;
        current = session;
        failures = 0;
      },
      error => {
        if (attempt === mine) lose(error);
      },
    );
  };

  const lose = (error: unknown) => {
    if (isClosed) return;
    lastFailure = error;
    current?.close();
    current = undefined;
    attempt = undefined;
    clearTimeout(waiting);
    failures += 1;
    // The server may still be available after a first loss, so a new session is opened at once. The call that noticed
    // the loss can wait for the new session.
    if (failures === 1) begin();
    // The timer does not keep the process alive.
    else waiting = setTimeout(begin, Math.min(FIRST_WAIT_MS * 2 ** (failures - 2), LONGEST_WAIT_MS)).unref();
  };

  begin();
  return {
    display,
    /** Returns the session, or waits for the one that is being opened; rejects at once between two attempts. */
    session: async (): Promise<Session> => {
      if (isClosed) throw unavailable(display, 'is disconnected, because Engraph has closed the store');
      const session = current ?? (await attempt);
      if (session) return session;
      throw toShow(lastFailure, display);
    },
    /** Replaces a session that no longer works; without `session`, the current session or attempt. */
    drop: (cause: unknown, session = current) => {
      if (session === current && (current || attempt)) lose(cause);
    },
    close: () => {
      isClosed = true;
      clearTimeout(waiting);
      current?.close();
      current = undefined;
    },
  };
}

function toShow(cause: unknown, display: string): MemoryError {
  const failure = failureOf(cause, display);
  if (failure instanceof MemoryError) return failure;
  return unavailable(display, 'answered with an error', { cause: failure });
}

/**
 * Settles with the outcome of `work`, or rejects with the error from `late` when `work` takes longer than `limitMs`.
 * An outcome of `work` after the limit is ignored. A caller awaits the result, so the timer keeps the process alive.
 */
function withinLimit<Result>(work: Promise<Result>, limitMs: number, late: () => Error): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Returns the time of a clock that never goes back. */
export function nowMs(): number {
  return performance.now();
}

/** Waits until a statement may be sent again. */
export function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, PAUSE_MS));
}
