/** What a worker is made of. */
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
   * @returns the tokens it settled; a claim that lost its effect meanwhile is not among them
   */
  perform(claims: readonly WorkClaim[]): Promise<string[]>;
  /** Work that waits for no claim, done when none is left; true when there may be more of it. */
  tidy?(): Promise<boolean>;
  /** Whether work that waits for a vector is taken up all the same: while no vector can be had. */
  takesHeld?(): boolean;
  /** Told of every failed attempt; `isFinal` when it was the last. */
  onFailure(error: unknown, isFinal: boolean): void;
  /** Told when something that is away has ended a pass. */
  onHeldUp?(): void;
  /** Looks for work at least so often; absent: when told of some, or when some falls due. */
  pollMs?: number;
}
