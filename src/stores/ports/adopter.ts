/** A graph to which other programs also write. */
import type { AdoptionReport } from '../../domain/maintenance.js';

export interface AdoptionRequest {
  /** Only reports the changes that would be made. */
  isDryRun: boolean;
  /** Called before each page. When it returns false, the remaining pages wait for the next run. */
  mayGoOn?(): Promise<boolean>;
}

export interface Adopter {
  /**
   * Searches all nodes for data that other programs wrote, and adds the properties that Engraph needs. Keeps the data
   * itself unchanged. Absent in a graph to which no other program writes.
   */
  adopt?(request: AdoptionRequest): Promise<AdoptionReport>;
}
