/** Rights that only one process at a time may have. */

/** The right to do something that only one process at a time may do. */
export interface Lease {
  name: string;
  /** Who takes it; taking it again prolongs it. */
  holder: string;
  nowMs: number;
  untilMs: number;
}

export interface Leases {
  /** @returns whether the lease is the holder's now: it was free, had ended, or was the holder's before */
  takeLease(lease: Lease): Promise<boolean>;
  /** Does nothing when another holds it. */
  releaseLease(name: string, holder: string): Promise<void>;
  /**
   * Frees what an earlier process of the same owner had claimed or leased when it ended. A store without an owner leaves
   * that to the end of the leases.
   */
  reclaim(): Promise<void>;
}
