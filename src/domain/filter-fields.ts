/**
 * The fields that filters use, one entry per field. The conditions of every store, the payload of a vector store and
 * the check in code are all derived from the tables `SETS` and `NUMBERS`. To filter by a new field, add the field to
 * one of them. Each store must then store the field too.
 */
import type { Memory } from './memory.js';
import { recordTagKeys, tagDigest } from './tags.js';

/** The fields of a record that `SETS` reads. */
export type SetRecord = Pick<Memory, 'tags' | 'tag_prefixes'>;
/** The fields of a record that `SETS` and `NUMBERS` read. */
export type FilteredRecord = SetRecord & Pick<Memory, 'timestamp' | 'archived' | 't_valid' | 't_invalid'>;

/** A number beyond every instant that a Date can represent, and still exact as a double. */
export const UNBOUNDED_MS = 9e15;

interface SetEntry {
  /** A unique letter. An index that stores the values of several fields together puts this letter before each value. */
  letter: string;
  read(record: SetRecord): readonly string[];
}

/** Fields with any number of values. */
const SETS = {
  /** Keys of the tags. */
  tag: { letter: 'w', read: ({ tags }) => recordTagKeys(tags) },
  /** Keys of the tags and of all their ancestors in the hierarchy. */
  tagPrefix: { letter: 'p', read: ({ tag_prefixes }) => tag_prefixes },
} as const satisfies Record<string, SetEntry>;

/** Fields with one number. */
const NUMBERS = {
  createdMs: ({ timestamp }) => Date.parse(timestamp),
  validFromMs: ({ t_valid }) => (t_valid === undefined ? -UNBOUNDED_MS : Date.parse(t_valid)),
  /** The instant at which the validity of the memory ends. For an archived memory, a number before every instant. */
  validUntilMs: ({ archived, t_invalid }) =>
    archived ? -UNBOUNDED_MS : t_invalid === undefined ? UNBOUNDED_MS : Date.parse(t_invalid),
} as const satisfies Record<string, (record: FilteredRecord) => number>;

export type SetField = keyof typeof SETS;
export type NumberField = keyof typeof NUMBERS;

export const SET_FIELDS = Object.keys(SETS) as readonly SetField[];
export const NUMBER_FIELDS = Object.keys(NUMBERS) as readonly NumberField[];

/** The values of a memory that filters use. */
export interface FilterValues {
  sets: Readonly<Record<SetField, readonly string[]>>;
  numbers: Readonly<Record<NumberField, number>>;
}

export function valuesOf(record: SetRecord, field: SetField): readonly string[] {
  return SETS[field].read(record);
}

export function numberOf(record: FilteredRecord, field: NumberField): number {
  return NUMBERS[field](record);
}

export function filterValuesOf(record: FilteredRecord): FilterValues {
  return {
    sets: mapFields(SETS, ({ read }: SetEntry) => read(record)),
    numbers: mapFields(NUMBERS, read => read(record)),
  };
}

/** Encodes a value of a field for `setTokensOf`, with only letters and digits. */
export function setToken(field: SetField, value: string): string {
  return SETS[field].letter + tagDigest(value);
}

/** The values of all set fields, for an index that keeps them together. */
export function setTokensOf(record: SetRecord): string[] {
  return SET_FIELDS.flatMap(field => valuesOf(record, field).map(value => setToken(field, value)));
}

/** Returns an object with the same keys and the changed values. */
export function mapFields<Field extends string, From, To>(
  fields: Readonly<Record<Field, From>>,
  change: (value: From, field: Field) => To,
): Record<Field, To> {
  const entries = Object.entries<From>(fields).map(([field, value]) => [field, change(value, field as Field)]);
  return Object.fromEntries(entries) as Record<Field, To>;
}
