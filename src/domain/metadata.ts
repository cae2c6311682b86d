/** Limits of metadata: how large the metadata of a memory may be, and how much a result shows. */

import { halfCharacterProblem } from './input.js';
import { changedNumber, type Json, type Metadata } from './json.js';
import { beginningOf } from './text/characters.js';

export interface MetadataLimits {
  /** Maximum length of the metadata as JSON, in UTF-8 bytes. */
  maxBytes: number;
  /** Maximum number of keys in all objects of the metadata together. */
  maxKeys: number;
  /** Maximum depth of nested objects and arrays, including the outermost object. */
  maxDepth: number;
  /** Whether integers of which only the parsed value is known may be larger than safe integers. */
  trustsNumbers?: boolean;
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
  const collect = (value: Json) => {
    if (typeof value === 'object' && value !== null) for (const child of Object.values(value)) collect(child);
    else if (typeof value === 'string' && value.length <= SEARCHED_MAX_LENGTH) found.push(value);
  };
  for (const [key, value] of Object.entries(metadata)) if (!OWN_KEYS.has(key)) collect(value);
  return found.join('\n');
}

/** Maximum length of metadata in one result, in bytes. */
const SHOWN_MAX_BYTES = 16 * 1024;

/**
 * Counts the keys and the levels of a JSON value of any depth, without recursion, which could overflow the stack.
 *
 * @returns undefined when the value contains more than `maxValues` values
 */
function extentOf(value: unknown, maxValues = Infinity): { keys: number; depth: number } | undefined {
  const extent = { keys: 0, depth: 0 };
  let seen = 0;
  let level = [value].filter(isContainer);
  while (level.length > 0) {
    extent.depth += 1;
    const next: object[] = [];
    for (const container of level) {
      const values = Object.values(container);
      seen += values.length;
      if (seen > maxValues) return undefined;
      if (!Array.isArray(container)) extent.keys += values.length;
      for (const child of values) if (isContainer(child)) next.push(child);
    }
    level = next;
  }
  return extent;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a JSON value contains more than `maxValues` values. Counting stops at this number. */
export function isLargerThan(value: unknown, maxValues: number): boolean {
  return extentOf(value, maxValues) === undefined;
}

/** Describes the problem of invalid metadata. Undefined when the metadata are valid. */
export function metadataProblem(value: object, limits: MetadataLimits): string | undefined {
  const { maxBytes, maxKeys, maxDepth, trustsNumbers = false } = limits;
  // More than `maxBytes` values are too long, because every value takes at least two bytes, including its comma.
  const extent = extentOf(value, maxBytes);
  if (!extent) return `must have at most ${maxBytes} bytes of JSON, but has more than ${maxBytes} values`;
  const { keys, depth } = extent;
  if (depth > maxDepth) return `must not nest deeper than ${maxDepth} levels, but has ${depth}`;
  if (keys > maxKeys) return `must have at most ${maxKeys} keys, nested ones included, but has ${keys}`;
  const bytes = bytesOf(value);
  if (bytes > maxBytes) return `must have at most ${maxBytes} bytes of JSON, but has ${bytes}`;
  return valueProblem(value, trustsNumbers);
}

/** Describes the first value that could not be stored as it was written. Undefined when every value can be. */
function valueProblem(container: object, isTrusted: boolean, above: readonly string[] = []): string | undefined {
  for (const [key, child] of Object.entries(container)) {
    const path = [...above, key];
    const problem =
      (Array.isArray(container) ? undefined : halfCharacterProblem(key)) ??
      (typeof child === 'string' ? halfCharacterProblem(child) : undefined) ??
      (typeof child === 'number'
        ? numberProblem(child, changedNumber(container, key, { value: child, isTrusted }))
        : undefined);
    if (problem !== undefined) return `${problem} (${beginningOf(path.join('.'), SHOWN_LENGTH).toWellFormed()})`;
    const nested = isContainer(child) ? valueProblem(child, isTrusted, path) : undefined;
    if (nested !== undefined) return nested;
  }
  return undefined;
}

/** Maximum length of a number, and of the path of keys to a value, in an error. */
const SHOWN_LENGTH = 100;

/** @param source how the number was written, if JavaScript changes it */
function numberProblem(value: number, source: string | undefined): string | undefined {
  if (source === undefined) return undefined;
  const shown = beginningOf(source, SHOWN_LENGTH);
  if (!Number.isFinite(value)) return `must not contain a number beyond 1.8e308, such as ${shown}: quote it as text`;
  return `must not contain the number ${shown}, which would be stored as ${value}: quote it as text`;
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
  const [keysBefore, keys] = [before, after].map(value => extentOf(value)?.keys ?? 0) as [number, number];
  if (keys > maxKeys && keys > keysBefore) {
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

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
