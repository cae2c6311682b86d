/** Readers for the fields of a memory as callers send them: forgiving in form, strict in meaning (decisions D3, D5-D7). */
import { z } from 'zod';
import { countProblem, excessLength, joinedLengthProblem, lengthProblem, type TagLimits } from './bounds.js';
import { invalidField } from './errors.js';
import { isPlainObject, type Metadata } from './json.js';
import { MEMORY_TYPES, type MemoryType, readMemoryType } from './memory-type.js';
import { type MetadataLimits, metadataProblem } from './metadata.js';
import { normalizeTags, tagLevels } from './tags.js';
import { parseIso, toIso } from './time.js';

/** The bounds that configuration puts on input. */
export interface InputLimits {
  /** Length of every embedding. */
  vectorSize: number;
  /** In Unicode code points. */
  contentMaxLength: number;
  /** Memories in one batch. */
  batchMaxSize: number;
  /** Largest `limit` of a recall; larger ones are clamped. */
  recallMaxLimit: number;
  /** Of a question and of the context that a recall states, in Unicode code points. */
  recallTextMaxLength: number;
  metadata: MetadataLimits;
  /** Of one memory. */
  tags: TagLimits;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DECIMAL_NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;
/** Stores end a text here, so what follows would be lost. */
const NUL = '\0';
const NUL_PROBLEM = 'must not contain NUL characters (U+0000)';
/** No number is as long as this, and reading one takes time that grows with the square of its length. */
const NUMBER_MAX_LENGTH = 1_000;

/** A zod schema out of a function that returns the value read, or says in a string what it should have been. */
function reader<T>(read: (value: unknown) => { ok: T } | { problem: string }): z.ZodType<T> {
  return z.unknown().transform((value, context) => {
    const result = read(value);
    if ('ok' in result) return result.ok;
    context.addIssue({ code: 'custom', message: result.problem });
    return z.NEVER;
  });
}

/** Reads a finite number, also from a decimal string. Booleans, blanks and NaN are no numbers. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > NUMBER_MAX_LENGTH || !DECIMAL_NUMBER.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A number from 0 to 1. */
export const unitNumber = reader<number>(value => {
  const number = readNumber(value);
  return number !== undefined && number >= 0 && number <= 1
    ? { ok: number }
    : { problem: 'must be a number from 0 to 1' };
});

/** An instant, normalised to UTC. */
export const instant = reader<string>(value => {
  const epochMs = typeof value === 'string' ? parseIso(value) : undefined;
  return epochMs === undefined
    ? { problem: 'must be an ISO 8601 timestamp, such as 2026-01-31T12:00:00Z' }
    : { ok: toIso(epochMs) };
});

/** An instant, or null to remove it. */
const removableInstant = reader<string | null>(value => {
  if (value === null) return { ok: null };
  const parsed = instant.safeParse(value);
  return parsed.success ? { ok: parsed.data } : { problem: 'must be an ISO 8601 timestamp, or null to remove it' };
});

export const memoryId = reader<string>(value =>
  typeof value === 'string' && UUID.test(value.trim())
    ? { ok: value.trim().toLowerCase() }
    : { problem: 'must be a valid UUID' },
);

export const memoryType = reader<MemoryType>(value => {
  const type = typeof value === 'string' ? readMemoryType(value) : undefined;
  return type ? { ok: type } : { problem: `must be one of ${MEMORY_TYPES.join(', ')}` };
});

/** Tags: an array of strings, or one comma-separated string. */
export function tagList(limits: TagLimits): z.ZodType<string[]> {
  return reader<string[]>(value => {
    if (value === null) return { ok: [] };
    const excess = Array.isArray(value)
      ? countProblem(value, limits.maxCount)
      : typeof value === 'string' && joinedLengthProblem(value, limits);
    if (excess) return { problem: excess };
    const items: unknown = typeof value === 'string' ? value.split(',') : value;
    if (!Array.isArray(items) || !items.every(item => typeof item === 'string')) {
      return { problem: 'must be an array of strings, or one comma-separated string' };
    }
    const tags = normalizeTags(items.map(item => item.toWellFormed()));
    const problem = tagsProblem(tags, limits);
    return problem === undefined ? { ok: tags } : { problem };
  });
}

function tagsProblem(tags: readonly string[], { maxCount, maxLength, maxLevels }: TagLimits): string | undefined {
  if (tags.some(tag => tag.includes(NUL))) return NUL_PROBLEM;
  for (const tag of tags) {
    const length = excessLength(tag, maxLength);
    if (length !== undefined) return `must have at most ${maxLength} characters in each tag, but one has ${length}`;
    const levels = tagLevels(tag);
    if (levels > maxLevels) return `must have at most ${maxLevels} levels in each tag, but one has ${levels}`;
  }
  return countProblem(tags, maxCount);
}

function metadata(limits: MetadataLimits): z.ZodType<Metadata> {
  return reader<Metadata>(value => {
    if (value === null) return { ok: {} };
    if (!isPlainObject(value)) return { problem: 'must be an object' };
    const problem = metadataProblem(value, limits);
    return problem === undefined ? { ok: value as Metadata } : { problem };
  });
}

function content(maxLength: number): z.ZodType<string> {
  return reader<string>(value => {
    if (value === undefined || value === null) return { problem: 'is required' };
    if (typeof value !== 'string') return { problem: 'must be a string' };
    const text = value.trim().toWellFormed();
    if (text.includes(NUL)) return { problem: NUL_PROBLEM };
    if (text === '') return { problem: 'is required and must not be blank' };
    const problem = lengthProblem(text, maxLength);
    return problem === undefined ? { ok: text } : { problem };
  });
}

/** Characters of one number of an embedding that came as text, with its comma. */
const COMPONENT_MAX_LENGTH = 100;

/** An embedding of exactly the configured length; a comma-separated string is read too. */
export function embedding(vectorSize: number): z.ZodType<number[]> {
  const problem = `must contain exactly ${vectorSize} values, all of them finite numbers and not all zero`;
  return reader<number[]>(value => {
    const isTooLong = typeof value === 'string' && value.length > vectorSize * COMPONENT_MAX_LENGTH;
    const text = typeof value === 'string' && !isTooLong ? value.split(',') : undefined;
    const items: unknown[] | undefined = Array.isArray(value) ? value : text;
    if (items?.length !== vectorSize) return { problem };
    const numbers = items.map(readNumber);
    // Vectors are kept in single precision, in which a number may become infinite or zero.
    const areFinite = numbers.every(number => number !== undefined && Number.isFinite(Math.fround(number)));
    const isUsable = areFinite && numbers.some(number => Math.fround(number ?? 0) !== 0);
    return isUsable ? { ok: numbers as number[] } : { problem };
  });
}

/** JSON null in an optional field means that it was not given. */
function orAbsent<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return z.preprocess(value => value ?? undefined, schema.optional());
}

