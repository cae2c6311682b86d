/** The sessions of `/mcp`: limited in number, bound to who opened them, and gone when nobody has used them for a while. */
import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { MemoryError } from '../../domain/errors.js';
import type { Clock } from '../../domain/time.js';
import { TrackedTransport } from './tracked-transport.js';

export interface SessionSettings {
  maxCount: number;
  /** After this time without a request and without an open stream a session ends. */
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

/** Between two looks for sessions that nobody uses any more. */
const SWEEP_MS = 60_000;

export class Sessions {
  readonly #parts: SessionParts;
  /** The least recently used one first. */
  readonly #byId = new Map<string, Session>();
  #cancelSweep: (() => void) | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** @throws MemoryError `unavailable` when there are as many as allowed and each is in use */
  async open(principal: string): Promise<Session> {
    this.#makeRoom();
    const id = randomUUID();
    const transport = new TrackedTransport(id);
    const session = { id, principal, transport, lastUsedMs: this.#parts.clock.elapsedMs() };
    this.#byId.set(id, session);
    transport.onclose = () => this.#byId.delete(id);
    await this.#parts.createServer().connect(transport);
    this.#scheduleSweep();
    return session;
  }

  /** The session with this id, if it is this principal's. */
  use(id: string, principal: string): Session | undefined {
    const session = this.#byId.get(id);
    if (session === undefined || session.principal !== principal) return undefined;
    this.touch(session);
    return session;
  }

  /** Makes a session the most recently used one. */
  touch(session: Session): void {
    if (!this.#byId.delete(session.id)) return;
    session.lastUsedMs = this.#parts.clock.elapsedMs();
    this.#byId.set(session.id, session);
  }

  [Symbol.iterator](): Iterator<Session> {
    return [...this.#byId.values()][Symbol.iterator]();
  }

  stopSweeping(): void {
    this.#cancelSweep?.();
  }

  #makeRoom(): void {
    if (this.#byId.size < this.#parts.settings.maxCount) return;
    for (const { transport } of this.#byId.values()) {
      if (transport.isBusy) continue;
      void transport.close();
      return;
    }
    throw new MemoryError('unavailable', 'There are too many sessions, and each is in use', {
      hint: 'Try again later, or allow more with MCP_MAX_SESSIONS.',
    });
  }

  /** One timer for all. */
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
