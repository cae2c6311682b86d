/** Records that a store keeps in memory and gives to many callers. */
import type { Memory } from '../domain/memory.js';

/**
 * Maximum size of a cache of records, in characters as `lengthOf` counts them. The cache keeps at least four fifths of
 * this size: about 10,000 notes.
 */
export const CHARACTERS_MAX = 10_000_000;
/** Number of characters that each record counts in addition to its texts. */
export const CHARACTERS_OF_RECORD = 400;

/**
 * Freezes a record, so that a program that tries to change it gets an error. Without the error, the change would appear
 * in the next recall.
 */
export function frozenMemory(memory: Memory): Memory {
  Object.freeze(memory.tags);
  Object.freeze(memory.tag_prefixes);
  frozen(memory.metadata);
  return Object.freeze(memory);
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/**
 * Size of a record in characters.
 *
 * @param metadataLength length of the metadata as JSON
 */
export function lengthOf({ content, tags, tag_prefixes, summary }: Memory, metadataLength: number): number {
  let ofTags = 0;
  for (const tag of tags) ofTags += tag.length;
  for (const prefix of tag_prefixes) ofTags += prefix.length;
  return CHARACTERS_OF_RECORD + content.length + (summary?.length ?? 0) + 2 * metadataLength + ofTags;
}
