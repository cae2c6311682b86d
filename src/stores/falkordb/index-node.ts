/**
 * The node `_MemoryIndex` beside a memory, through which searches find the memory. It is derived from the properties of
 * the memory.
 */
import { filterValuesOf, NUMBER_FIELDS } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { searchedMetadata } from '../../domain/metadata.js';
import { ANALYZER_VERSION } from '../../domain/versions.js';
import { NUMBER_PROPERTIES } from './selection.js';
import { valueTokens, wordsOf } from './tokens.js';
import { comparable, type Value } from './values.js';

type Indexed = Readonly<Record<string, Value>>;

/**
 * Returns the mark of a version of the text analyzer. The property `words` begins with it, so every write of words
 * replaces the mark too, even a write by an Engraph that knows no marks. A mark sorts after every other token and after
 * the marks of earlier versions, so `words < mark` finds the words of earlier versions.
 */
export function wordsMark(version: number): string {
  return ` z${String(version).padStart(MARK_DIGITS, '0')}`;
}

const MARK_DIGITS = 4;

/** Returns the property `words`: the mark of the present analyzer and the tokens of the memory. */
export function markedWords(memory: Memory): string {
  return wordsMark(ANALYZER_VERSION) + wordsOf(memory);
}

/**
 * Returns the properties of an index node. A memory is valid from `holds_from_ms` (inclusive) to `holds_until_ms`
 * (exclusive); an archived memory is never valid.
 */
export function indexProperties(memory: Memory): Indexed {
  return { words: markedWords(memory), tag_tokens: valueTokens(memory), ...numbersOf(memory) };
}

/**
 * Returns only the index properties that change, because the server rewrites the index entries of a node even for an
 * unchanged value.
 */
export function indexChanges(before: Memory, after: Memory): Indexed {
  const numbers = numbersOf(before);
  const areTagsSame = isSame(before.tags, after.tags);
  const isMetadataSame = searchedMetadata(before.metadata) === searchedMetadata(after.metadata);
  const areWordsSame = areTagsSame && isMetadataSame && before.content === after.content;
  return {
    ...(!areWordsSame && { words: markedWords(after) }),
    ...(!areTagsSame && { tag_tokens: valueTokens(after) }),
    ...Object.fromEntries(Object.entries(numbersOf(after)).filter(([name, value]) => value !== numbers[name])),
  };
}

function numbersOf(memory: Memory): Record<string, number> {
  const { numbers } = filterValuesOf(memory);
  return {
    importance: comparable(memory.importance),
    importance_rank: importanceRank(memory),
    updated_ms: Date.parse(memory.updated_at),
    ...Object.fromEntries(NUMBER_FIELDS.map(field => [NUMBER_PROPERTIES[field], numbers[field]])),
  };
}

const IMPORTANCE_STEPS = 10_000;
const SECONDS_MAX = 1e11;

/**
 * Returns a number by which an index finds the most important memories, the newest first. Memories have equal numbers
 * only if they differ by less than a second and by less than 0.0001 of importance.
 */
function importanceRank({ importance, timestamp }: Memory): number {
  const seconds = Math.min(Math.max(Math.floor(Date.parse(timestamp) / 1_000), 0), SECONDS_MAX - 1);
  return Math.floor(importance * IMPORTANCE_STEPS) * SECONDS_MAX + seconds;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}
