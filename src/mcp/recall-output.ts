/** What `recall_memory` returns to programs: the engine's own answer, whichever of the three branches gave it. */
import { z } from 'zod';
import type { MemoryAnswer } from '../api/answers/memory.js';
import type { TagPageAnswer } from '../api/answers/tag-page.js';
import { shownMetadata } from '../domain/metadata.js';
import type { ShownAnswer } from './shorten.js';

const relation = z.looseObject({
  type: z.string(),
  strength: z.number(),
  direction: z.string(),
  memory: z.looseObject({ id: z.string(), content: z.string() }),
});

const memory = z.looseObject({
  memory_id: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  importance: z.number(),
  created_at: z.string(),
  type: z.string(),
  confidence: z.number(),
  metadata: z.record(z.string(), z.unknown()),
});

const result = z.looseObject({
  id: z.string(),
  memory,
  score: z.number(),
  final_score: z.number(),
  match_type: z.string(),
  score_components: z.record(z.string(), z.number()),
  relations: z.array(relation),
  expanded_from_entity: z.string().optional(),
  deduped_from: z.array(z.string()).optional(),
});

/** Loose, so that what the engine learns to say later is passed on. */
export const recallOutput = z.looseObject({
  status: z.literal('success'),
  mode: z.enum(['ranked', 'enumeration', 'id_fetch']),
  count: z.number(),
  results: z.array(result),
  dedup_removed: z.number().optional(),
  has_more: z.boolean().optional(),
});

/** A ranked search, as the engine answered it. */
export function rankedOutput(answer: ShownAnswer): object {
  return { ...answer, mode: 'ranked' };
}

/** Without the plain `memories`, which repeat the results for REST clients only. */
export function enumerationOutput({ memories: _memories, ...page }: TagPageAnswer): object {
  return { ...page, mode: 'enumeration' };
}

/** A memory fetched by id, as the one result; none when there is no such memory. */
export function fetchOutput(answer: MemoryAnswer | undefined): object {
  if (answer === undefined) return { status: 'success', mode: 'id_fetch', count: 0, results: [] };
  const { status, relations, ...fields } = answer;
  const direct = {
    id: fields.id,
    memory: { ...fields, ...shownMetadata(fields.metadata), memory_id: fields.id, created_at: fields.timestamp },
    score: 1,
    final_score: 1,
    match_type: 'direct',
    score_components: {},
    relations,
  };
  return { status, mode: 'id_fetch', count: 1, results: [direct] };
}
