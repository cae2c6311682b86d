/** Words and tags as the full-text index knows them: letters and digits only, so that none is an operator of its queries. */
import { createHash } from 'node:crypto';
import { type Condition, isSetCondition } from '../../domain/filter.js';
import { type SetField, type SetRecord, setToken, setTokensOf } from '../../domain/filter-fields.js';
import type { Memory } from '../../domain/memory.js';
import { stems } from '../../domain/text.js';

const PLAIN_STEM = /^[a-z0-9]+$/;
const HEX_MAX = 60;
/** At the end of every token: the server's stemmer, which it applies to queries whatever the index says, leaves digits. */
const END = '0';

/** `t` before a plain stem, `x` before the bytes of any other, `d` before the digest of a long one. */
export function stemToken(stem: string): string {
  if (PLAIN_STEM.test(stem)) return `t${stem}${END}`;
  const hex = Buffer.from(stem, 'utf8').toString('hex');
  return hex.length <= HEX_MAX ? `x${hex}${END}` : `d${createHash('sha1').update(stem).digest('hex')}${END}`;
}

/** A value of a filter's field as the index knows it. */
export function valueToken(field: SetField, value: string): string {
  return setToken(field, value) + END;
}

/** The values of a memory that filters look at. */
export function valueTokens(record: SetRecord): string[] {
  return setTokensOf(record).map(token => token + END);
}

/** Everything a memory is found by in full text, each once, between single spaces. */
export function wordsOf(memory: SetRecord & Pick<Memory, 'content'>): string {
  const found = new Set([...stems(memory.content), ...stems(memory.tags.join(' '))].map(stemToken));
  return ` ${[...found, ...valueTokens(memory)].join(' ')} `;
}

/** A full-text query for one stem among the memories that meet the conditions. */
export function stemExpression(stem: string, conditions: readonly Condition[]): string {
  const parts = [`(${stemToken(stem)})`];
  for (const { field, needs, values } of conditions.filter(isSetCondition)) {
    const tokens = values.map(value => valueToken(field, value));
    // An empty group would be an error: the conditions beside the index see to it.
    if (tokens.length === 0) continue;
    if (needs === 'all') parts.push(...tokens.map(token => `(${token})`));
    else parts.push(`${needs === 'none' ? '-' : ''}(${tokens.join('|')})`);
  }
  return parts.join(' ');
}
