/** Parameters of the search for credentials, which reads memories page by page. */
import { z } from 'zod';
import { CREDENTIAL_PAGE_MAX, type CredentialScanRequest } from '../../domain/credentials.js';
import { count, memoryId } from '../fields.js';
import { optional } from '../input.js';

const PAGE = 500;

export const credentialPage = z.object({
  after: optional(memoryId).describe('`next` of the prior page'),
  limit: optional(count({ max: CREDENTIAL_PAGE_MAX })).describe(
    `Maximum number of memories to read, ${PAGE} by default`,
  ),
});
export type CredentialPageParameters = z.input<typeof credentialPage>;

export function toCredentialScan({ after, limit = PAGE }: z.output<typeof credentialPage>): CredentialScanRequest {
  return { limit, ...(after !== undefined && { afterId: after }) };
}
