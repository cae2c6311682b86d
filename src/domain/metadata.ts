/** Limits of metadata: how large the metadata of a memory may be, and how much a result shows. */
import type { Json, Metadata } from './json.js';

export interface MetadataLimits {
  /** Maximum length of the metadata as JSON, in UTF-8 bytes. */
  maxBytes: number;
  /** Maximum number of keys in all objects of the metadata together. */
  maxKeys: number;
  /** Maximum depth of nested objects and arrays, including the outermost object. */
  maxDepth: number;
}

/** The metadata shown in a result. A memory read by its id shows all metadata. */
export interface ShownMetadata {
  metadata: Metadata;
  /** Set when some keys have been left out, because the metadata are too long. */
  metadata_truncated?: true;
  /** Length of the complete metadata as JSON. Set only when keys have been left out. */
  metadata_bytes?: number;
}

/** Keys that the service itself writes. Their values repeat the content, or name other memories. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  'enriched_at',
  'entities',
  'original_content',
  'supersede_reason',
  'supersede_relation',
  'superseded_by',
]);
/** A longer string is a document, not a name or a label. Characters. */
const SEARCHED_MAX_LENGTH = 200;

/** The strings of metadata by whose words a memory is found, one a line, nested ones included. */
export function searchedMetadata(metadata: Metadata): string {
  const found: string[] = [];
  let level = Object.entries(metadata).flatMap(([key, value]) => (OWN_KEYS.has(key) ? [] : [value]));
  while (level.length > 0) {
    const next: Json[] = [];
    for (const value of level) {
      if (typeof value === 'string') {
        if (value.length <= SEARCHED_MAX_LENGTH) found.push(value);
      } else if (typeof value === 'object' && value !== null) {
        for (const child of Object.values(value)) next.push(child);
      }
    }
    level = next;
  }
  return found.join('\n');
}

/** Maximum length of metadata in one result, in bytes. */
const SHOWN_MAX_BYTES = 16 * 1024;

interface Extent {
  keys: number;
  depth: number;
  /** Whether all numbers in the value are finite. */
  isFiniteOnly: boolean;
}

/**
 * Measures a JSON value of any depth, without recursion, which could overflow the stack.
 *
 * @returns undefined when the value contains more than `maxValues` values
 */
function extentOf(value: unknown, maxValues = Infinity): Extent | undefined {
  const extent: Extent = { keys: 0, depth: 0, isFiniteOnly: true };
  let seen = 0;
  let level: unknown[] = [value];
  while (level.length > 0) {
    const next: unknown[] = [];
    let isNesting = false;
    for (const item of level) {
      if (typeof item === 'number') extent.isFiniteOnly &&= Number.isFinite(item);
      if (typeof item !== 'object' || item === null) continue;
      isNesting = true;
      const keys = Array.isArray(item) ? undefined : Object.keys(item);
      const count = keys?.length ?? (item as unknown[]).length;
      extent.keys += keys?.length ?? 0;
      seen += count;
      if (seen > maxValues) return undefined;
      for (const child of keys ? Object.values(item) : (item as unknown[])) next.push(child);
    }
    if (isNesting) extent.depth += 1;
    level = next;
  }
  return extent;
}

/** Whether a JSON value contains more than `maxValues` values. Counting stops at this number. */
export function isLargerThan(value: unknown, maxValues: number): boolean {
  return extentOf(value, maxValues) === undefined;
}

/** Describes the problem of invalid metadata. Undefined when the metadata are valid. */
export function metadataProblem(value: object, { maxBytes, maxKeys, maxDepth }: MetadataLimits): string | undefined {
  // More than `maxBytes` values are too long, because every value takes at least two bytes, including its comma.
  const extent = extentOf(value, maxBytes);
  if (!extent) return `must have at most ${maxBytes} bytes of JSON, but has more than ${maxBytes} values`;
  const { keys, depth, isFiniteOnly } = extent;
  if (depth > maxDepth) return `must not nest deeper than ${maxDepth} levels, but has ${depth}`;
  if (keys > maxKeys) return `must have at most ${maxKeys} keys, nested ones included, but has ${keys}`;
  if (!isFiniteOnly) return 'must not contain a number beyond 1.8e308';
  const bytes = bytesOf(value);
  return bytes > maxBytes ? `must have at most ${maxBytes} bytes of JSON, but has ${bytes}` : undefined;
}

/**
 * Describes the limit that the metadata would exceed after a change. Undefined when the change is allowed. Metadata
 * that already exceed a limit may stay the same size or shrink.
 */
export function growthProblem(
  before: Metadata,
  after: Metadata,
  { maxBytes, maxKeys }: MetadataLimits,
): string | undefined {
  const keys = keysOf(after);
  if (keys > maxKeys && keys > keysOf(before)) {
    return `must have at most ${maxKeys} keys, nested ones included, but would have ${keys} with this change`;
  }
  const bytes = bytesOf(after);
  if (bytes > maxBytes && bytes > bytesOf(before)) {
    return `must have at most ${maxBytes} bytes of JSON, but would have ${bytes} with this change`;
  }
  return undefined;
}

/**
 * The metadata that a result shows. The keys are taken in their order, and a key that does not fit any more is left
 * out.
 */
export function shownMetadata(metadata: Metadata): ShownMetadata {
  const bytes = bytesOf(metadata);
  if (bytes <= SHOWN_MAX_BYTES) return { metadata };
  let left = SHOWN_MAX_BYTES - 2;
  const shown = Object.entries(metadata).filter(entry => {
    // The entry as JSON is `["key",value]`. Its form in an object, `"key":value,`, is one byte shorter.
    const size = bytesOf(entry) - 1;
    if (size > left) return false;
    left -= size;
    return true;
  });
  return { metadata: Object.fromEntries(shown), metadata_truncated: true, metadata_bytes: bytes };
}

function keysOf(value: Metadata): number {
  return extentOf(value)?.keys ?? 0;
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
