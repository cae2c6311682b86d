/** Processes one batch of work: claims it, renews the leases while it does it, gives back failed work, and counts. */
import { MemoryError, messageOf } from '../domain/errors.js';
import type { WorkerStats } from '../domain/reports.js';
import { type Clock, toIso } from '../domain/time.js';
import type { WorkClaim, WorkQueue } from '../stores/ports/work-queue.js';
import type { WorkerOptions } from './worker.js';

/** Maximum wait after a failure, or for work that is due later. */
export const WAIT_MAX_MS = 300_000;

/**
 * Processes one batch of due work.
 *
 * @param held tokens of earlier claims that could not be given back. These claims are given back now, so that the work
 * need not wait for the end of their lease.
 * @returns false when no work is due
 * @throws the error when a store or the model cannot be reached. The claims are then given back, if necessary by the
 * next batch, and their attempts are not used up.
 */
export async function runBatch(options: WorkerOptions, record: WorkerRecord, held: Set<string>): Promise<boolean> {
  const { graph, kind, clock, settings } = options;
  const { batchSize: limit, leaseMs } = settings;
  const release = async () => {
    if (held.size > 0) await graph.releaseWork([...held], { dueMs: clock.nowMs() });
    held.clear();
  };
  await release();
  const claim = (isHeld: boolean) => graph.claimWork({ kind, limit, nowMs: clock.nowMs(), leaseMs, isHeld });
  // While vectors cannot be made, first claim the work that waits for a vector. Due work may need the model or store
  // that is unavailable, and a failure of due work would end the pass.
  const early = options.takesHeld?.() ? await claim(true) : [];
  const claims = early.length > 0 ? early : await claim(false);
  if (claims.length === 0) return false;
  const tokens = claims.map(claim => claim.token);
  const onFailure = (error: unknown) => noteFailure(options, record, error);
  const stopRenewing = keepRenewing(tokens, { graph, clock, leaseMs, onFailure });
  try {
    await performOrSplit(options, record, claims);
  } catch (error) {
    for (const token of tokens) held.add(token);
    // If the graph cannot be reached now, the next batch begins with the release of these claims.
    await release().catch(onFailure);
    throw error;
  } finally {
    stopRenewing();
  }
  return true;
}

/**
 * Returns the wait after the given number of consecutive failures, in milliseconds. The wait doubles with each failure,
 * up to `WAIT_MAX_MS`.
 */
export function backoffMs({ settings }: WorkerOptions, failures: number): number {
  return Math.min(settings.backoffMs * 2 ** (failures - 1), WAIT_MAX_MS);
}

export function noteFailure(options: WorkerOptions, record: WorkerRecord, error: unknown, isFinal = false): void {
  record.noteFailure(error);
  options.onFailure(error, isFinal);
}

/**
 * Processes a batch. After a failure each memory that is not settled is tried alone, so that one bad memory does not fail
 * the others. An outage is not caused by a memory, so an outage ends the pass.
 */
async function performOrSplit(
  options: WorkerOptions,
  record: WorkerRecord,
  claims: readonly WorkClaim[],
): Promise<void> {
  const settled = new Set<string>();
  const noteSettled = () => {
    record.noteSuccess(claims.filter(({ token }) => settled.has(token)));
    if (settled.size > 0) options.onSettled?.(settled.size);
  };
  try {
    await options.perform(claims, token => settled.add(token)).finally(noteSettled);
  } catch (error) {
    if (isOutage(error)) throw error;
    const [claim, ...others] = claims;
    if (claim && others.length === 0) return giveBack(options, record, { claim, error });
    for (const each of claims) if (!settled.has(each.token)) await performOrSplit(options, record, [each]);
  }
}

async function giveBack(
  options: WorkerOptions,
  record: WorkerRecord,
  { claim, error }: { claim: WorkClaim; error: unknown },
): Promise<void> {
  const { graph, clock, settings } = options;
  const isFinal = claim.attempt >= settings.maxAttempts;
  noteFailure(options, record, error, isFinal);
  const retryAtMs = isFinal ? null : clock.nowMs() + backoffMs(options, claim.attempt);
  await graph.releaseWork([claim.token], { error: messageOf(error), dueMs: retryAtMs });
}

/** Whether the store or the model cannot be reached. Such a failure never counts against a memory. */
function isOutage(error: unknown): boolean {
  return error instanceof MemoryError && error.code === 'unavailable';
}

interface WorkerRecord {
  readonly stats: Readonly<WorkerStats>;
  noteSuccess(claims: readonly WorkClaim[]): void;
  noteFailure(error: unknown): void;
}

export function createWorkerRecord(clock: Clock): WorkerRecord {
  const stats: WorkerStats = {
    successes: 0,
    failures: 0,
    lastSuccessId: null,
    lastSuccessAt: null,
    lastError: null,
    lastErrorAt: null,
  };
  return {
    stats,
    noteSuccess: claims => {
      const last = claims.at(-1);
      if (!last) return;
      stats.successes += claims.length;
      stats.lastSuccessId = last.memory.id;
      stats.lastSuccessAt = toIso(clock.nowMs());
    },
    noteFailure: error => {
      stats.failures += 1;
      stats.lastError = messageOf(error);
      stats.lastErrorAt = toIso(clock.nowMs());
    },
  };
}

export interface LeaseRenewal {
  graph: Pick<WorkQueue, 'renewWork'>;
  clock: Clock;
  leaseMs: number;
  onFailure(error: unknown): void;
}

/** @returns a function that ends the renewal */
function keepRenewing(tokens: readonly string[], { graph, clock, leaseMs, onFailure }: LeaseRenewal): () => void {
  let cancel = () => {};
  let isDone = false;
  const renewLater = () => {
    if (isDone) return;
    // Renew after a third of the lease, so that another attempt is possible if one renewal fails.
    cancel = clock.schedule(leaseMs / 3, () => {
      const renewed = graph.renewWork(tokens, clock.nowMs() + leaseMs);
      void renewed.catch(onFailure).then(renewLater);
    });
  };
  renewLater();
  return () => {
    isDone = true;
    cancel();
  };
}
