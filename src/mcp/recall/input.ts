/** The parameters of `recall_memory`, and which of its three branches a call takes. */
import type { z } from 'zod';
import { choice, count, flag, memoryId } from '../../api/fields.js';
import { parameter } from '../../api/input.js';
import { type RecallParameters, rankingParameters, recallParameters } from '../../api/requests/recall.js';
import { invalidField, MemoryError } from '../../domain/errors.js';
import type { InputLimits } from '../../domain/input-limits.js';
import { TAG_PAGE_MAX } from '../../domain/recall-query.js';
import { FORMATS } from './formats.js';
import type { View } from './present.js';

export function recallInput(limits: InputLimits) {
  return recallParameters(limits)
    .extend({
      limit: parameter(count({ max: TAG_PAGE_MAX })).describe(
        'Most memories to return: 5 by default, 20 with exhaustive',
      ),
      memory_id: parameter(memoryId).describe('Fetch this one memory in full; everything else is ignored'),
      exhaustive: parameter(flag).describe(
        'true: list every memory that has any of the tags exactly, most important first, without ranking; needs tags',
      ),
      format: parameter(choice(FORMATS)).describe(
        'text (by default), items (one block for each memory), detailed (labelled lines) or json (every field)',
      ),
      summaries: parameter(flag).describe('Show the summary of a memory that has one in place of its content'),
      offset: parameter(count({ min: 0, max: Number.MAX_SAFE_INTEGER })).describe('With exhaustive: memories to skip'),
    })
    .strict();
}

export type RecallInput = z.output<ReturnType<typeof recallInput>>;

/** How the answer to a call is to be shown. */
export function viewOf({ format = 'text', summaries = false, explain = false }: RecallInput): View {
  return { format, usesSummaries: summaries, isExplained: explain };
}

/** What the memory itself is asked in a ranked search. */
export function rankedParameters(args: RecallInput): RecallParameters {
  const { memory_id: _id, exhaustive: _all, offset: _offset, format: _format, summaries: _short, ...parameters } = args;
  return parameters;
}

/**
 * Refuses a listing by tag that also asks for ranking: it would have to ignore what was asked.
 *
 * @throws MemoryError `invalid` naming every such parameter
 */
export function refuseRankedParameters(args: RecallInput, limits: InputLimits): void {
  const ranking = Object.keys(rankingParameters(limits)) as (keyof RecallInput)[];
  const given: string[] = ranking.filter(name => isStated(args[name]));
  if (args.tag_match === 'prefix') given.push("tag_match 'prefix'");
  if (args.tag_mode === 'all') given.push("tag_mode 'all'");
  if (given.length === 0) return;
  throw new MemoryError('invalid', `exhaustive cannot be combined with ${given.join(', ')}`, {
    field: given[0]?.split(' ')[0] ?? 'exhaustive',
    hint: `exhaustive lists every memory that has one of the tags exactly. Leave out ${given.join(', ')}, or leave out exhaustive to rank.`,
  });
}

/**
 * Refuses paging in a ranked recall, which would return the first page again and again.
 *
 * @throws MemoryError `invalid`
 */
export function refuseOffset({ offset = 0 }: RecallInput): void {
  if (offset === 0) return;
  throw new MemoryError('invalid', "'offset' needs exhaustive: true", {
    field: 'offset',
    hint: 'Ranked recall has one page: raise limit, or list by tags with exhaustive: true.',
  });
}

/** Blank text and empty lists ask for nothing. */
function isStated(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** @throws MemoryError `invalid` when no tag is given */
export function requiredTags({ tags = [] }: RecallInput): string[] {
  if (tags.length === 0) throw invalidField('tags', 'is required: name at least one tag');
  return tags;
}