function orDefault<T>(schema: z.ZodType<T>, fallback: () => T): z.ZodType<T> {
  return z.preprocess(value => value ?? undefined, schema.optional()).transform(value => value ?? fallback());
}

export function newMemoryFields(limits: InputLimits) {
  return {
    content: content(limits.contentMaxLength),
    type: orAbsent(memoryType),
    confidence: orAbsent(unitNumber),
    tags: orDefault(tagList(limits.tags), () => []),
    importance: orDefault(unitNumber, () => 0.5),
    metadata: orDefault(metadata(limits.metadata), () => ({})),
    embedding: orAbsent(embedding(limits.vectorSize)),
    id: orAbsent(memoryId),
    timestamp: orAbsent(instant),
    updated_at: orAbsent(instant),
    last_accessed: orAbsent(instant),
    t_valid: orAbsent(instant),
    t_invalid: orAbsent(instant),
  };
}

export function memoryPatchFields(limits: InputLimits) {
  return {
    content: content(limits.contentMaxLength).optional(),
    type: memoryType.optional(),
    confidence: unitNumber.optional(),
    tags: tagList(limits.tags).optional(),
    importance: unitNumber.optional(),
    metadata: metadata(limits.metadata).optional(),
    timestamp: instant.optional(),
    updated_at: instant.optional(),
    last_accessed: instant.optional(),
    t_valid: removableInstant.optional(),
    t_invalid: removableInstant.optional(),
  };
}

/**
 * Reads fields in the order of their declaration and stops at the first bad one.
 *
 * @throws MemoryError `invalid` naming that field
 */
export function parseFields<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
  input: Record<string, unknown>,
): { [Key in keyof Shape]: z.infer<Shape[Key]> } {
  const values: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(shape)) {
    const result = schema.safeParse(input[field]);
    if (!result.success) throw invalidField(field, result.error.issues[0]?.message ?? 'is not valid');
    values[field] = result.data;
  }
  return values as { [Key in keyof Shape]: z.infer<Shape[Key]> };
}

/**
 * Reads the id of a memory.
 *
 * @throws MemoryError `invalid` naming `field`
 */
export function parseMemoryId(value: unknown, field = 'memory_id'): string {
  return parseFields({ [field]: memoryId }, { [field]: value })[field] as string;
}
