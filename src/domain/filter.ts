/**
 * Conditions on the results of a search. Both stores evaluate the conditions during the search, so that a selective
 * filter still yields enough results.
 */
import type { Memory } from './memory.js';
import { recordTagKeys, tagDigest } from './tags.js';

export interface TagFilter {
  /** Keys as returned by `tagKey`. */
  keys: readonly string[];
  mode: 'any' | 'all';
  /** `prefix`: some tag is at or below the key in the hierarchy. `exact`: some tag equals the key. */
  match: 'prefix' | 'exact';
  /** Keys of whole tags that count as a tag at the key under which they stand here. */
  aliases?: Readonly<Record<string, readonly string[]>>;
}

export interface MemoryFilter {
  tags?: TagFilter;
  /** No tag may be at or below any of these keys. */
  excludedTagKeys?: readonly string[];
  /** Window on the creation time. Both ends are included. */
  fromMs?: number;
  toMs?: number;
  /**
   * Only memories valid at this instant: not archived and within their validity (`t_valid` <= instant < `t_invalid`).
   */
  validAtMs?: number;
}

/** The part of a filter that a condition comes from. */
export type FilterPart = 'tags' | 'excludedTags' | 'time' | 'validity';

/** Requires that the field has any, all or none of the values. */
export interface SetCondition {
  part: FilterPart;
  field: SetField;
  needs: 'any' | 'all' | 'none';
  values: readonly string[];
  /**
   * Those values that must be whole tags, even if the field contains prefixes. Stores may ignore this and find too many
   * memories, because memories are checked again after they have been read.
   */
  wholeTags?: readonly string[];
}

/** Requires that the field is within the bounds, both bounds included. */
export interface NumberCondition {
  part: FilterPart;
  field: NumberField;
  least: number;
  most: number;
}

export type Condition = SetCondition | NumberCondition;

export function isSetCondition(condition: Condition): condition is SetCondition {
  return 'needs' in condition;
}

/** Whether the condition allows no value, so that no memory can meet it. */
export function isUnmeetable(condition: Condition): boolean {
  return isSetCondition(condition) && condition.needs === 'any' && condition.values.length === 0;
}

/** The conditions of a filter. A memory passes when it meets all of them. */
export function conditionsOf(filter: MemoryFilter): Condition[] {
  const { tags, excludedTagKeys = [], fromMs, toMs, validAtMs } = filter;
  const conditions: Condition[] = [];
  if (tags) {
    conditions.push(...tagConditions(tags));
  }
  if (excludedTagKeys.length > 0) {
    conditions.push({ part: 'excludedTags', field: 'tagPrefix', needs: 'none', values: excludedTagKeys });
  }
  if (fromMs !== undefined || toMs !== undefined) {
    const [least, most] = [fromMs ?? -UNBOUNDED_MS, toMs ?? UNBOUNDED_MS];
    conditions.push({ part: 'time', field: 'createdMs', least, most });
  }
  if (validAtMs !== undefined) {
    conditions.push(
      { part: 'validity', field: 'validFromMs', least: -UNBOUNDED_MS, most: validAtMs },
      // Instants are whole milliseconds, so the next instant is one millisecond later.
      { part: 'validity', field: 'validUntilMs', least: Math.floor(validAtMs) + 1, most: UNBOUNDED_MS },
    );
  }
  return conditions;
}

/** With `any`, one condition. With `all`, also a condition for each key that has aliases. */
function tagConditions({ keys, mode, match, aliases = {} }: TagFilter): SetCondition[] {
  const base = { part: 'tags', field: match === 'exact' ? 'tag' : 'tagPrefix' } as const;
  const aliasesOf = (key: string) => (Object.hasOwn(aliases, key) ? (aliases[key] ?? []) : []);
  const anyOf = (some: readonly string[]): SetCondition => {
    const wholeTags = some.flatMap(aliasesOf);
    return { ...base, needs: 'any', values: [...some, ...wholeTags], ...(wholeTags.length > 0 && { wholeTags }) };
  };
  if (mode === 'any') return [anyOf(keys)];
  const plain = keys.filter(key => aliasesOf(key).length === 0);
  const others = keys.filter(key => aliasesOf(key).length > 0).map(key => anyOf([key]));
  return plain.length > 0 || others.length === 0 ? [{ ...base, needs: 'all', values: plain }, ...others] : others;
}

