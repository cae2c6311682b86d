/**
 * Input fields that several tools share. They list the plain form to the assistant and, like the REST interface,
 * forgive its variants: null for a parameter left out, a number as text, tags as one comma-separated string.
 */
import { z } from 'zod';
import { readNumber } from '../domain/memory-input.js';
import { MEMORY_TYPES, readMemoryType } from '../domain/memory-type.js';

/** A parameter that may be left out; models that must fill in every parameter send null for it. */
export function optionally<Schema extends z.ZodType>(schema: Schema) {
  // The outer `optional` lets the key be absent, the inner one lets null have become undefined.
  return z.preprocess(value => value ?? undefined, schema.optional()).optional();
}

function numeric(schema: z.ZodNumber) {
  return z.preprocess(value => readNumber(value) ?? value, schema);
}

/** A whole number within bounds, both included. */
export function wholeNumber(min: number, max: number) {
  return numeric(z.int().min(min).max(max));
}

/** A number of 0 or more. */
export const amount = numeric(z.number().min(0));

/** A number from 0 to 1. */
export const unitNumber = numeric(z.number().min(0).max(1));

const memoryType = z.preprocess(
  value => (typeof value === 'string' ? (readMemoryType(value) ?? value) : value),
  z.enum(MEMORY_TYPES),
);

/** More than any list may have, so that the items of a longer text are counted without all of them being made. */
const ITEMS_MADE_MAX = 10_000;

export const tagList = z.preprocess(
  value => (typeof value === 'string' ? value.split(',', ITEMS_MADE_MAX) : value),
  z.array(z.string()),
);

export const memoryId = z.string().describe('Id (UUID) of the memory');

export const embedding = z
  .array(z.number())
  .describe('Vector made by yourself, of exactly the configured length. Leave it out and one is made');

const instant = z.string();

/** The fields of a memory that a caller may state, when it is made and when it is changed. */
export const memoryFields = {
  tags: optionally(tagList).describe('Labels to find it by; levels are split by ":" or "/", such as project:engraph'),
  importance: optionally(unitNumber).describe(
    '0.9-1 critical, 0.7-0.9 important, 0.5-0.7 standard (0.5 by default), below that minor',
  ),
  type: optionally(memoryType).describe('Left out, it is found from the content'),
  confidence: optionally(unitNumber).describe('How sure the type is, 0-1'),
  metadata: optionally(z.record(z.string(), z.unknown())).describe('Any further JSON, such as a source or file names'),
  timestamp: optionally(instant).describe('When it happened, ISO 8601; now by default'),
  updated_at: optionally(instant).describe('When it was last changed, ISO 8601'),
  last_accessed: optionally(instant).describe('When it was last used, ISO 8601'),
};

/** Bounds of the time in which a memory is true. */
export const validityFields = {
  t_valid: optionally(instant).describe('From when on it is true, ISO 8601'),
  t_invalid: optionally(instant).describe('From when on it is no longer true, ISO 8601'),
};

/** The same bounds where null means that the bound goes. */
export const removableValidityFields = {
  t_valid: instant.nullish().describe('From when on it is true, ISO 8601; null removes the bound'),
  t_invalid: instant.nullish().describe('From when on it is no longer true, ISO 8601; null removes the bound'),
};
