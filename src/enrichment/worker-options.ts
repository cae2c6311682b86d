/** The parts of a worker. */
import type { WorkSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';

import type { WorkClaim, WorkKind, WorkQueue } from '../stores/ports/work-queue.js';

export interface WorkerOptions {
  graph: WorkQueue;
  kind: WorkKind;
  settings: WorkSettings;
  clock: Clock;
  /** Resolves when the worker may begin the next batch, after the requests that wait. */
  afterRequests(): Promise<void>;
  /**
   * Does the work for a batch.
   *
   * @param onSettled called with the token of each claim that has been settled, even if the batch fails later. It is not
   * called for claims that became invalid meanwhile.
   */
  perform(claims: readonly WorkClaim[], onSettled: (token: string) => void): Promise<void>;
  /** Called with the number of claims that a batch has settled. */
  onSettled?(count: number): void;
  /** Called when no work is due. Does work that needs no claim. Returns true when more such work may remain. */
  tidy?(): Promise<boolean>;
  /** Whether to process work that waits for a vector. True while no vector can be made. */
  takesHeld?(): boolean;
  /** Called after every failure. `isFinal` marks the failure of the last attempt for a memory. */
  onFailure(error: unknown, isFinal: boolean): void;
  /** Called when an unavailable store or model has ended a pass. */
  onHeldUp?(): void;
  /**
   * Interval at which the worker looks for work. If undefined, the worker looks only when it is notified or when work
   * becomes due.
   */
  pollMs?: number;
}
