/** The filter fields of a vector as numbers, and filters that compare these numbers. */
import {
  conditionsOf,
  type FilterValues,
  isSetCondition,
  type MemoryFilter,
  type NumberCondition,
  type NumberField,
  SET_FIELDS,
  type SetCondition,
  type SetField,
} from '../../domain/filter.js';
import { tagDigest } from '../../domain/tags.js';

export interface FilterNumbers {
  numbers: Readonly<Record<NumberField, number>>;
  /** One token for each value of the fields in SET_FIELDS. `tokensOf` makes the tokens. */
  tokens: Float64Array;
}

export function filterNumbersOf({ sets, numbers }: FilterValues): FilterNumbers {
  return { numbers, tokens: Float64Array.from(SET_FIELDS.flatMap(field => tokensOf(field, sets[field]))) };
}

/** A set condition whose values are tokens. */
export interface NumericSetCondition extends Pick<SetCondition, 'needs'> {
  tokens: Float64Array;
  marks: readonly number[];
}

/** A MemoryFilter in a form that can be sent to a thread. */
export interface NumericFilter {
  sets: readonly NumericSetCondition[];
  numbers: readonly NumberCondition[];
}

export function numericFilter(filter: MemoryFilter): NumericFilter {
  const conditions = conditionsOf(filter);
  return {
    sets: conditions.filter(isSetCondition).map(({ field, needs, values }) => {
      const tokens = Float64Array.from(tokensOf(field, values));
      return { needs, tokens, marks: marksOf(tokens) };
    }),
    numbers: conditions.filter(condition => !isSetCondition(condition)),
  };
}

/**
 * Number of 32-bit words that `marksOf` returns. Each further word rules out most of the memories that pass the words
 * before it without having the value.
 */
export const MARK_WORDS = 3;

/**
 * Returns words of 32 bits. Each token sets one bit in each word. A memory without a bit of a token does not have the
 * value of the token.
 */
export function marksOf(tokens: Float64Array): number[] {
  const marks = Array.from({ length: MARK_WORDS }, () => 0);
  for (const token of tokens) {
    for (let word = 0; word < MARK_WORDS; word++) (marks[word] as number) |= 1 << (Math.floor(token / 32 ** word) % 32);
  }
  return marks;
}

/** A part of a longer array of numbers. */
export interface Range {
  values: Float64Array;
  start: number;
  end: number;
}

/** Whether a memory with the tokens in this range meets the condition. */
export function meetsSet(range: Range, { needs, tokens }: NumericSetCondition): boolean {
  for (let index = 0; index < tokens.length; index++) {
    if (hasToken(range, tokens[index] as number) !== (needs === 'all')) return needs === 'any';
  }
  return needs !== 'any';
}

function hasToken({ values, start, end }: Range, token: number): boolean {
  for (let index = start; index < end; index++) if (values[index] === token) return true;
  return false;
}

/** Number of hexadecimal digits of the digest in a token. */
const DIGITS = 12;
/**
 * Distance between the tokens of two consecutive fields. All tokens are whole numbers that a double represents exactly.
 */
const FIELD_STEP = 2 ** 48;

function tokensOf(field: SetField, values: readonly string[]): number[] {
  const base = (SET_FIELDS.indexOf(field) + 1) * FIELD_STEP;
  return values.map(value => base + Number.parseInt(tagDigest(value).slice(0, DIGITS), 16));
}
