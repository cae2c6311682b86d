/** Memories whose content seems to contain a credential, found by reading all memories page by page. */

export interface CredentialScanRequest {
  /** The last id of the previous page; absent for the first page. */
  afterId?: string;
  /** Maximum number of memories to read. */
  limit: number;
}

export interface CredentialFinding {
  id: string;
  /** Such as "GITHUB TOKEN", each once. */
  kinds: string[];
  /** The words before the first secret, and its kind in the place of the secret. Nothing after it is shown. */
  excerpt: string;
  /** Whether an edit has removed the credential, and a former version still contains it. */
  isOnlyInHistory: boolean;
}

export interface CredentialPage {
  findings: CredentialFinding[];
  /** Number of memories that were read. */
  scannedCount: number;
  /** `afterId` of the next page; absent on the last page. */
  next?: string;
}

export const CREDENTIAL_PAGE_MAX = 2_000;
