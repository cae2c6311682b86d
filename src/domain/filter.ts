/**
 * Conditions on the results of a search. Both stores evaluate the conditions during the search, so that a selective
 * filter still yields enough results.
 */
import {
  type FilteredRecord,
  type NumberField,
  numberOf,
  type SetField,
  UNBOUNDED_MS,
  valuesOf,
} from './filter-fields.js';
import type { Memory } from './memory.js';

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
