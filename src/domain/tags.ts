/** Tags, their hierarchy, and the keys that stores compare (docs/decisions.md, "Tags and commas"). */
import { createHash } from 'node:crypto';
import { createRecent } from './collections.js';

const DELIMITERS = /[:/]/;

/**
 * Trims tags, composes their accents, and drops empty tags and case-insensitive duplicates (the first spelling is kept).
 *
 * @param input a comma-separated string, or a list with one tag per item
 */
export function normalizeTags(input: string | readonly string[]): string[] {
  const items = typeof input === 'string' ? input.split(',') : input;
  const spellingByLowerCase = new Map<string, string>();
  for (const item of items) {
    const tag = item.normalize('NFC').trim();
    const lower = lowerCase(tag);
    if (tag !== '' && !spellingByLowerCase.has(lower)) spellingByLowerCase.set(lower, tag);
  }
  return [...spellingByLowerCase.values()];
}

/**
 * Lower case, with composed accents. Unicode has two ways to write `é`: as one character, and as a letter with an accent
 * after it, which macOS uses in the names of files. Both look the same, so they must be the same tag.
 */
function lowerCase(tag: string): string {
  return tag.toLowerCase().normalize('NFC');
}

/** The form in which tags are compared: lower case, `:` as the only delimiter, no empty segments. */
export function tagKey(tag: string): string {
  const segments = segmentsOf(tag);
  return segments.length > 0 ? segments.join(':') : lowerCase(tag.trim());
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
  return lowerCase(tag)
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

/** A project under its name, and the names under which its memories may have been stored before. */
export interface NamedProject {
  /** `owner/name` of a repository, or the name of a folder. */
  name: string;
  formerNames: readonly string[];
}

/** A former name of a project that memories still have. */
export interface ProjectAlias {
  project: string;
  formerName: string;
  /** Number of memories with the tag of the former name. */
  memoryCount: number;
}

const KIND = 'project';

export function projectTag(name: string): string {
  return `${KIND}:${name}`;
}

/** Keys of the tags that name a project. */
export function projectKeysOf(tags: readonly string[]): string[] {
  return tags.map(tagKey).filter(key => key.startsWith(`${KIND}:`));
}

/** Keys of the tags of a project, under its name and its former names. */
export function keysOfProject({ name, formerNames }: NamedProject): string[] {
  return [name, ...formerNames].map(each => tagKey(projectTag(each)));
}

/**
 * Whether tags name projects, but not the one with these keys. A tag above it, such as `project:owner`, names it too,
 * and so does a tag below it.
 */
export function isOfOtherProjects(tags: readonly string[], keys: readonly string[]): boolean {
  const named = projectKeysOf(tags);
  return named.length > 0 && !named.some(one => keys.some(other => isWithin(one, other) || isWithin(other, one)));
}

function isWithin(key: string, above: string): boolean {
  return key === above || key.startsWith(`${above}:`);
}
