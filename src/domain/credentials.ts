/** Memories that seem to contain a credential, found by reading all memories page by page. */

export interface CredentialScanRequest {
  /** The last id of the previous page; absent for the first page. */
  afterId?: string;
  /** Maximum number of memories to read. */
  limit: number;
}

export interface CredentialFinding {
  id: string;
  /** Kinds of the credentials, such as "GITHUB TOKEN". Each kind occurs once. */
  kinds: string[];
  /** The last words before the first secret, then its kind in brackets. The rest of the text is left out. */
  excerpt: string;
  /** Whether only former versions contain the credential, because an edit has removed it. */
  isOnlyInHistory: boolean;
}

export interface CredentialPage {
  findings: CredentialFinding[];
  /** Number of memories that were read. */
  scannedCount: number;
  /** Value of `afterId` for the next page; absent on the last page. */
  next?: string;
}

export const CREDENTIAL_PAGE_MAX = 2_000;