/**
 * Whether a memory passes the filter. This check overrides the store, because the payload of a derived index may be
 * older than the record.
 */
export function passesFilter(memory: FilteredRecord, filter: MemoryFilter): boolean {
  return createFilterCheck(filter)(memory) === undefined;
}

/**
 * Creates a function that returns the first part of the filter that a memory fails, and undefined for a memory that
 * passes.
 */
export function createFilterCheck(filter: MemoryFilter): (memory: FilteredRecord) => FilterPart | undefined {
  const checks = conditionsOf(filter).map(condition => ({ part: condition.part, isMet: checkOf(condition) }));
  return memory => {
    for (const { part, isMet } of checks) if (!isMet(memory)) return part;
    return undefined;
  };
}

function checkOf(condition: Condition): (memory: FilteredRecord) => boolean {
  if (!isSetCondition(condition)) {
    const { field, least, most } = condition;
    return memory => {
      const value = numberOf(memory, field);
      return value >= least && value <= most;
    };
  }
  const { field, needs, values, wholeTags = [] } = condition;
  if (needs === 'all') {
    return memory => {
      const present = new Set(valuesOf(memory, field));
      return values.every(value => present.has(value));
    };
  }
  const whole = new Set(wholeTags);
  const wanted = new Set(values.filter(value => !whole.has(value)));
  return memory =>
    (valuesOf(memory, field).some(value => wanted.has(value)) ||
      (whole.size > 0 && valuesOf(memory, 'tag').some(value => whole.has(value)))) ===
    (needs === 'any');
}

type Validity = Pick<Memory, 'archived' | 't_valid' | 't_invalid'>;

/** Whether a memory is valid at an instant (docs/decisions.md, "What is current"). */
export function isValidAt(memory: Validity, instantMs: number): boolean {
  return invalidityAt(memory, instantMs) === undefined;
}

/** Why a memory is not valid at an instant. */
export type Invalidity = 'archived' | 'notYetValid' | 'expired';

/** Why a memory is not valid at an instant. Undefined when the memory is valid. */
export function invalidityAt({ archived, t_valid, t_invalid }: Validity, instantMs: number): Invalidity | undefined {
  if (archived) return 'archived';
  if (t_valid !== undefined && Date.parse(t_valid) > instantMs) return 'notYetValid';
  return t_invalid !== undefined && Date.parse(t_invalid) <= instantMs ? 'expired' : undefined;
}

/** The fields of a record that `SETS` reads. */
export type SetRecord = Pick<Memory, 'tags' | 'tag_prefixes'>;
/** The fields of a record that `SETS` and `NUMBERS` read. */
type FilteredRecord = SetRecord & Pick<Memory, 'timestamp' | 'archived' | 't_valid' | 't_invalid'>;

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

function valuesOf(record: SetRecord, field: SetField): readonly string[] {
  return SETS[field].read(record);
}

function numberOf(record: FilteredRecord, field: NumberField): number {
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

export interface VectorPayload extends FilterValues {
  /** Name of the model that made the vector. */
  model: string;
}

export function payloadOf(memory: Memory, model: string): VectorPayload {
  return { model, ...filterValuesOf(memory) };
}

/** Whether two memories have the same filter fields in a vector store. */
export function hasSamePayload(one: Memory, other: Memory): boolean {
  return JSON.stringify(filterValuesOf(one)) === JSON.stringify(filterValuesOf(other));
}
