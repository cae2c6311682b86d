/** Renders a page of the search for credentials. */
import type { CredentialPage } from '../../domain/credentials.js';
import type { CredentialsAnswer } from '../answers/credentials.js';

export function renderCredentials({ findings, scannedCount, next }: CredentialPage): CredentialsAnswer {
  return {
    status: 'success',
    findings: findings.map(({ isOnlyInHistory, ...finding }) => ({ ...finding, only_in_history: isOnlyInHistory })),
    scanned: scannedCount,
    next: next ?? null,
  };
}
