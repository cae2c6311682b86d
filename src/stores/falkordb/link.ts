/**
 * Keeps one session with the server: opens the session in the background, and opens a new session whenever the current
 * one is lost.
 */
import { MemoryError } from '../../domain/errors.js';
import { failureOf, tooLate, unavailable } from './failures.js';
import { openSession, type Session } from './session.js';
import { addressOf, checkGraphName, type FalkorSettings } from './settings.js';

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

export interface Link {
  readonly display: string;
  /**
   * Returns the current session, or waits for the session that is being opened; rejects at once between two attempts.
   */
  session(): Promise<Session>;
  /** Discards a session that no longer works, and opens a new session. */
  drop(session: Session, cause: unknown): void;
  /** Discards the current session, or the current attempt to open a session, and opens a new session. */
  dropAll(cause: unknown): void;
  close(): void;
}

/** @param prepare runs on every new session before any other statement */
export function keepConnected(settings: FalkorSettings, prepare: (session: Session) => Promise<void>): Link {
  const { timeoutMs, onConnectionChange } = settings;
  const address = addressOf(settings);
  const { display } = address;
  const graph = checkGraphName(settings.graph);
  let current: Session | undefined;
  let attempt: Promise<Session> | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let failures = 0;
  let lastFailure: unknown;
  let isConnected: boolean | undefined;
  let isClosed = false;

  const report = (connected: boolean) => {
    if (isConnected === connected || isClosed) return;
    isConnected = connected;
    onConnectionChange?.(
      connected ? { isConnected: true } : { isConnected: false, reason: toShow(lastFailure, display).message },
    );
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
    session: async () => {
      if (isClosed) throw unavailable(display, 'is disconnected, because Engraph has closed the store');
      const session = current ?? (await attempt);
      if (session) return session;
      throw toShow(lastFailure, display);
    },
    drop: (session, cause) => {
      if (session === current) lose(cause);
    },
    dropAll: cause => {
      if (current || attempt) lose(cause);
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
export function withinLimit<Result>(work: Promise<Result>, limitMs: number, late: () => Error): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Returns the time of a clock that never goes back. */
export function nowMs(): number {
  return performance.now();
}

/** Waits for `delayMs`. The function has no time limit, because the caller has its own. */
export function pause(delayMs: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, delayMs));
}
