/** The size of metadata: what a memory may hold, and how much of it a result shows. */
import type { Metadata } from './json.js';

export interface MetadataLimits {
  /** Of its JSON in UTF-8. */
  maxBytes: number;
  /** Keys of all objects in it together. */
  maxKeys: number;
  /** Objects and arrays within each other, the outermost included. */
  maxDepth: number;
}

/** Metadata as a result shows it. A memory read by its id has all of it. */
export interface ShownMetadata {
  metadata: Metadata;
  /** Keys have been left out, because all of it would be too long. */
  metadata_truncated?: true;
  /** Of all of it, as JSON in UTF-8; only where keys have been left out. */
  metadata_bytes?: number;
}

/** Largest metadata that one result shows, in bytes. */
const SHOWN_MAX_BYTES = 16 * 1024;

interface Extent {
  keys: number;
  depth: number;
  /** Whether every number in it is finite. */
  isFiniteOnly: boolean;
}

/**
 * Measures a JSON value of any depth, which a function that calls itself could not.
 *
 * @returns undefined when it holds more than so many values
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

/** Whether a value holds more than so many values, counted without following any of them further than that. */
export function isLargerThan(value: unknown, maxValues: number): boolean {
  return extentOf(value, maxValues) === undefined;
}

/** Says what is wrong with metadata; undefined when they may be kept. */
export function metadataProblem(value: object, { maxBytes, maxKeys, maxDepth }: MetadataLimits): string | undefined {
  // No value takes less than two bytes, the comma after it included.
  const extent = extentOf(value, maxBytes);
  if (!extent) return `must be at most ${maxBytes} bytes of JSON, but has more than ${maxBytes} values`;
  const { keys, depth, isFiniteOnly } = extent;
  if (depth > maxDepth) return `must not nest deeper than ${maxDepth} levels, but has ${depth}`;
  if (keys > maxKeys) return `must have at most ${maxKeys} keys, nested ones included, but has ${keys}`;
  if (!isFiniteOnly) return 'must not contain a number beyond 1.8e308';
  const bytes = bytesOf(value);
  return bytes > maxBytes ? `must be at most ${maxBytes} bytes of JSON, but has ${bytes}` : undefined;
}

/**
 * Says what is wrong with metadata that a change has grown beyond a bound; undefined when they may be kept. What lay beyond a
 * bound already may stay there or shrink.
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
    return `must be at most ${maxBytes} bytes of JSON, but would have ${bytes} with this change`;
  }
  return undefined;
}

/** What a result shows of metadata: keys in their order, and where not all fit those that still do. */
export function shownMetadata(metadata: Metadata): ShownMetadata {
  const bytes = bytesOf(metadata);
  if (bytes <= SHOWN_MAX_BYTES) return { metadata };
  let left = SHOWN_MAX_BYTES - 2;
  const shown = Object.entries(metadata).filter(entry => {
    // With its colon and its comma a key and its value take as much as the two in a list.
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
