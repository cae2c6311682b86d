/** Facts about the state of the stores that a ping does not show. */
import type { StoreActivity } from './store-watch.js';

/** `unchecked`: there was no reason for a check, or the check could not run. */
export type Integrity = { state: 'unchecked' | 'checking' | 'sound' } | { state: 'damaged'; problem: string };

export interface StorageState {
  graphActivity(): StoreActivity;
  vectorActivity(): StoreActivity;
  /** Stores whose circuit breaker currently refuses calls. */
  openCircuits(): { graph: boolean; vectors: boolean };
  /** Returns the state of the database file, which is checked after a process ended without closing the file. */
  integrity(): Integrity;
  /** The reasons why all writes are refused, such as data that used to be in the store and is gone. */
  refusals(): string[];
  /** Returns the free bytes on the disk of the data folder; undefined if there is no data folder. */
  freeBytes(): Promise<number | undefined>;
}
