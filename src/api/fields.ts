/**
 * The types of request values. A value may be written in several forms, but an invalid value is refused
 * (docs/decisions.md, "Fields of a memory").
 */

import { z } from 'zod';
import {
  countProblem,
  excessLength,
  halfCharacterProblem,
  joinedLengthProblem,
  type ListLimits,
  lengthProblem,
  readNumber,
  storedTextProblem,
  type TagLimits,
} from '../domain/input.js';
import { isPlainObject, type Metadata } from '../domain/json.js';
import { MEMORY_TYPES, type MemoryType, readMemoryType } from '../domain/memory.js';
import { type MetadataLimits, metadataProblem } from '../domain/metadata.js';
import { TIME_QUERY_MAX_LENGTH } from '../domain/recall.js';
import { normalizeTags, tagLevels } from '../domain/tags.js';
import { MS_PER_DAY, parseIso, toIso } from '../domain/time.js';
import { lenient, listFromJson, objectFromJson, onlyText, removable } from './input.js';

const GIVEN_ONCE = 'must be given only once';

/** A parameter that occurs twice in a query string arrives as an array. */
function isRepeated(value: unknown): boolean {
  return Array.isArray(value) && value.length > 1 && value.every(item => typeof item === 'string');
}

const TRUE_WORDS: ReadonlySet<unknown> = new Set([1, '1', 'true', 'yes', 'y', 'on']);
const FALSE_WORDS: ReadonlySet<unknown> = new Set([0, '0', 'false', 'no', 'n', 'off']);

/** Turns a function that returns a problem into a check. A value without a problem passes. */
function refused<Value>(problemOf: (value: Value) => string | undefined) {
  return (context: z.core.ParsePayload<Value>) => {
    const message = problemOf(context.value);
    if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value });
  };
}

const numberOrSame = (value: unknown) => readNumber(value) ?? value;

export const unitNumber = (() => {
  const problem = 'must be a number from 0 to 1';
  return lenient(numberOrSame, z.number(problem).min(0, problem).max(1, problem));
})();

export const amount = (() => {
  const problem = 'must be a number of 0 or more';
  return lenient(numberOrSame, z.number(problem).min(0, problem));
})();

/** A whole number. A number out of bounds becomes the nearest bound. */
export function count({ min = 1, max }: { min?: number; max: number }) {
  const clamped = (value: unknown) => {
    const number = readNumber(value);
    return number !== undefined && Number.isInteger(number) ? Math.min(Math.max(number, min), max) : value;
  };
  return lenient(clamped, z.int('must be a whole number').min(min).max(max));
}

/** A whole number of 1 or more that identifies something. Unlike in `count`, a number out of bounds is refused. */
export const ordinal = (() => {
  const problem = 'must be a whole number of 1 or more';
  return lenient(numberOrSame, z.int(problem).min(1, problem));
})();

export const flag = lenient(value => {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : value;
}, z.boolean('must be true or false'));

/** One word of a fixed list, in upper or lower case. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words) {
  const plain = (value: unknown) => {
    if (typeof value !== 'string') return value;
    const text = value.trim().toLowerCase();
    return words.find(word => word.toLowerCase() === text) ?? value;
  };
  const problem = `must be one of ${words.join(', ')}`;
  return lenient(plain, z.enum(words, { error: ({ input }) => (isRepeated(input) ? GIVEN_ONCE : problem) }));
}

export const memoryType = lenient(
  value => (typeof value === 'string' ? (readMemoryType(value) ?? value) : value),
  z.enum(MEMORY_TYPES, `must be one of ${MEMORY_TYPES.join(', ')}`),
);

const TIME_PROBLEM =
  'must be an ISO 8601 timestamp, such as 2026-01-31T12:00:00Z, or a time in words, such as "yesterday"';
const DATE_ALONE = /^\d{4}-\d{2}-\d{2}$/;
/** Texts of this form are read only as ISO 8601, so that an invalid date is not taken for a time in words. */
const MEANT_AS_ISO = /^\d{4}-\d{2}-\d{2}(?:[T\d\s:.,+-]*Z?)$/i;

/** An instant. ISO 8601 is normalised to UTC here. The engine converts a time in words with its clock. */
export const time = timeOr(TIME_PROBLEM);

/** Like `time`, but a date without a time means the last instant of that day. */
export const endTime = timeOr(TIME_PROBLEM, MS_PER_DAY - 1);

