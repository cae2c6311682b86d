/** Leases: rights that only one process at a time may hold. */

/** The right to do work that only one process at a time may do. */
export interface Lease {
  name: string;
  /** Name of the run that takes the lease; taking the lease again renews it. */
  holder: string;
  nowMs: number;
  untilMs: number;
}

export interface Leases {
  /** @returns whether the holder has the lease now, because it was free, expired, or already the holder's */
  takeLease(lease: Lease): Promise<boolean>;
  /** Does nothing when another holder has the lease. */
  releaseLease(name: string, holder: string): Promise<void>;
  /**
   * Releases the claims and leases of an earlier process that has ended and had the same owner. In a store without an
   * owner, claims and leases expire by themselves.
   */
  reclaim(): Promise<void>;
}
