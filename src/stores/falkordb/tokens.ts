/**
 * Converts words and tags to tokens of the full-text index. A token has only letters and digits, so that no token is an
 * operator of the query language.
 */
import { createHash } from 'node:crypto';
import {
  type Condition,
  isSetCondition,
  type SetField,
  type SetRecord,
  setToken,
  setTokensOf,
} from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { indexedTerms } from '../../domain/text/terms.js';

const PLAIN_STEM = /^[a-z0-9]+$/;
const HEX_MAX = 60;
/**
 * The end of every token. It is a digit, because the server stems the words of a query even if the index has stemming
 * turned off, and stemming does not change a word that ends with a digit.
 */
const END = '0';

/**
 * Returns the token of a stem: `t` and a plain stem, `x` and the bytes of any other stem, or `d` and the digest of a
 * long stem.
 */
export function stemToken(stem: string): string {
  if (PLAIN_STEM.test(stem)) return `t${stem}${END}`;
  const hex = Buffer.from(stem, 'utf8').toString('hex');
  return hex.length <= HEX_MAX ? `x${hex}${END}` : `d${createHash('sha1').update(stem).digest('hex')}${END}`;
}

/** Returns the token of a value of a filter field. */
export function valueToken(field: SetField, value: string): string {
  return setToken(field, value) + END;
}

/** Returns the tokens of a memory's values in the filter fields. */
export function valueTokens(record: SetRecord): string[] {
  return setTokensOf(record).map(token => token + END);
}

/** Returns all full-text tokens of a memory, each token once, with a single space before and after it. */
export function wordsOf(memory: SetRecord & Pick<Memory, 'content' | 'metadata'>): string {
  const { ofContent, ofTags, ofMetadata } = indexedTerms(memory);
  const found = new Set([...ofContent, ...ofTags, ...ofMetadata].map(stemToken));
  return ` ${[...found, ...valueTokens(memory)].join(' ')} `;
}

/** Returns a full-text query for a stem and those conditions that the full-text index can evaluate. */
export function stemExpression(stem: string, conditions: readonly Condition[]): string {
  const required = [`(${stemToken(stem)})`];
  const excluded: string[] = [];
  for (const { needs, field, values } of conditions.filter(isSetCondition)) {
    const tokens = values.map(value => valueToken(field, value));
    if (needs === 'none') excluded.push(...tokens);
    else if (needs === 'all') required.push(...tokens.map(token => `(${token})`));
    // An empty group would be a syntax error, so a condition without values is checked outside the index.
    else if (tokens.length > 0) required.push(`(${tokens.join('|')})`);
  }
  // The exclusion comes last, because the server would also negate the groups that follow it.
  return [...required, ...(excluded.length > 0 ? [`-(${excluded.join('|')})`] : [])].join(' ');
}
