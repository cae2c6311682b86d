/** A graph to which other programs write as well. */
import type { AdoptionReport } from '../../domain/maintenance.js';

export interface AdoptionRequest {
  /** Only reports what it would do. */
  isDryRun: boolean;
  /** Asked before each page; after a no, the rest is left for the next time. */
  mayGoOn?(): Promise<boolean>;
}

export interface Adopter {
  /**
   * Looks at all nodes for what other programs wrote, and makes it part of the memory without changing what they wrote.
   * Absent where nobody else writes.
   */
  adopt?(request: AdoptionRequest): Promise<AdoptionReport>;
}
