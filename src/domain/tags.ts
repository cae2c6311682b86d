/** Tags, their hierarchy, and the keys that stores compare (docs/decisions.md, "Tags and commas"). */

import { createHash } from 'node:crypto';
import { createRecent } from './recent.js';

const DELIMITERS = /[:/]/;

/**
 * Trims tags, and drops empty tags and case-insensitive duplicates (the first spelling is kept).
 *
 * @param input a comma-separated string, or a list with one tag per item
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

/** The form in which tags are compared: lower case, `:` as the only delimiter, no empty segments. */
export function tagKey(tag: string): string {
  const segments = segmentsOf(tag);
  return segments.length > 0 ? segments.join(':') : tag.trim().toLowerCase();
}

/** The distinct keys of several tags, in order of first appearance. */
export function tagKeys(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tagKey))];
}

/**
 * The distinct keys of the tags of a record, cached with the prefixes of these tags. The tags of a request are not
 * cached, because each of them may keep the whole text of its request in memory.
 */
export function recordTagKeys(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tag => prefixesOf(tag).at(-1) as string))];
}

/** All cumulative prefixes of all tags: `x:y:z` gives `x`, `x:y` and `x:y:z`. Lower case, no duplicates. */
export function tagPrefixes(tags: readonly string[]): string[] {
  const prefixes = new Set<string>();
  for (const tag of tags) for (const prefix of prefixesOf(tag)) prefixes.add(prefix);
  return [...prefixes];
}

/** The cached prefixes of tags. Memories share tags, and records that share strings take less memory. */
const PREFIXES = createRecent<readonly string[]>(20_000, () => 1);

/** Returns at least one prefix. The last prefix is the key of the tag. */
function prefixesOf(tag: string): readonly string[] {
  const known = PREFIXES.get(tag);
  if (known) return known;
  const prefixes: string[] = [];
  for (const segment of segmentsOf(tag)) {
    const before = prefixes.at(-1);
    prefixes.push(before === undefined ? segment : `${before}:${segment}`);
  }
  // A tag that consists only of delimiters has no segment.
  if (prefixes.length === 0) prefixes.push(tagKey(tag));
  PREFIXES.set(tag, prefixes);
  return prefixes;
}

/** Number of levels of a tag. */
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

/** A hash of a key, 16 hexadecimal digits long. Some index query languages cannot express every key. */
export function tagDigest(key: string): string {
  const known = DIGESTS.get(key);
  if (known !== undefined) return known;
  const digest = createHash('sha1').update(key).digest('hex').slice(0, DIGEST_LENGTH);
  DIGESTS.set(key, digest);
  return digest;
}

const DIGEST_LENGTH = 16;
/** Caches the digests of keys, because memories share tags, and each write needs the digest of every tag twice. */
const DIGESTS = createRecent<string>(20_000, () => 1);
