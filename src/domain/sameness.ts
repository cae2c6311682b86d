/** Decides which memories say the same, so that an answer shows only one of them. */
import { createHash } from 'node:crypto';
import { tagKeys } from './tags.js';

/**
 * Punctuation at the end of a sentence or clause. Other symbols are kept, because they distinguish texts: `C` from
 * `C#`, and `a < b` from `a > b`.
 */
const PUNCTUATION = /(?<=[\p{L}\p{N}])[.,;:!…]+(?=\s|$)/gu;

/**
 * A hash of the normalized content and tags. It is equal for memories whose contents differ at most in case, spacing and
 * punctuation, and whose tags have the same keys.
 */
export function samenessOf(content: string, tags: readonly string[]): string {
  const text = content.toLowerCase().replace(PUNCTUATION, '').replace(/\s+/g, ' ');
  const whole = JSON.stringify([text, tagKeys(tags).sort()]);
  return createHash('sha256').update(whole).digest('base64');
}