/** Like `time`, or null to remove the value. */
export const removableTime = removable(timeOr(`${TIME_PROBLEM}, or null to remove it`));

function timeOr(problem: string, msAddedToDate = 0) {
  return z
    .string({ error: ({ input }) => (isRepeated(input) ? GIVEN_ONCE : problem) })
    .transform((text, context) => {
      const said = text.trim();
      const epochMs = parseIso(said);
      if (epochMs !== undefined) return toIso(epochMs + (DATE_ALONE.test(said) ? msAddedToDate : 0));
      const mayBeWords = said !== '' && said.length <= TIME_QUERY_MAX_LENGTH && said.isWellFormed();
      if (mayBeWords && !MEANT_AS_ISO.test(said)) return said;
      context.issues.push({ code: 'custom', message: problem, input: text });
      return z.NEVER;
    })
    .meta({ maxLength: TIME_QUERY_MAX_LENGTH });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_PROBLEM = 'must be a valid UUID';

/** The id of a memory. The code checks the form, because some hosts refuse a schema with a pattern. */
export const memoryId = z
  .string({
    error: ({ input }) => (input === undefined || input === null ? 'is required and must be a UUID' : UUID_PROBLEM),
  })
  .trim()
  .toLowerCase()
  .check(refused(value => (UUID.test(value) ? undefined : UUID_PROBLEM)))
  .meta({ format: 'uuid' });

/** A text. Surrounding white space is removed. */
export function text(maxLength: number) {
  return z
    .string({ error: ({ input }) => (isRepeated(input) ? GIVEN_ONCE : 'must be a string') })
    .trim()
    .check(refused(value => lengthProblem(value, maxLength) ?? halfCharacterProblem(value)))
    .meta({ maxLength });
}

/** The content of a memory. */
export function content(maxLength: number) {
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? 'is required' : 'must be a string') })
    .trim()
    .check(
      refused(value => {
        if (value === '') return 'is required and must not be blank';
        return lengthProblem(value, maxLength) ?? storedTextProblem(value);
      }),
    )
    .meta({ minLength: 1, maxLength });
}

/** JSON may write a character as an escape with this many characters. */
const ESCAPE_LENGTH = 6;

/**
 * Returns the array that a list of texts stands for. Other values, and texts that are too long for the list, are
 * returned unchanged.
 */
function textsIn(value: unknown, { maxCount, maxLength }: ListLimits): unknown {
  if ((onlyText(value)?.length ?? 0) > maxCount * (maxLength + 1) * ESCAPE_LENGTH) return value;
  const list = listFromJson(value);
  if (list === value || !Array.isArray(value)) return list;
  // An item of an array is a text, even if it looks like JSON, unless it is a whole list of texts.
  return Array.isArray(list) && list.every(item => typeof item === 'string') ? list : value;
}

