/**
 * What a filter looks at, an entry a field. The conditions of every store, what a vector store knows beside a vector, and the
 * check in code are all derived from these two tables: a field that is to filter everything is added here, and each store
 * then asks for the place where it keeps it.
 */
import type { Memory } from './memory.js';
import { tagDigest, tagKeys } from './tags.js';

/** From where the fields with many values are read. */
export type SetRecord = Pick<Memory, 'tags' | 'tag_prefixes'>;
/** From where all fields are read. */
export type FilteredRecord = SetRecord & Pick<Memory, 'timestamp' | 'archived' | 't_valid' | 't_invalid'>;

/** Beyond every instant that a Date can hold, and still exact as a double. */
export const UNBOUNDED_MS = 9e15;

interface SetEntry {
  /** First letter of its values in indexes that keep the values of several fields together; distinct. */
  letter: string;
  read(record: SetRecord): readonly string[];
}

/** Fields with any number of values. */
const SETS = {
  /** Keys of the tags. */
  tag: { letter: 'w', read: ({ tags }) => tagKeys(tags) },
  /** Keys of the tags and of everything above them in the hierarchy. */
  tagPrefix: { letter: 'p', read: ({ tag_prefixes }) => tag_prefixes },
} as const satisfies Record<string, SetEntry>;

/** Fields with one number. */
const NUMBERS = {
  createdMs: ({ timestamp }) => Date.parse(timestamp),
  validFromMs: ({ t_valid }) => (t_valid === undefined ? -UNBOUNDED_MS : Date.parse(t_valid)),
  /** The first instant at which it is valid no longer; before every instant where it is archived. */
  validUntilMs: ({ archived, t_invalid }) =>
    archived ? -UNBOUNDED_MS : t_invalid === undefined ? UNBOUNDED_MS : Date.parse(t_invalid),
} as const satisfies Record<string, (record: FilteredRecord) => number>;

export type SetField = keyof typeof SETS;
export type NumberField = keyof typeof NUMBERS;

export const SET_FIELDS = Object.keys(SETS) as readonly SetField[];
export const NUMBER_FIELDS = Object.keys(NUMBERS) as readonly NumberField[];

/** What filters see of a memory. */
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

/** A value of a field in `setTokensOf`: letters and digits, whatever the value holds. */
export function setToken(field: SetField, value: string): string {
  return SETS[field].letter + tagDigest(value);
}

/** The values of all fields with many values, for an index that keeps them together. */
export function setTokensOf(record: SetRecord): string[] {
  return SET_FIELDS.flatMap(field => valuesOf(record, field).map(value => setToken(field, value)));
}

/** An object with the same keys. */
export function mapFields<Field extends string, From, To>(
  fields: Readonly<Record<Field, From>>,
  change: (value: From, field: Field) => To,
): Record<Field, To> {
  const entries = Object.entries<From>(fields).map(([field, value]) => [field, change(value, field as Field)]);
  return Object.fromEntries(entries) as Record<Field, To>;
}
