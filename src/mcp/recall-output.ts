/** What `recall_memory` returns to programs: the engine's own answer, whichever of the three branches gave it. */
import { z } from 'zod';
import type { MemoryAnswer } from '../api/answers/memory.js';
import { recallAnswer } from '../api/answers/recall.js';
import { relationEntryAnswer } from '../api/answers/relation.js';
import { recallResult } from '../api/answers/result.js';
import { type TagPageAnswer, tagPageAnswer } from '../api/answers/tag-page.js';
import { shownMetadata } from '../domain/metadata.js';
import type { ShownAnswer } from './shorten.js';

/** Clients get the fields that most of them look at; a full list would be three times as long. */
const relation = relationEntryAnswer
  .pick({ type: true, strength: true, direction: true })
  .extend({ memory: relationEntryAnswer.shape.memory.pick({ id: true, content: true }).loose() })
  .loose();
const memory = recallResult.shape.memory
  .pick({ memory_id: true, content: true, tags: true, importance: true, created_at: true, type: true })
  .extend(recallResult.shape.memory.pick({ confidence: true, metadata: true }).shape)
  .loose();

/** A memory that was fetched by its id has no parts of a score, and was found by no channel. */
const result = recallResult
  .pick({ id: true, score: true, final_score: true, expanded_from_entity: true, deduped_from: true })
  .extend({
    memory,
    relations: z.array(relation),
    match_type: z.enum([...recallResult.shape.match_type.options, 'direct']),
    score_components: z.record(z.string(), z.number()),
  })
  .loose();

export const recallOutput = recallAnswer
  .pick({ status: true, count: true })
  .extend({
    mode: z.enum(['ranked', 'enumeration', 'id_fetch']),
    results: z.array(result),
    dedup_removed: recallAnswer.shape.dedup_removed.optional(),
    has_more: tagPageAnswer.shape.has_more.optional(),
  })
  .loose();

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