/** Whether a text was meant as JSON or as a list of Python, but cannot be read as a list. */
function isBrokenList(text: string): boolean {
  return objectFromJson(text) !== text || (/^\s*\[\s*["']/.test(text) && text.trimEnd().endsWith(']'));
}

/** Texts: an array of strings, JSON text of such an array, or one text that is separated at its commas. */
export function textList(limits: ListLimits, problem: string) {
  return z.preprocess(
    (value, context) => {
      const list = textsIn(value, limits);
      const message =
        typeof list === 'string'
          ? (joinedLengthProblem(list, limits) ?? (isBrokenList(list) ? problem : undefined))
          : Array.isArray(list) && countProblem(list, limits.maxCount);
      if (!message) return typeof list === 'string' ? list.split(',') : list;
      context.issues.push({ code: 'custom', message, input: value });
      return z.NEVER;
    },
    z.array(z.string(problem), problem),
  );
}

/** Tags: a list of texts. */
export function tagList(limits: TagLimits) {
  return textList(limits, 'must be an array of strings, or one comma-separated string')
    .transform(items => normalizeTags(items))
    .check(refused(tags => tagsProblem(tags, limits)));
}

function tagsProblem(tags: readonly string[], { maxCount, maxLength, maxLevels }: TagLimits): string | undefined {
  for (const [index, tag] of tags.entries()) {
    const length = excessLength(tag, maxLength);
    if (length !== undefined) return `must have at most ${maxLength} characters in each tag, but one has ${length}`;
    const levels = tagLevels(tag);
    if (levels > maxLevels) return `must have at most ${maxLevels} levels in each tag, but one has ${levels}`;
    const problem = storedTextProblem(tag);
    if (problem !== undefined) return `${problem} (tag ${index + 1})`;
  }
  return countProblem(tags, maxCount);
}

/**
 * Limits of tags in a query. Length and levels are the highest that can be configured for new memories, so that older
 * memories can still be found.
 */
const LIST_LIMITS: TagLimits = { maxCount: 100, maxLength: 1_000, maxLevels: 32 };

/**
 * Tags in a query. A comma separates tags only in a single text. An item of an array or of a repeated key is one tag.
 */
export const stringList = tagList(LIST_LIMITS);

/** Words that contain no commas. A comma separates words even inside an array item. */
export const words = lenient(given => {
  const value = textsIn(given, LIST_LIMITS);
  if (!Array.isArray(value) || countProblem(value, LIST_LIMITS.maxCount) !== undefined) return value;
  return value.flatMap(item =>
    typeof item === 'string' && joinedLengthProblem(item, LIST_LIMITS) === undefined ? item.split(',') : [item],
  );
}, stringList);

export const idList = words.pipe(z.array(memoryId)).meta({ items: { type: 'string', format: 'uuid' } });
export const typeList = words
  .pipe(z.array(memoryType as z.ZodType<MemoryType, string>))
  .meta({ items: { type: 'string', enum: MEMORY_TYPES } });

/** An object, or JSON text of an object. */
export function metadata(limits: MetadataLimits) {
  const object = z
    .custom<Metadata>(isPlainObject, 'must be an object')
    .check(refused(value => metadataProblem(value, limits)))
    .meta({ type: 'object', additionalProperties: true });
  const isTooLong = (value: unknown) => typeof value === 'string' && value.length > limits.maxBytes * ESCAPE_LENGTH;
  return lenient(value => (isTooLong(value) ? value : objectFromJson(value)), object);
}

/** Maximum average number of characters for each number of an embedding in text form, including the comma. */
const COMPONENT_MAX_LENGTH = 100;

/** An embedding of exactly the configured length: an array, JSON text of an array, or a comma-separated text. */
export function embedding(vectorSize: number) {
  // AutoMem's clients find the number in this sentence.
  const problem = `must contain exactly ${vectorSize} values`;
  const numberProblem = `${problem}, and each must be a finite number in single precision`;
  const plain = (given: unknown) => {
    if ((onlyText(given)?.length ?? 0) > vectorSize * COMPONENT_MAX_LENGTH) return undefined;
    const value = listFromJson(given);
    const items = typeof value === 'string' ? value.split(',') : value;
    if (!Array.isArray(items)) return undefined;
    // JSON text of an empty list says nothing, like an empty list: `optional` leaves it out.
    return items.length === vectorSize || items.length === 0 ? items.map(numberOrSame) : undefined;
  };
  // Vectors are stored in single precision, in which a number may become infinite or zero, so the numbers are checked
  // after rounding.
  const usable = z
    .array(z.number(numberProblem), problem)
    .refine(numbers => numbers.every(number => Number.isFinite(Math.fround(number))), numberProblem)
    .refine(
      numbers => numbers.length === 0 || numbers.some(number => Math.fround(number) !== 0),
      'must contain a value that is not zero',
    );
  return lenient(plain, usable.meta({ minItems: vectorSize, maxItems: vectorSize }));
}

/** Limits of a text with ids. An id has 36 characters. The other characters of `maxLength` allow for white space. */
const ID_LIMITS: ListLimits = { maxCount: 1_000, maxLength: 99 };

export const ids = z.preprocess((given, context): unknown => {
  const value = listFromJson(given);
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const read = countProblem(items, ID_LIMITS.maxCount) ?? splitIds(items);
  if (typeof read !== 'string') return read;
  context.issues.push({ code: 'custom', message: read, input: value });
  return z.NEVER;
}, z.array(memoryId).min(1).max(ID_LIMITS.maxCount));

/** Returns the ids of all texts, or a sentence that describes the error. */
function splitIds(items: readonly unknown[]): string[] | string {
  const split: string[] = [];
  for (const item of items) {
    if (typeof item !== 'string') return 'must be an array of memory ids';
    const problem = joinedLengthProblem(item, ID_LIMITS);
    if (problem !== undefined) return problem;
    split.push(...item.split(',').filter(id => id.trim() !== ''));
  }
  return split.length === 0 ? 'must name at least one memory' : (countProblem(split, ID_LIMITS.maxCount) ?? split);
}
