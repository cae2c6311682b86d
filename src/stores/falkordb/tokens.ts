/**
 * Words and tags in the form of the full-text index: only letters and digits, so that none is an operator of its query
 * language.
 */
import { createHash } from 'node:crypto';
import { type Condition, isSetCondition } from '../../domain/filter.js';
import { type SetField, type SetRecord, setToken, setTokensOf } from '../../domain/filter-fields.js';
import type { Memory } from '../../domain/memory.js';
import { stems } from '../../domain/text.js';

const PLAIN_STEM = /^[a-z0-9]+$/;
const HEX_MAX = 60;
/**
 * At the end of every token: the server stems the words of a query whatever the index is set to, but leaves digits
 * alone.
 */
const END = '0';

/** `t` before a plain stem, `x` before the bytes of any other, `d` before the digest of a long one. */
export function stemToken(stem: string): string {
  if (PLAIN_STEM.test(stem)) return `t${stem}${END}`;
  const hex = Buffer.from(stem, 'utf8').toString('hex');
  return hex.length <= HEX_MAX ? `x${hex}${END}` : `d${createHash('sha1').update(stem).digest('hex')}${END}`;
}

/** The token of a value of a filter field. */
export function valueToken(field: SetField, value: string): string {
  return setToken(field, value) + END;
}

/** The tokens of the values of a memory that filters use. */
export function valueTokens(record: SetRecord): string[] {
  return setTokensOf(record).map(token => token + END);
}

/** All full-text tokens of a memory, each once, separated by single spaces. */
export function wordsOf(memory: SetRecord & Pick<Memory, 'content'>): string {
  const found = new Set([...stems(memory.content), ...stems(memory.tags.join(' '))].map(stemToken));
  return ` ${[...found, ...valueTokens(memory)].join(' ')} `;
}

/** A full-text query for one stem, limited to memories that meet the conditions. */
export function stemExpression(stem: string, conditions: readonly Condition[]): string {
  const parts = [`(${stemToken(stem)})`];
  for (const { field, needs, values } of conditions.filter(isSetCondition)) {
    const tokens = values.map(value => valueToken(field, value));
    // An empty group would be a syntax error; the conditions outside the index cover this case.
    if (tokens.length === 0) continue;
    if (needs === 'all') parts.push(...tokens.map(token => `(${token})`));
    else parts.push(`${needs === 'none' ? '-' : ''}(${tokens.join('|')})`);
  }
  return parts.join(' ');
}
