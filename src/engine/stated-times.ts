/** Converts the times of writes to instants. Callers may give times in words, but stores contain instants. */
import type { Association } from '../domain/association.js';
import { atIndex, MemoryError } from '../domain/errors.js';
import { assertValidityBounds, type MemoryPatch, type NewMemory } from '../domain/memory.js';
import { parseIso, toIso } from '../domain/time.js';
import type { Now } from '../time/calendar.js';
import { readTime } from '../time/stated-time.js';
import type { DatePreference } from '../time/time-window.js';

const TIMES = ['timestamp', 'updated_at', 'last_accessed', 't_valid', 't_invalid'] as const;
/** The times that a patch may remove. */
const BOUNDS: readonly (string | undefined)[] = ['t_valid', 't_invalid'];
/**
 * How to interpret a time in words. The times of fields that are not listed lie in the past. A validity may begin in
 * the past or in the future, and ends in the future.
 */
const MEANT: Readonly<Partial<Record<(typeof TIMES)[number], DatePreference>>> = {
  t_valid: 'nearest',
  t_invalid: 'next',
};

type Times = Pick<MemoryPatch, (typeof TIMES)[number]>;

/**
 * Returns the same value with every time converted to an instant.
 *
 * @throws MemoryError `invalid` naming the first unreadable time
 */
export async function withTimes<Given extends Times>(given: Given, now: Now): Promise<Given> {
  const inWords = TIMES.filter(field => isInWords(given[field]));
  if (inWords.length === 0) return given;
  const read: Times = {};
  for (const field of inWords) {
    const meant = MEANT[field] ?? 'last';
    read[field] = toIso(await readTime(given[field] ?? '', { field, now, meant, isStored: true }));
  }
  return { ...given, ...read };
}

/** @throws MemoryError `invalid` as in `withTimes`, or when the validity ends before it begins */
export async function memoryWithTimes(given: NewMemory, now: Now): Promise<NewMemory> {
  const memory = await withTimes(given, now);
  if (memory !== given) assertValidityBounds(memory);
  return memory;
}

/** @throws MemoryError `invalid` as in `memoryWithTimes`, with the index of the memory */
export function memoriesWithTimes(given: readonly NewMemory[], now: Now): Promise<NewMemory[]> {
  return eachInTurn(given, (memory, index) =>
    memoryWithTimes(memory, now).catch(error => {
      throw atIndex(index, error);
    }),
  );
}

/** @throws MemoryError `invalid` when the time of the edge is unreadable */
export async function associationWithTime(given: Association, now: Now): Promise<Association> {
  const { timestamp } = given.properties;
  if (typeof timestamp !== 'string' || !isInWords(timestamp)) return given;
  const read = toIso(await readTime(timestamp, { field: 'timestamp', now, isStored: true }));
  return { ...given, properties: { ...given.properties, timestamp: read } };
}

/** An item with an unreadable time becomes an error. The other items are not affected. */
export function associationsWithTimes(
  items: readonly (Association | MemoryError)[],
  now: Now,
): Promise<(Association | MemoryError)[]> {
  return eachInTurn(items, async item => {
    if (item instanceof MemoryError) return item;
    return associationWithTime(item, now).catch(error => {
      if (error instanceof MemoryError) return error;
      throw error;
    });
  });
}

/**
 * Converts the times one after another. Each time in words waits for a turn of the event loop, which lets other
 * requests run in between.
 */
async function eachInTurn<Item>(
  items: readonly Item[],
  read: (item: Item, index: number) => Promise<Item>,
): Promise<Item[]> {
  const results: Item[] = [];
  for (const [index, item] of items.entries()) results.push(await read(item, index));
  return results;
}

function isInWords(time: string | null | undefined): boolean {
  return typeof time === 'string' && parseIso(time) === undefined;
}

/**
 * Returns the same patch with every time converted to an instant.
 *
 * @throws MemoryError `invalid` naming the first unreadable time. If the patch may remove this time, the message also
 * says that null removes it.
 */
export function patchWithTimes(patch: MemoryPatch, now: Now): Promise<MemoryPatch> {
  return withTimes(patch, now).catch(error => {
    if (!(error instanceof MemoryError) || !BOUNDS.includes(error.field)) throw error;
    const { code, message, field, hint } = error;
    throw new MemoryError(code, `${message}, or null to remove it`, { ...(field && { field }), ...(hint && { hint }) });
  });
}
