/** Adopts data that other programs wrote to a shared graph (docs/decisions.md, "Other writers of the graph"). */
import type { AdoptionReport } from '../domain/maintenance.js';
import type { Adopter } from '../stores/ports/adopter.js';

export interface AdoptingRequest {
  /** Only reports the changes that would be made. */
  isDryRun: boolean;
  /**
   * Called before each page. When it rejects, the adoption rejects too, and the remaining pages wait for the next run.
   */
  onPage(): Promise<void>;
}

/** @returns undefined if no other program writes to the graph */
export async function adoptOthers(
  graph: Adopter,
  { isDryRun, onPage }: AdoptingRequest,
): Promise<AdoptionReport | undefined> {
  // Throw the reason of a rejected `onPage` only after the store call. A rejection inside the call would count as a
  // failure of the store.
  let stop: { reason: unknown } | undefined;
  const mayGoOn = () =>
    onPage().then(
      () => true,
      reason => {
        stop = { reason };
        return false;
      },
    );
  const report = await graph.adopt?.({ isDryRun, mayGoOn });
  if (stop) throw stop.reason;
  return report;
}
