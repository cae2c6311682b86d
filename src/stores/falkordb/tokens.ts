/** Words and tags as the full-text index knows them: letters and digits only, so that none is an operator of its queries. */
import { createHash } from 'node:crypto';
import type { MemoryFilter } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { tagDigest, tagKeys } from '../../domain/tags.js';
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

/** `p` for at or below the key, `w` for the key itself. */
export function tagToken(key: string, match: 'prefix' | 'exact'): string {
  return `${match === 'prefix' ? 'p' : 'w'}${digestOf(key)}${END}`;
}

/** The same few tags come with one memory after another. */
const digests = new Map<string, string>();
const DIGESTS_MAX = 5_000;

function digestOf(key: string): string {
  const known = digests.get(key);
  if (known !== undefined) return known;
  const digest = tagDigest(key);
  if (digests.size >= DIGESTS_MAX) digests.clear();
  digests.set(key, digest);
  return digest;
}

export function tagTokens({ tags, tag_prefixes }: Pick<Memory, 'tags' | 'tag_prefixes'>): string[] {
  return [...tag_prefixes.map(key => tagToken(key, 'prefix')), ...tagKeys(tags).map(key => tagToken(key, 'exact'))];
}

/** Everything a memory is found by in full text, each once, between single spaces. */
export function wordsOf(memory: Pick<Memory, 'content' | 'tags' | 'tag_prefixes'>): string {
  const found = new Set([...stems(memory.content), ...stems(memory.tags.join(' '))].map(stemToken));
  return ` ${[...found, ...tagTokens(memory)].join(' ')} `;
}

/** The tokens of a filter's tags. */
export function scopeTokens({ tags }: MemoryFilter): string[] {
  return tags ? tags.keys.map(key => tagToken(key, tags.match)) : [];
}

export function excludedTokens({ excludedTagKeys = [] }: MemoryFilter): string[] {
  return excludedTagKeys.map(key => tagToken(key, 'prefix'));
}

/** A full-text query for one stem within the tags of the filter. */
export function stemExpression(stem: string, filter: MemoryFilter): string {
  const parts = [`(${stemToken(stem)})`];
  const scope = scopeTokens(filter);
  // An empty group would be an error, and no tag is in it.
  if (filter.tags?.mode === 'all') parts.push(...scope.map(token => `(${token})`));
  else if (scope.length > 0) parts.push(`(${scope.join('|')})`);
  const excluded = excludedTokens(filter);
  if (excluded.length > 0) parts.push(`-(${excluded.join('|')})`);
  return parts.join(' ');
}
