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
  /** Work without claims, done when no claim is left. Returns true when more of it may remain. */
  tidy?(): Promise<boolean>;
  /** Whether to process work that waits for a vector nevertheless, while no vector can be made. */
  takesHeld?(): boolean;
  /** Called after every failed attempt. `isFinal` marks the last one. */
  onFailure(error: unknown, isFinal: boolean): void;
  /** Called when an unavailable part has ended a pass. */
  onHeldUp?(): void;
  /** Interval at which the worker looks for work. Undefined: only when notified or when work becomes due. */
  pollMs?: number;
}
