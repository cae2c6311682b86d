/** The parts of a worker. */
import type { WorkSettings } from '../domain/settings.js';
import type { Clock } from '../domain/time.js';

import type { WorkClaim, WorkKind, WorkQueue } from '../stores/ports/work-queue.js';

export interface WorkerOptions {
  graph: WorkQueue;
  kind: WorkKind;
  settings: WorkSettings;
  clock: Clock;
  /**
   * Does the work for a batch.
   *
   * @returns the settled tokens, without claims that lost their effect meanwhile
   */
  perform(claims: readonly WorkClaim[]): Promise<string[]>;
  /** Does other work that needs no claims, when no claim is left. Returns true when more of this work may remain. */
  tidy?(): Promise<boolean>;
  /** Whether to process work that waits for a vector, because no vector can be made at present. */
  takesHeld?(): boolean;
  /** Called after every failed attempt. `isFinal` marks the last attempt. */
  onFailure(error: unknown, isFinal: boolean): void;
  /** Called when an unavailable store or model has ended a pass. */
  onHeldUp?(): void;
  /**
   * Interval at which the worker looks for work. If undefined, the worker looks only when it is notified or when work
   * becomes due.
   */
  pollMs?: number;
}
