/**
 * The structured content of `recall_memory`, for each of its three modes: search, listing by tag and look-up by id. The
 * names are those of the specification.
 */
import { z } from 'zod';
import type { MemoryAnswer } from '../../api/memories.js';
import type { RecallAnswer } from '../../api/recall.js';
import type { TagPageAnswer } from '../../api/tags.js';
import { shownMetadata } from '../../domain/metadata.js';
import { type Detail, itemOutput, type Shown, toItem, withIds } from './item.js';
import { warningsOf } from './notes.js';

const bounds = z.looseObject({ start: z.string().optional(), end: z.string().optional() });

export const recallOutput = z.looseObject({
  status: z.string().optional(),
  query: z.string().optional(),
  results: z.array(itemOutput),
  count: z.int(),
  sort: z.string().optional(),
  dedup_removed: z.int().optional(),
  tag_mode: z.string().optional(),
  tag_match: z.string().optional(),
  vector_search: z.looseObject({ enabled: z.boolean(), matched: z.boolean() }).optional(),
  query_time_ms: z.number().optional(),
  time_window: bounds.optional(),
  tags: z.array(z.string()).optional(),
  limit: z.int().optional(),
  offset: z.int().optional(),
  has_more: z.boolean().optional(),
  notes: z.array(z.string()).optional().describe('What was left out, and why'),
});

type Output = z.infer<typeof recallOutput>;

/** The result of a ranked search: the fields of the specification, or with full detail every field of the REST answer. */
export function rankedOutput(
  answer: RecallAnswer,
  { shown, notes, detail }: { shown: readonly Shown[]; notes: readonly string[]; detail: Detail },
): Output {
  const { count, time_window } = answer;
  const warnings = [...notes, ...warningsOf(answer)];
  const told = warnings.length > 0 && { notes: warnings };
  const results = shown.map(each => toItem(each, detail));
  if (detail === 'full') return { ...answer, ...told, results };
  if (detail === 'brief') return { results, count, ...(time_window && { time_window }), ...told };
  const { expansion, entity_expansion, tags } = answer;
  return {
    status: answer.status,
    query: answer.query,
    results,
    count,
    sort: answer.sort,
    dedup_removed: answer.dedup_removed,
    tag_mode: answer.tag_mode,
    tag_match: answer.tag_match,
    vector_search: answer.vector_search,
    query_time_ms: answer.query_time_ms,
    ...(time_window && { time_window }),
    ...(tags && { tags }),
    ...told,
    ...(expansion && { expansion }),
    ...(entity_expansion && { entity_expansion }),
  };
}

/** One page of a listing by tag. As in the specification, the score of a result is its importance. */
export function pageOutput(page: TagPageAnswer, shown: readonly Shown[], detail: Detail): Output {
  const { memories: _plain, ...rest } = page;
  const results = shown.map(each => ({ ...toItem(each, detail), score: each.result.score }));
  return { ...rest, results };
}

/**
 * The result of fetching a memory by its id, with every field. The results are empty when the memory does not exist.
 */
export function fetchOutput(answer: MemoryAnswer | undefined): Output {
  if (answer === undefined) return { status: 'success', count: 0, results: [] };
  const { status, relations, ...memory } = answer;
  const direct = {
    memory: { memory_id: memory.id, ...memory, created_at: memory.timestamp, ...shownMetadata(memory.metadata) },
    final_score: 1,
    match_type: 'direct' as const,
    relations: withIds(relations),
  };
  return { status, count: 1, results: [direct] };
}
