/** The range of values in which a walk searches for a bound. */
import type { MemoryFilter } from '../../domain/filter.js';

export interface OrderKey {
  field: 'importance' | 'timestamp_ms' | 'updated_ms';
  isDescending: boolean;
}

/** The nodes of a selection within some bounds, and their order. */
export interface Part {
  keys: readonly OrderKey[];
  conditions: readonly string[];
  bounds: Readonly<Record<string, number>>;
}

/** The values of each key. The search for a bound ends when the range is at most `step` wide. */
const DOMAINS: Record<OrderKey['field'], { least: number; most: number; step: number }> = {
  importance: { least: 0, most: 2, step: 1e-7 },
  timestamp_ms: { least: -1e14, most: 3e14, step: 1 },
  updated_ms: { least: -1e14, most: 3e14, step: 1 },
};

/** The range in which the walk searches for a bound on a key. */
export interface Range {
  /** The key of every node in the selection comes after this value. */
  start: number;
  end: number;
  /** 1 if the values of the key rise from the start to the end, and -1 if they fall. */
  sign: 1 | -1;
  step: number;
  /** Whether the filter sets the start. The first nodes are then probably near the start. */
  startsAtFilter: boolean;
}

export function rangeOf({ field, isDescending }: OrderKey, { fromMs, toMs }: MemoryFilter): Range {
  const { least, most, step } = DOMAINS[field];
  const [from, to] = field === 'timestamp_ms' ? [fromMs, toMs] : [];
  const [low, high] = [Math.max(least, (from ?? least) - step), Math.min(most, (to ?? most) + step)];
  return isDescending
    ? { start: high, end: low, sign: -1, step, startsAtFilter: to !== undefined }
    : { start: low, end: high, sign: 1, step, startsAtFilter: from !== undefined };
}

/** Whether a value is between the start and the end, and equal to neither. */
export function isWithin({ start, end, sign }: Range, value: number): boolean {
  return (value - start) * sign > 0 && (end - value) * sign > 0;
}

/**
 * Returns the next value to try. If the filter sets the start, the distance of this value from the start is the
 * geometric mean of the two distances. The first nodes may be a second away from the start or a year, and the geometric
 * mean narrows both cases in few steps.
 */
export function middleOf({ start, sign, step, startsAtFilter }: Range, tooFew: number, tooMany: number): number {
  if (startsAtFilter)
    return start + sign * Math.floor(Math.sqrt((Math.abs(tooFew - start) + 1) * Math.abs(tooMany - start)));
  const middle = (tooFew + tooMany) / 2;
  return step === 1 ? Math.round(middle) : middle;
}
