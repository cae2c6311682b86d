/** Renews the leases of claims while their work continues. */
import type { Clock } from '../domain/time.js';
import type { WorkQueue } from '../stores/ports/work-queue.js';

export interface LeaseRenewal {
  graph: Pick<WorkQueue, 'renewWork'>;
  clock: Clock;
  leaseMs: number;
  onFailure(error: unknown): void;
}

/** @returns a function that ends the renewal */
export function keepRenewing(
  tokens: readonly string[],
  { graph, clock, leaseMs, onFailure }: LeaseRenewal,
): () => void {
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
