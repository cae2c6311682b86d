/** The node `_MemoryIndex` beside a memory: what the memory is found by, all of it made from the properties of the memory. */
import { createHash } from 'node:crypto';
import type { Memory } from '../../domain/memory.js';
import { comparable, type Value } from './parameters.js';
import { tagTokens, wordsOf } from './tokens.js';

/** Before and after every instant that can be stored. */
const EVER = { fromMs: -1e15, untilMs: 1e15 };

type Indexed = Readonly<Record<string, Value>>;

/** It holds from `holds_from_ms` to before `holds_until_ms`: never, when it is archived. */
export function indexProperties(memory: Memory): Indexed {
  return { words: wordsOf(memory), tag_tokens: tagTokens(memory), ...numbersOf(memory) };
}

/** Only what differs: the server writes the index entries of a node again even for a value that is the same. */
export function indexChanges(before: Memory, after: Memory): Indexed {
  const numbers = numbersOf(before);
  const areTagsSame = isSame(before.tags, after.tags);
  return {
    ...(!(areTagsSame && before.content === after.content) && { words: wordsOf(after) }),
    ...(!areTagsSame && { tag_tokens: tagTokens(after) }),
    ...Object.fromEntries(
      Object.entries(numbersOf(after)).filter(([name, value]) => value !== numbers[name as keyof typeof numbers]),
    ),
  };
}

function numbersOf(memory: Memory) {
  const { t_valid, t_invalid, archived } = memory;
  return {
    importance: comparable(memory.importance),
    timestamp_ms: Date.parse(memory.timestamp),
    updated_ms: Date.parse(memory.updated_at),
    holds_from_ms: t_valid === undefined ? EVER.fromMs : Date.parse(t_valid),
    holds_until_ms: archived ? EVER.fromMs : t_invalid === undefined ? EVER.untilMs : Date.parse(t_invalid),
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
