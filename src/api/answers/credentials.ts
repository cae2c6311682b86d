/** The answer with one page of memories that seem to contain a credential. It never contains the secret. */
import { z } from 'zod';
import { success, wholeNumber } from './common.js';

const finding = z
  .strictObject({
    id: z.string().describe('Id of the memory'),
    kinds: z.array(z.string()).describe('Kinds of the credentials, such as GITHUB TOKEN'),
    only_in_history: z
      .boolean()
      .describe('Whether only former versions contain the credential, because an edit removed it'),
    excerpt: z.string().describe('The words before the first credential, then its kind in brackets'),
  })
  .describe('A memory that seems to contain a credential');

export const credentialsAnswer = z.strictObject({
  status: success,
  findings: z.array(finding).describe('The memories of the page that seem to contain a credential'),
  scanned: wholeNumber.describe('Number of memories that were read'),
  next: z.string().nullable().describe('`after` of the next page; null on the last page'),
});
export type CredentialsAnswer = z.infer<typeof credentialsAnswer>;
