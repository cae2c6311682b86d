/** Doing alone, across processes, what several must not do at once. */
import { MemoryError } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';
import type { Leases } from './ports/leases.js';

/** What only one process at a time may do. */
export interface LeaseName {
  name: string;
  /** What another process has taken over when the lease was lost, in a sentence. */
  lost: string;
}

/** One name for all that walks both stores. */
export const VECTOR_UPKEEP: LeaseName = {
  name: 'maintenance',
  lost: 'Another process has taken over the upkeep of the vectors',
};

export interface LeaseParts {
  graph: Pick<Leases, 'takeLease' | 'releaseLease'>;
  clock: Clock;
  /** A name that no other run has, here or in another process. */
  newHolder(): string;
  /** Whether the process is about to end. */
  isStopping(): boolean;
}

/** @throws MemoryError `unavailable` when the process is about to end: what has not been seen yet, the next run will see */
export function assertGoingOn({ isStopping }: Pick<LeaseParts, 'isStopping'>): void {
  if (isStopping()) throw new MemoryError('unavailable', 'Engraph is being stopped');
}

/** What is taken again with every page outlasts the slowest page, and not much more: a crash must not block for long. */
const LEASE_MS = 120_000;
const RENEWED_AFTER_MS = 10_000;

/**
 * Runs `body` while the lease is ours.
 *
 * @param body is given a function that prolongs the lease and rejects when it was lost
 * @returns undefined, having done nothing, when another has the lease
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
      assertGoingOn(parts);
      // Short pages come many a second, and each taking is a write.
      if (clock.elapsedMs() - takenMs < RENEWED_AFTER_MS) return;
      if (!(await take())) throw new MemoryError('conflict', lost);
      takenMs = clock.elapsedMs();
    });
  } finally {
    // A lease that cannot be given back now ends by itself.
    await graph.releaseLease(name, holder).catch(() => undefined);
  }
}
