/**
 * Requests of operators: embedding memories again, comparing the stores, enriching memories again (docs/decisions.md,
 * "Comparing the stores").
 */
import { z } from 'zod';
import { countProblem, joinedLengthProblem, type ListLimits } from '../../domain/bounds.js';
import { isPlainObject } from '../../domain/json.js';
import type { ReembedRequest, SyncRequest } from '../../domain/maintenance.js';
import { count, flag, memoryId } from '../fields.js';
import { isGiven, listIn, objectIn, optional, type RawInput, readField } from '../input.js';

const BATCH_SIZE = 32;
const BATCH_SIZE_MAX = 1_000;

const batchSize = optional(count({ max: BATCH_SIZE_MAX })).describe(
  `Number of texts per call of the embedding model, ${BATCH_SIZE} by default`,
);

export const reembedRequest = z.object({
  batch_size: batchSize,
  limit: optional(count({ max: Number.MAX_SAFE_INTEGER })).describe(
    'Maximum number of memories, newest first; all by default',
  ),
  force: optional(flag).describe('Include memories with a vector of the current model or a supplied vector'),
});

export const syncRequest = z.object({
  batch_size: batchSize,
  dry_run: optional(flag).describe('Only report, change nothing'),
  remove_orphans: optional(flag).describe('Remove vectors without a memory'),
});

export type ReembedParameters = z.output<typeof reembedRequest>;
export type SyncParameters = z.output<typeof syncRequest>;

export function toReembedRequest({ batch_size = BATCH_SIZE, limit, force = false }: ReembedParameters): ReembedRequest {
  return { batchSize: batch_size, ...(limit !== undefined && { limit }), force };
}

export function toSyncRequest({
  batch_size = BATCH_SIZE,
  dry_run = false,
  remove_orphans = false,
}: SyncParameters): SyncRequest {
  return { batchSize: batch_size, isDryRun: dry_run, removesOrphans: remove_orphans };
}

/** Limits of a text with ids. An id has 36 characters. The other characters of `maxLength` allow for white space. */
const ID_LIMITS: ListLimits = { maxCount: 1_000, maxLength: 99 };

export const ids = z.preprocess((given, context): unknown => {
  const value = listIn(given);
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

export const reprocessRequest = z.object({
  ids: optional(ids).describe('Memories to enrich again: an array, or a comma-separated text'),
});

/**
 * Reads the ids from the body, or from the query string when the body contains no ids.
 *
 * @throws MemoryError `invalid` when neither contains ids
 */
export function readReprocessing(body: unknown, query: RawInput): string[] {
  const inBody = objectIn(body);
  const given = isPlainObject(inBody) && isGiven(inBody.ids) ? inBody : query;
  return readField(ids, given.ids ?? [], 'ids');
}
