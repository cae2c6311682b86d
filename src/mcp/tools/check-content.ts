/** Checks the texts of a memory before it is stored: refuses credentials, and notices what Engraph itself has shown. */
import { flag } from '../../api/fields.js';
import { optional } from '../../api/input.js';
import { type CheckedRecord, type CredentialsInField, credentialsInRecord } from '../../credentials.js';
import { MemoryError } from '../../domain/errors.js';

export const allowCredentials = optional(flag).describe('Stores the memory even if it seems to contain a credential');

export interface ContentCheck {
  allowsCredentials: boolean | undefined;
  /** Position in a batch, from 0. */
  index?: number;
}

/**
 * @returns the kinds of credentials that the record seems to contain, when credentials are allowed
 * @throws MemoryError `invalid` when credentials are not allowed and the record seems to contain one
 */
export async function checkCredentials(
  record: CheckedRecord,
  { allowsCredentials = false, index }: ContentCheck,
): Promise<string[]> {
  const found = await credentialsInRecord(record);
  if (found[0] && !allowsCredentials) throw credentialRefusal(found[0], index);
  return [...new Set(found.flatMap(({ kinds }) => kinds))];
}

function credentialRefusal({ field, kinds }: CredentialsInField, index: number | undefined): MemoryError {
  const where = index === undefined ? '' : ` in item ${index}`;
  const what = field === 'tags' ? 'a tag' : field;
  return new MemoryError('invalid', `${what} seems to contain a credential (${kinds.join(', ')})${where}`, {
    field,
    ...(index !== undefined && { index }),
    hint:
      'Nothing was stored. Everybody who recalls a memory can read it: leave the secret out and say where it is ' +
      'kept. If it is not a secret, call again with allow_credentials: true.',
  });
}

export function credentialWarning(kinds: readonly string[]): string {
  return (
    `The memory seems to contain a credential (${kinds.join(', ')}). Everybody who recalls it can read the credential. ` +
    'Delete the memory and store it again without the secret: update_memory keeps the former version in the history.'
  );
}

export const REPETITION_WARNING =
  'The content was stored as it is, with memories that Engraph has shown to you, which are stored already. If only ' +
  'the rest is new, shorten it with update_memory.';
