/**
 * The node `_MemoryIndex` beside a memory, through which searches find the memory. It is derived from the properties of
 * the memory. Words and tags are tokens with only letters and digits, so that no token is an operator of the query
 * language.
 */
import { createHash } from 'node:crypto';
import {
  type Condition,
  filterValuesOf,
  isSetCondition,
  NUMBER_FIELDS,
  type NumberField,
  type SetField,
  type SetRecord,
  setToken,
  setTokensOf,
} from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { searchedMetadata } from '../../domain/metadata.js';
import { indexedTerms } from '../../domain/text/terms.js';
import { ANALYZER_VERSION } from '../../domain/versions.js';
import { comparable, type Value } from './values.js';

/** The property of a `_MemoryIndex` for each number field. */
export const NUMBER_PROPERTIES: Record<NumberField, string> = {
  createdMs: 'timestamp_ms',
  validFromMs: 'holds_from_ms',
  validUntilMs: 'holds_until_ms',
};

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

const PLAIN_STEM = /^[a-z0-9]+$/;
const HEX_MAX = 60;
/**
 * The end of every token. It is a digit, because the server stems the words of a query even if the index has stemming
 * turned off, and stemming does not change a word that ends with a digit.
 */
const END = '0';

/**
 * Returns the token of a stem: `t` and a plain stem, `x` and the bytes of any other stem, or `d` and the digest of a
 * long stem.
 */
export function stemToken(stem: string): string {
  if (PLAIN_STEM.test(stem)) return `t${stem}${END}`;
  const hex = Buffer.from(stem, 'utf8').toString('hex');
  return hex.length <= HEX_MAX ? `x${hex}${END}` : `d${createHash('sha1').update(stem).digest('hex')}${END}`;
}

/** Returns the token of a value of a filter field. */
export function valueToken(field: SetField, value: string): string {
  return setToken(field, value) + END;
}

/** Returns the tokens of a memory's values in the filter fields. */
function valueTokens(record: SetRecord): string[] {
  return setTokensOf(record).map(token => token + END);
}

/** Returns all full-text tokens of a memory, each token once, with a single space before and after it. */
function wordsOf(memory: SetRecord & Pick<Memory, 'content' | 'metadata'>): string {
  const { ofContent, ofTags, ofMetadata } = indexedTerms(memory);
  const found = new Set([...ofContent, ...ofTags, ...ofMetadata].map(stemToken));
  return ` ${[...found, ...valueTokens(memory)].join(' ')} `;
}

/** Returns a full-text query for a stem and those conditions that the full-text index can evaluate. */
export function stemExpression(stem: string, conditions: readonly Condition[]): string {
  const required = [`(${stemToken(stem)})`];
  const excluded: string[] = [];
  for (const { needs, field, values } of conditions.filter(isSetCondition)) {
    const tokens = values.map(value => valueToken(field, value));
    if (needs === 'none') excluded.push(...tokens);
    else if (needs === 'all') required.push(...tokens.map(token => `(${token})`));
    // An empty group would be a syntax error, so a condition without values is checked outside the index.
    else if (tokens.length > 0) required.push(`(${tokens.join('|')})`);
  }
  // The exclusion comes last, because the server would also negate the groups that follow it.
  return [...required, ...(excluded.length > 0 ? [`-(${excluded.join('|')})`] : [])].join(' ');
}
