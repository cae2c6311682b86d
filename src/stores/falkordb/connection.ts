/**
 * The connection that the parts of the store use. It queues calls, limits the time of each call, and converts failures
 * to errors for users.
 */
import pLimit from 'p-limit';
import { partsOf } from '../../domain/collections.js';
import { failureOf, isConnectionLost, isQueueFull, isReply, needsNewSession, tooBusy, tooLate } from './failures.js';
import { keepConnected, nowMs, pause, withinLimit } from './link.js';
import type { Session } from './session.js';
import type { FalkorSettings } from './settings.js';
import { keysOf, type Parameters } from './values.js';

/**
 * Maximum number of statements in flight. The server runs the statements of a connection one after the other, so a
 * higher number would gain nothing. Further statements wait in Engraph's own queue, where they can be cancelled without
 * closing the connection.
 */
const IN_FLIGHT_MAX = 8;
/** Maximum number of ids in one statement. */
const IDS_MAX = 2_000;
/** Time until a statement is sent again after the server refused it because the server's queue was full. */
const FULL_WAIT_MS = 10;
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

  const sendOnce = async <Row>(turn: Turn, send: Send<Row>): Promise<Row[]> => {
    turn.waitsFor = 'session';
    const session = await link.session();
    if (turn.isOver) throw tooLate();
    turn.waitsFor = 'answer';
    turn.session = session;
    turn.sentMs = nowMs();
    return send(session, (turn.limitMs - turn.sentMs) * RUNNING_SHARE);
  };
  const ask = async <Row>(turn: Turn, send: Send<Row>): Promise<Row[]> => {
    try {
      return await sendOnce(turn, send);
    } catch (error) {
      const isStale = needsNewSession(error);
      if (turn.session && (isStale || isConnectionLost(error))) link.drop(turn.session, error);
      if (isStale) return sendOnce(turn, send);
      throw error;
    }
  };
  /** Queues the statement, and sends it again as long as the server's own queue is full. */
  const sendInTurn = <Row>(turn: Turn, send: Send<Row>): Promise<Row[]> =>
    inTurn(async () => {
      for (;;) {
        if (turn.isOver) throw tooBusy(display);
        try {
          const rows = await ask(turn, send);
          answeredMs = nowMs();
          return rows;
        } catch (error) {
          if (isReply(error)) answeredMs = nowMs();
          if (!isQueueFull(error)) throw error;
        }
        turn.waitsFor = 'turn';
        await pause(FULL_WAIT_MS);
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
    if (!session || waitsFor === 'turn' || silentMs < timeoutMs / 2) return tooBusy(display);
    // Discard the session, because a frozen server would block all later calls on this connection.
    link.drop(session, error);
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
    onStatement?.(statement, 'read');
    return call((session, runningMs) => session.read(statement, parameters, runningMs));
  };
  return {
    display,
    read,
    readByIds: async (statement, ids, parameters) => readInParts(read, statement, { ids, ...parameters }),
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

async function readInParts<Row>(
  read: Connection['read'],
  statement: string,
  { ids, ...parameters }: Parameters & { ids: readonly string[] },
): Promise<Row[]> {
  const found: Row[][] = [];
  for (const part of partsOf(keysOf(ids), IDS_MAX))
    found.push(await read<Row>(statement, { ...parameters, ids: part }));
  return found.flat();
}
