/**
 * Adopts records that other programs wrote to a shared graph. One process at a time adopts records (docs/decisions.md,
 * "Other writers of the graph").
 */
import type { AdoptionReport } from '../domain/maintenance.js';
import type { Logger } from '../log.js';
import { adoptOthers } from '../maintenance/sync.js';
import type { Adopter } from '../stores/graph-store.js';
import type { Workers } from './workers.js';

export interface AdoptionParts {
  graph: Adopter;
  workers: Workers;
  log: Logger;
}

/** @param onPage as in `AdoptingRequest` */
export async function adoptForeignWrites(parts: AdoptionParts, onPage: () => Promise<void>): Promise<void> {
  const report = await adoptOthers(parts.graph, { isDryRun: false, onPage });
  if (report) logAdoption(parts, report);
}

/** Logs the findings, and wakes the workers if memories were adopted or repaired. */
export function logAdoption({ log, workers }: AdoptionParts, report: AdoptionReport): void {
  const { adoptedCount, repairedCount, malformedCount, malformedSample } = report;
  if (adoptedCount > 0) log.info(`${adoptedCount} memories written by another program were adopted`);
  if (repairedCount > 0)
    log.info(`the index of ${repairedCount} memories that another program changed or removed was updated`);
  if (malformedCount > 0) {
    const [first] = malformedSample;
    const example = first ? `; the first is ${first.label} ${first.id ?? 'without an id'}: ${first.problem}` : '';
    log.warn(`${malformedCount} nodes of the graph cannot be read and were left unchanged${example}`);
  }
  const count = adoptedCount + repairedCount;
  if (count === 0) return;
  workers.embed.notify(count);
  workers.enrich.notify(count);
}
