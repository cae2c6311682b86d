/** Limits of metadata: how large the metadata of a memory may be, and how much a result shows. */
import { changedNumber, type Json, type Metadata } from './json.js';
import { beginningOf, halfCharacterProblem } from './text/characters.js';

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
}

/**
 * Measures a JSON value of any depth, without recursion, which could overflow the stack.
 *
 * @returns undefined when the value contains more than `maxValues` values
 */
function extentOf(value: unknown, maxValues = Infinity): Extent | undefined {
  const extent: Extent = { keys: 0, depth: 0 };
  let seen = 0;
  let level: unknown[] = [value];
  while (level.length > 0) {
    const next: unknown[] = [];
    let isNesting = false;
    for (const item of level) {
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

/** The position of a value in metadata. */
interface Place {
  container: object;
  key: string;
  above: Place | undefined;
}

/** Describes the first value that could not be stored as it was written. Undefined when every value can be. */
function valueProblem(value: object, isTrusted: boolean): string | undefined {
  let level: { container: object; above: Place | undefined }[] = [{ container: value, above: undefined }];
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { container, above } of level) {
      const isList = Array.isArray(container);
      for (const [key, child] of Object.entries(container)) {
        const place = { container, key, above };
        const problem = (isList ? undefined : halfCharacterProblem(key)) ?? problemOf(child, place, isTrusted);
        if (problem !== undefined) return `${problem} (${pathOf(place)})`;
        if (typeof child === 'object' && child !== null) next.push({ container: child, above: place });
      }
    }
    level = next;
  }
  return undefined;
}

const SHOWN_NUMBER_LENGTH = 40;
const SHOWN_PATH_LENGTH = 100;

function problemOf(child: unknown, { container, key }: Place, isTrusted: boolean): string | undefined {
  if (typeof child === 'string') return halfCharacterProblem(child);
  const source = typeof child === 'number' ? changedNumber(container, key, { value: child, isTrusted }) : undefined;
  if (source === undefined) return undefined;
  const shown = beginningOf(source, SHOWN_NUMBER_LENGTH);
  if (!Number.isFinite(child)) return `must not contain a number beyond 1.8e308, such as ${shown}: quote it as text`;
  return `must not contain the number ${shown}, which would be stored as ${child}: quote it as text`;
}

function pathOf(place: Place): string {
  const keys: string[] = [];
  for (let at: Place | undefined = place; at; at = at.above) keys.unshift(at.key);
  return beginningOf(keys.join('.'), SHOWN_PATH_LENGTH).toWellFormed();
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
