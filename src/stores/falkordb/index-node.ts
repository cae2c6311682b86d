/**
 * The node `_MemoryIndex` beside a memory, through which searches find the memory, and the conditions on it. It is
 * derived from the properties of the memory. Words and tags are tokens with only letters and digits, so that no token is
 * an operator of the query language.
 */
import { createHash } from 'node:crypto';
import {
  type Condition,
  conditionsOf,
  filterValuesOf,
  isSetCondition,
  type MemoryFilter,
  NUMBER_FIELDS,
  type NumberField,
  type SetField,
  type SetRecord,
  setToken,
  setTokensOf,
  UNBOUNDED_MS,
} from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { searchedMetadata } from '../../domain/metadata.js';
import { indexedTerms } from '../../domain/text/terms.js';
import { ANALYZER_VERSION } from '../../domain/versions.js';
import { comparable, indexed, isSame, type Parameters, type Value } from './values.js';

/** The property of a `_MemoryIndex` for each number field. */
const NUMBER_PROPERTIES: Record<NumberField, string> = {
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
  return ` z${String(version).padStart(4, '0')}`;
}

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
    importance_rank: indexed(importanceRank(memory)),
    updated_ms: indexed(Date.parse(memory.updated_at)),
    ...Object.fromEntries(NUMBER_FIELDS.map(field => [NUMBER_PROPERTIES[field], indexed(numbers[field])])),
  };
}

const IMPORTANCE_STEPS = 10_000;
const SECONDS_MAX = 1e11;

/**
 * Returns a number by which an index finds the most important memories, the newest first. No memory has a greater number
 * than one that is listed before it. Memories whose importance has more than four digits have no order among those of
 * the same four digits, so all of them have the number of the newest one.
 */
function importanceRank({ importance: exact, timestamp }: Memory): number {
  const importance = comparable(exact);
  const nearest = Math.round(importance * IMPORTANCE_STEPS);
  const step = nearest / IMPORTANCE_STEPS > importance ? nearest - 1 : nearest;
  const seconds = step / IMPORTANCE_STEPS < importance ? SECONDS_MAX : Math.floor(Date.parse(timestamp) / 1_000);
  return step * SECONDS_MAX + Math.min(Math.max(seconds, 0), SECONDS_MAX - 1);
}

const PLAIN_STEM = /^[a-z0-9]+$/;
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
  return hex.length <= 60 ? `x${hex}${END}` : `d${createHash('sha1').update(stem).digest('hex')}${END}`;
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

export interface Selection {
  /** Clauses that return each matching node once, as `i`. */
  match: string;
  /** The conditions of `match` in a form for `WHERE`, for a node `i` that other clauses have found. */
  conditions: string;
  /** Those of `conditions` that WHERE must check, because the full-text index cannot. */
  besideText: string;
  parameters: Parameters;
}

/** One condition in Cypher. */
interface Clause {
  text: string;
  /** Whether the index evaluates the condition. */
  isIndexed: boolean;
  /** Whether a query of the full-text index evaluates the condition. */
  isInText: boolean;
  /** Name of the parameter that holds the tokens of an `any` condition. Each token can be looked up separately. */
  anyOf?: string;
  parameters: Parameters;
}

/** @param extra further conditions on `i` that the index can evaluate */
export function selectionOf(filter: MemoryFilter, extra: readonly string[] = []): Selection {
  const clauses = conditionsOf(filter).flatMap(clausesOf);
  const lookedUp = clauses.find(({ anyOf }) => anyOf !== undefined);
  const others = clauses.filter(clause => clause !== lookedUp);
  const indexed = [...others.filter(({ isIndexed }) => isIndexed).map(({ text }) => text), ...extra];
  const checked = others.filter(({ isIndexed }) => !isIndexed).map(({ text }) => text);
  // Without any condition the server would not use the index.
  const walk = indexed.length > 0 || lookedUp ? [] : ['i.importance_rank >= 0'];
  const lookup = lookedUp ? ['token IN i.tag_tokens'] : [];
  const where = [...lookup, ...indexed, ...walk, ...checked].join(' AND ');
  return {
    match: lookedUp
      ? `UNWIND $${lookedUp.anyOf} AS token MATCH (i:_MemoryIndex) WHERE ${where} WITH DISTINCT i`
      : `MATCH (i:_MemoryIndex) WHERE ${where}`,
    conditions: all([...clauses.map(({ text }) => text), ...extra]),
    besideText: all([...clauses.flatMap(({ text, isInText }) => (isInText ? [] : [text])), ...extra]),
    parameters: Object.assign({}, ...clauses.map(({ parameters }) => parameters)) as Parameters,
  };
}

function all(conditions: readonly string[]): string {
  return conditions.join(' AND ') || 'true';
}

/** @param position makes the names of the parameters unique */
function clausesOf(condition: Condition, position: number): Clause[] {
  const name = (index: number | string) => `p${position}_${index}`;
  if (!isSetCondition(condition)) {
    const property = `i.${NUMBER_PROPERTIES[condition.field]}`;
    return [
      { sign: '>=', bound: condition.least, end: 'least' },
      { sign: '<=', bound: condition.most, end: 'most' },
    ]
      .filter(({ bound }) => Math.abs(bound) < UNBOUNDED_MS)
      .map(({ sign, bound, end }) => ({
        text: `${property} ${sign} $${name(end)}`,
        isIndexed: true,
        isInText: false,
        parameters: { [name(end)]: bound },
      }));
  }
  const { field, needs, values } = condition;
  const tokens = values.map(value => valueToken(field, value));
  if (needs === 'all' || (needs === 'any' && tokens.length === 1)) {
    return tokens.map((token, index) => ({
      text: `$${name(index)} IN i.tag_tokens`,
      isIndexed: true,
      isInText: true,
      parameters: { [name(index)]: token },
    }));
  }
  const of = name('tokens');
  return [
    {
      text: `${needs === 'none' ? 'none' : 'any'}(token IN $${of} WHERE token IN i.tag_tokens)`,
      isIndexed: false,
      // A query of the full-text index cannot express an empty set.
      isInText: tokens.length > 0,
      ...(needs === 'any' && { anyOf: of }),
      parameters: { [of]: tokens },
    },
  ];
}
