/** The structured content of `recall_memory`, for each of its three modes: search, listing by tag and look-up by id. */
import { z } from 'zod';
import type { MemoryAnswer } from '../../api/answers/memory.js';
import { type RecallAnswer, recallAnswer } from '../../api/answers/recall.js';
import type { TagPageAnswer } from '../../api/answers/tag-page.js';
import { shownMetadata } from '../../domain/metadata.js';
import { type Detail, itemOutput, type Shown, toItem } from './item.js';
import { asksSomething, DEGRADED, isDegraded } from './notes.js';

export const recallOutput = z
  .object({
    mode: z.enum(['ranked', 'enumeration', 'id_fetch']),
    count: recallAnswer.shape.count,
    has_more: z.boolean().optional().describe('Whether there is a next page'),
    next_offset: z.int().optional().describe('Offset of the next page'),
    confidence: recallAnswer.shape.confidence.optional(),
    notes: z.array(z.string()).optional().describe('What was left out or added, and why'),
    results: z.array(itemOutput),
  })
  .loose();

type Output = z.infer<typeof recallOutput>;

/** The result of a ranked search. With full detail it has every field of the REST answer except `status`. */
export function rankedOutput(
  answer: RecallAnswer,
  { shown, notes, detail }: { shown: readonly Shown[]; notes: readonly string[]; detail: Detail },
): Output {
  const { results: _results, status: _status, count, confidence, ...rest } = answer;
  const all = [
    ...(answer.sort === 'score' ? [] : [`sorted by ${answer.sort}`]),
    ...notes,
    ...(isDegraded(answer) ? [DEGRADED] : []),
  ];
  return {
    mode: 'ranked',
    count,
    ...(asksSomething(answer) && { confidence }),
    ...(all.length > 0 && { notes: all }),
    results: shown.map(each => toItem(each, detail)),
    ...(detail === 'full' && { confidence, ...rest }),
  };
}

export function pageOutput(page: TagPageAnswer, shown: readonly Shown[], detail: Detail): Output {
  const { count, has_more, offset, limit, tags } = page;
  return {
    mode: 'enumeration',
    count,
    has_more,
    ...(has_more && { next_offset: offset + count }),
    ...(detail === 'full' && { tags, offset, limit }),
    results: shown.map(each => toItem(each, detail)),
  };
}

/**
 * The result of fetching a memory by its id, with every field. The results are empty when the memory does not exist.
 */
export function fetchOutput(answer: MemoryAnswer | undefined): Output {
  if (answer === undefined) return { mode: 'id_fetch', count: 0, results: [] };
  const { status: _status, id, content, type, tags, importance, timestamp, ...rest } = answer;
  const direct = {
    memory_id: id,
    ...{ content, type, tags, importance, timestamp },
    score: 1,
    match_type: 'direct' as const,
    ...rest,
    ...shownMetadata(answer.metadata),
  };
  return { mode: 'id_fetch', count: 1, results: [direct] };
}
