/** Tags, their hierarchy, and the keys by which stores compare them (docs/decisions.md, "Tags and commas"). */

import { createHash } from 'node:crypto';

const DELIMITERS = /[:/]/;

/**
 * Trims, drops empties and case-insensitive duplicates (the first spelling stays).
 *
 * @param input a comma-separated string, or items of which each is one tag
 */
export function normalizeTags(input: string | readonly string[]): string[] {
  const items = typeof input === 'string' ? input.split(',') : input;
  const spellingByLowerCase = new Map<string, string>();
  for (const item of items) {
    const tag = item.trim();
    const lower = tag.toLowerCase();
    if (tag !== '' && !spellingByLowerCase.has(lower)) spellingByLowerCase.set(lower, tag);
  }
  return [...spellingByLowerCase.values()];
}

/** The form in which tags are compared: lower case, `:` for either delimiter, no empty segments. */
export function tagKey(tag: string): string {
  const segments = segmentsOf(tag);
  return segments.length > 0 ? segments.join(':') : tag.trim().toLowerCase();
}

/** The distinct keys of several tags, in order of first appearance. */
export function tagKeys(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tagKey))];
}

/** All cumulative prefixes of all tags: `x:y:z` gives `x`, `x:y` and `x:y:z`. Lower case, no duplicates. */
export function tagPrefixes(tags: readonly string[]): string[] {
  const prefixes = new Set<string>();
  for (const tag of tags) {
    let prefix: string | undefined;
    for (const segment of segmentsOf(tag)) {
      prefix = prefix === undefined ? segment : `${prefix}:${segment}`;
      prefixes.add(prefix);
    }
    if (prefix === undefined) prefixes.add(tagKey(tag));
  }
  return [...prefixes];
}

/** How deep in the hierarchy a tag stands. */
export function tagLevels(tag: string): number {
  return segmentsOf(tag).length;
}

function segmentsOf(tag: string): string[] {
  return tag
    .toLowerCase()
    .split(DELIMITERS)
    .map(segment => segment.trim())
    .filter(segment => segment !== '');
}

/** A key as 16 letters and digits, for indexes whose query language could not hold every key. */
export function tagDigest(key: string): string {
  return createHash('sha1').update(key).digest('hex').slice(0, 16);
}
