/** The parameters of `recall_memory`, and the checks for a listing by tag and for a ranked recall. */
import type { z } from 'zod';
import { choice, count, flag, memoryId } from '../../api/fields.js';
import { optional } from '../../api/input.js';
import { type RecallParameters, rankingParameters, recallParameters } from '../../api/recall-request.js';
import { invalidField, MemoryError } from '../../domain/errors.js';
import type { InputLimits } from '../../domain/input.js';
import { TAG_PAGE_MAX } from '../../domain/recall.js';
import type { View } from './present.js';
import { FORMATS } from './text.js';

export const formatName = choice(FORMATS);

export function recallInput(limits: InputLimits) {
  const parameters = recallParameters(limits);
  return parameters
    .extend({
      explain: parameters.shape.explain.describe(
        'Adds all fields, tags and relations of each result, and how its score was computed',
      ),
      limit: optional(count({ max: TAG_PAGE_MAX })).describe('5 by default, 20 with exhaustive'),
      memory_id: optional(memoryId).describe('Fetches only this memory, in full'),
      exhaustive: optional(flag).describe('Lists every memory with one of the exact tags, most important first'),
      format: optional(formatName).describe(
        'text (default), items (one block per memory), detailed (labelled lines) or json (all fields)',
      ),
      summaries: optional(flag).describe('Show the summary instead of the content when a memory has one'),
      offset: optional(count({ min: 0, max: Number.MAX_SAFE_INTEGER })).describe('With exhaustive: memories to skip'),
    })
    .strict();
}

export type RecallInput = z.output<ReturnType<typeof recallInput>>;

/** How to show the answer to a call. */
export function viewOf({
  format = 'text',
  summaries = false,
  explain = false,
}: Pick<RecallInput, 'format' | 'summaries' | 'explain'>): View {
  return { format, usesSummaries: summaries, isExplained: explain };
}

/** The query that a ranked search sends to the memory. */
export function rankedParameters(args: RecallInput): RecallParameters {
  const { memory_id: _id, exhaustive: _all, offset: _offset, format: _format, summaries: _short, ...parameters } = args;
  return parameters;
}

/**
 * Refuses ranking parameters in a listing by tag, because a listing would have to ignore them.
 *
 * @throws MemoryError `invalid` naming every such parameter
 */
export function refuseRankedParameters(args: RecallInput, limits: InputLimits): void {
  const ranking = Object.keys(rankingParameters(limits)) as (keyof RecallInput)[];
  const given: string[] = ranking.filter(name => args[name] !== undefined);
  if (args.tag_match === 'prefix') given.push("tag_match 'prefix'");
  if (args.tag_mode === 'all') given.push("tag_mode 'all'");
  if (given.length === 0) return;
  throw new MemoryError('invalid', `exhaustive cannot be combined with ${given.join(', ')}`, {
    field: given[0]?.split(' ')[0] ?? 'exhaustive',
    hint: `exhaustive lists every memory that has one of these exact tags. Leave out ${given.join(', ')}, or leave out exhaustive to rank.`,
  });
}

/**
 * Refuses paging in a ranked recall, because such a recall would return the first page again and again.
 *
 * @throws MemoryError `invalid`
 */
export function refuseOffset({ offset = 0 }: RecallInput): void {
  if (offset === 0) return;
  throw new MemoryError('invalid', "'offset' requires exhaustive: true", {
    field: 'offset',
    hint: 'Ranked recall returns only one page: raise limit, or list by tags with exhaustive: true.',
  });
}

/** @throws MemoryError `invalid` when no tag is given */
export function requiredTags({ tags = [] }: RecallInput): string[] {
  if (tags.length === 0) throw invalidField('tags', 'is required: name at least one tag');
  return tags;
}
