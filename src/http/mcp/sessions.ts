/**
 * The sessions of `/mcp`. Their number is limited, each session belongs to the caller that opened it, and idle sessions
 * end.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { MemoryError } from '../../domain/errors.js';
import type { Clock } from '../../domain/time.js';
import { TrackedTransport } from './tracked-transport.js';

export interface SessionSettings {
  maxCount: number;
  /** A session without an open stream ends when its last request is older than this time. */
  idleMs: number;
}

export interface SessionParts {
  settings: SessionSettings;
  clock: Pick<Clock, 'elapsedMs' | 'schedule'>;
  createServer(): Server;
}

export interface Session {
  id: string;
  principal: string;
  transport: TrackedTransport;
  lastUsedMs: number;
}

/** Interval between two checks for idle sessions. */
const SWEEP_MS = 60_000;

export class Sessions {
  readonly #parts: SessionParts;
  /** The sessions by id, the least recently used session first. */
  readonly #byId = new Map<string, Session>();
  #cancelSweep: (() => void) | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** @throws MemoryError `unavailable` when the limit is reached and no session may be ended for this principal */
  async open(principal: string): Promise<Session> {
    this.#makeRoom(principal);
    const id = randomUUID();
    const transport = new TrackedTransport(id);
    const session = { id, principal, transport, lastUsedMs: this.#parts.clock.elapsedMs() };
    this.#byId.set(id, session);
    transport.onclose = () => this.#byId.delete(id);
    await this.#parts.createServer().connect(transport);
    this.#scheduleSweep();
    return session;
  }

  /** Returns the session with this id if it belongs to this principal, and marks the session as used. */
  use(id: string, principal: string): Session | undefined {
    const session = this.#byId.get(id);
    if (session === undefined || session.principal !== principal) return undefined;
    this.touch(session);
    return session;
  }

  /** Marks a session as the most recently used one. */
  touch(session: Session): void {
    if (!this.#byId.delete(session.id)) return;
    session.lastUsedMs = this.#parts.clock.elapsedMs();
    this.#byId.set(session.id, session);
  }

  /**
   * Whether a principal may open another stream. A principal may have open streams in at most half of the allowed
   * sessions, but always in one.
   */
  mayStream(principal: string): boolean {
    const share = Math.max(1, Math.floor(this.#parts.settings.maxCount / 2));
    const streams = [...this].filter(session => session.principal === principal && session.transport.hasStream);
    return streams.length < share;
  }

  [Symbol.iterator](): Iterator<Session> {
    return [...this.#byId.values()][Symbol.iterator]();
  }

  stopSweeping(): void {
    this.#cancelSweep?.();
  }

  /**
   * Ends one session if the limit is reached: the least recently used session of the principal with the most sessions.
   * The new session already counts for its opener. A busy session is never ended, and neither is a session of a
   * principal that has fewer sessions than the opener.
   */
  #makeRoom(opener: string): void {
    if (this.#byId.size < this.#parts.settings.maxCount) return;
    const counts = new Map([[opener, 1]]);
    for (const { principal } of this) counts.set(principal, (counts.get(principal) ?? 0) + 1);
    const countOf = ({ principal }: Session) => counts.get(principal) ?? 0;
    const mayGo = (session: Session) => !session.transport.isBusy && countOf(session) >= (counts.get(opener) ?? 0);
    const isOwn = ({ principal }: Session) => Number(principal === opener);
    const [first] = [...this].filter(mayGo).sort((a, b) => countOf(b) - countOf(a) || isOwn(b) - isOwn(a));
    if (first) return void first.transport.close();
    throw new MemoryError('unavailable', 'All allowed sessions are in use', {
      hint: 'Try again later.',
    });
  }

  /** Schedules the next check for idle sessions. All sessions share one timer. */
  #scheduleSweep(): void {
    if (this.#cancelSweep) return;
    const { clock, settings } = this.#parts;
    this.#cancelSweep = clock.schedule(Math.min(settings.idleMs, SWEEP_MS), () => {
      this.#cancelSweep = undefined;
      const oldestMs = clock.elapsedMs() - settings.idleMs;
      for (const { transport, lastUsedMs } of this) {
        if (lastUsedMs <= oldestMs && !transport.isBusy) void transport.close();
      }
      if (this.#byId.size > 0) this.#scheduleSweep();
    });
  }
}
