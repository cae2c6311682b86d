/**
 * Checks the content of a memory before it is stored: removes text that Engraph itself injected, and refuses
 * credentials.
 */
import { flag } from '../../api/fields.js';
import { optional } from '../../api/input.js';
import { credentialsIn } from '../../credentials.js';
import { MemoryError } from '../../domain/errors.js';
import { withoutInjections } from '../../domain/injected-text.js';

export const allowCredentials = optional(flag).describe('Stores the content even if it seems to contain a credential');

export interface ContentCheck {
  allowsCredentials: boolean | undefined;
  /** Position in a batch, from 0. */
  index?: number;
}

/**
 * @returns the content to store, and, when credentials are allowed, the kinds of credentials that the content seems to
 * contain
 * @throws MemoryError `invalid` when nothing is left to store, or when credentials are not allowed and the content
 * seems to contain one
 */
export async function checkContent(
  content: string,
  { allowsCredentials = false, index }: ContentCheck,
): Promise<{ content: string; kinds: string[] }> {
  const own = withoutInjections(content);
  if (own === '' && content.trim() !== '') {
    const problem = 'content contains only memories that Engraph has shown, which are stored already';
    throw new MemoryError('invalid', problem, { field: 'content', ...(index !== undefined && { index }) });
  }
  const kinds = await credentialsIn(own);
  if (kinds.length > 0 && !allowsCredentials) throw credentialRefusal(kinds, index);
  return { content: own, kinds };
}

function credentialRefusal(kinds: readonly string[], index: number | undefined): MemoryError {
  const where = index === undefined ? '' : ` in item ${index}`;
  return new MemoryError('invalid', `content seems to contain a credential (${kinds.join(', ')})${where}`, {
    field: 'content',
    ...(index !== undefined && { index }),
    hint:
      'Nothing was stored. Everybody who recalls a memory can read it: leave the secret out and say where it is ' +
      'kept. If it is not a secret, call again with allow_credentials: true.',
  });
}

export function credentialWarning(kinds: readonly string[]): string {
  return (
    `The content seems to contain a credential (${kinds.join(', ')}). Everybody who recalls this memory can read ` +
    'it. Delete the memory and store it again without the secret: update_memory keeps the former version in the history.'
  );
}
