/** The connection of the store: made in the background, made again for ever, and a limit on every call. */
import { MemoryError } from '../../domain/errors.js';
import { failureOf, isConnectionLost, isGraphGone, tooLate, unavailable } from './failures.js';
import type { Parameters } from './parameters.js';
import { openSession, type Session } from './session.js';
import { addressOf, checkGraphName, type FalkorSettings } from './settings.js';
import { after, withinLimit } from './time-limit.js';

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

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
    close: async () => {
      await Promise.allSettled(underWay);
      link.close();
    },
  };
}

interface Link {
  readonly display: string;
  /** The session there is or is being made; rejects at once between two attempts. */
  session(): Promise<Session>;
  /** The session is of no use any more: another takes its place. */
  drop(session: Session, cause: unknown): void;
  /** Also gives up the attempt that is under way. */
  dropAll(cause: unknown): void;
  close(): void;
}

function keepConnected(settings: FalkorSettings, prepare: (session: Session) => Promise<void>): Link {
  const { timeoutMs, onConnectionChange } = settings;
  const address = addressOf(settings);
  const { display } = address;
  const graph = checkGraphName(settings.graph);
  let current: Session | undefined;
  let attempt: Promise<Session> | undefined;
  let cancelWait: (() => void) | undefined;
  let failures = 0;
  let lastFailure: unknown;
  let isConnected: boolean | undefined;
  let isClosed = false;

  const unavailableNow = () => {
    const failure = failureOf(lastFailure, display);
    return failure instanceof MemoryError ? failure : unavailable(display, 'answered with an error', failure);
  };
  const report = (connected: boolean) => {
    if (isConnected === connected || isClosed) return;
    isConnected = connected;
    onConnectionChange?.(connected ? { isConnected: true } : { isConnected: false, reason: unavailableNow().message });
  };

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
      // It may still open, after the limit.
      opening.then(
        opened => opened.close(),
        () => undefined,
      );
      throw error;
    }
    return session;
  };

  const begin = () => {
    cancelWait = undefined;
    if (isClosed) return;
    const mine = establish();
    attempt = mine;
    mine.then(
      session => {
        if (isClosed || attempt !== mine) return session.close();
        attempt = undefined;
        current = session;
        failures = 0;
        report(true);
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
    report(false);
    cancelWait?.();
    failures += 1;
    // A connection that worked may only have been dropped: the call that noticed can wait for the next one.
    if (failures === 1) begin();
    else cancelWait = after(Math.min(FIRST_WAIT_MS * 2 ** (failures - 2), LONGEST_WAIT_MS), begin);
  };

  begin();
  return {
    display,
    session: async () => {
      if (isClosed) throw unavailable(display, 'has been closed here');
      const session = current ?? (await attempt);
      if (session) return session;
      throw unavailableNow();
    },
    drop: (session, cause) => {
      if (session === current) lose(cause);
    },
    dropAll: cause => {
      if (current || attempt) lose(cause);
    },
    close: () => {
      isClosed = true;
      cancelWait?.();
      current?.close();
      current = undefined;
    },
  };
}
