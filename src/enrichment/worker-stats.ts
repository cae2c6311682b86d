/** Counts the work of a worker since it started. */
import { messageOf } from '../domain/errors.js';
import type { WorkerStats } from '../domain/status.js';
import { type Clock, toIso } from '../domain/time.js';
import type { WorkClaim } from '../stores/ports/work-queue.js';

export interface WorkerRecord {
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
