/** Runs work that only one process at a time may do. */
import { MemoryError } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';
import type { Leases } from './graph-store.js';

/** Names work that only one process at a time may do. */
export interface LeaseName {
  name: string;
  /** Message of the error when the lease is lost. The message names the work that another process has taken over. */
  lost: string;
}

/** The lease for all runs that re-embed memories, or that compare and repair both stores. */
export const VECTOR_UPKEEP: LeaseName = {
  name: 'maintenance',
  lost: 'Another process has taken over the maintenance of the vectors',
};

export interface LeaseParts {
  graph: Pick<Leases, 'takeLease'>;
  clock: Clock;
  /** Returns a name that is unique among all runs of all processes. */
  newHolder(): string;
  /** Whether the process is about to end. */
  isStopping(): boolean;
}

/** @throws MemoryError `unavailable` when the process is about to end; the next run does the remaining work */
export function assertNotStopped({ isStopping }: Pick<LeaseParts, 'isStopping'>): void {
  if (isStopping()) throw new MemoryError('unavailable', 'Engraph is being stopped');
}

/**
 * The work renews the lease between its pages, so the lease must outlast the slowest page. The lease must not last much
 * longer, because after a crash the work is blocked until the lease expires.
 */
export const LEASE_MS = 120_000;
const RENEWED_AFTER_MS = 10_000;

/**
 * Runs `body` while this process holds the lease.
 *
 * @param body receives a function that renews the lease and rejects when the lease is lost
 * @returns undefined, having done nothing, when another process holds the lease
 */
export async function underLease<Result>(
  parts: LeaseParts,
  body: (prolong: () => Promise<void>) => Promise<Result>,
  { name, lost } = VECTOR_UPKEEP,
): Promise<Result | undefined> {
  const { graph, clock } = parts;
  const holder = parts.newHolder();
  const take = () => {
    const nowMs = clock.nowMs();
    return graph.takeLease({ name, holder, nowMs, untilMs: nowMs + LEASE_MS });
  };
  if (!(await take())) return undefined;
  let takenMs = clock.elapsedMs();
  try {
    return await body(async () => {
      assertNotStopped(parts);
      // A renewal is a write, so it does not happen with every page: there may be many short pages a second.
      if (clock.elapsedMs() - takenMs < RENEWED_AFTER_MS) return;
      if (!(await take())) throw new MemoryError('conflict', lost);
      takenMs = clock.elapsedMs();
    });
  } finally {
    // If the release fails, the lease expires by itself later.
    await graph.takeLease({ name, holder, nowMs: clock.nowMs(), untilMs: 0 }).catch(() => undefined);
  }
}
