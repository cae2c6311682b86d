/** Taking in what other programs wrote to a shared graph (docs/decisions.md, "Other writers of the graph"). */
import type { AdoptionReport } from '../domain/maintenance.js';
import type { Adopter } from '../stores/ports/adopter.js';

export interface AdoptingRequest {
  /** Only reports. */
  isDryRun: boolean;
  /** Called before each page; when it rejects, so does the whole, and the rest is left for the next time. */
  onPage(): Promise<void>;
}

/** @returns undefined where nobody else writes to the graph */
export async function adoptOthers(
  graph: Adopter,
  { isDryRun, onPage }: AdoptingRequest,
): Promise<AdoptionReport | undefined> {
  // A store that rejects would count as one that fails.
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
