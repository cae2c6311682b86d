/** How the stores fare, as far as their answers to a ping do not tell. */
import type { StoreActivity } from './store-watch.js';

/** `unchecked`: there was no reason to check, or the check could not be made. */
export type Integrity = { state: 'unchecked' | 'checking' | 'sound' } | { state: 'damaged'; problem: string };

export interface StorageState {
  graphActivity(): StoreActivity;
  vectorActivity(): StoreActivity;
  /** Stores whose circuit breaker refuses calls at the moment. */
  openCircuits(): { graph: boolean; vectors: boolean };
  /** Of the file, after an end that left it open. */
  integrity(): Integrity;
  /** What was there and is no longer; undefined when nothing is missing. */
  missing(): string | undefined;
  /** Bytes left on the disk of the data folder; undefined where there is none. */
  freeBytes(): Promise<number | undefined>;
}
