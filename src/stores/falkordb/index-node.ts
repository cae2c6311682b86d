/** The node `_MemoryIndex` beside a memory: what the memory is found by, all of it made from the properties of the memory. */
import { createHash } from 'node:crypto';
import { filterValuesOf, NUMBER_FIELDS } from '../../domain/filter-fields.js';
import type { Memory } from '../../domain/memory.js';
import { comparable, type Value } from './parameters.js';
import { NUMBER_PROPERTIES } from './selection.js';
import { valueTokens, wordsOf } from './tokens.js';

type Indexed = Readonly<Record<string, Value>>;

/** It is valid from `holds_from_ms` to before `holds_until_ms`: never, when it is archived. */
export function indexProperties(memory: Memory): Indexed {
  return { words: wordsOf(memory), tag_tokens: valueTokens(memory), ...numbersOf(memory) };
}

/** Only what differs: the server writes the index entries of a node again even for a value that is the same. */
export function indexChanges(before: Memory, after: Memory): Indexed {
  const numbers = numbersOf(before);
  const areTagsSame = isSame(before.tags, after.tags);
  return {
    ...(!(areTagsSame && before.content === after.content) && { words: wordsOf(after) }),
    ...(!areTagsSame && { tag_tokens: valueTokens(after) }),
    ...Object.fromEntries(Object.entries(numbersOf(after)).filter(([name, value]) => value !== numbers[name])),
  };
}

function numbersOf(memory: Memory): Record<string, number> {
  const { numbers } = filterValuesOf(memory);
  return {
    importance: comparable(memory.importance),
    updated_ms: Date.parse(memory.updated_at),
    ...Object.fromEntries(NUMBER_FIELDS.map(field => [NUMBER_PROPERTIES[field], numbers[field]])),
  };
}

const CONTENT_DIGITS = 12;

/**
 * Says in `_indexed_as` of a memory what its index was made from. When it says something else than the memory, another
 * program has changed the memory.
 */
export function indexedAs(memory: Memory): string {
  return digestOf(memory.content) + digestOf(JSON.stringify([memory.tags, ...Object.values(numbersOf(memory))]));
}

/** Whether the content is the one that was indexed. */
export function isContentIndexed(memory: Memory, indexed: string): boolean {
  return indexed.startsWith(digestOf(memory.content));
}

function digestOf(text: string): string {
  return createHash('sha1').update(Buffer.from(text, 'utf16le')).digest('hex').slice(0, CONTENT_DIGITS);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}
