/** Keeps claims while their work goes on. */
import type { Clock } from '../domain/time.js';
import type { WorkQueue } from '../stores/ports/work-queue.js';

export interface LeaseRenewal {
  graph: Pick<WorkQueue, 'renewWork'>;
  clock: Clock;
  leaseMs: number;
  onFailure(error: unknown): void;
}

/** @returns what ends the renewing */
export function keepRenewing(
  tokens: readonly string[],
  { graph, clock, leaseMs, onFailure }: LeaseRenewal,
): () => void {
  let cancel = () => {};
  let isDone = false;
  const renewLater = () => {
    if (isDone) return;
    // Twice within a lease, so that one renewal may fail.
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
