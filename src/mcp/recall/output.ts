/**
 * The structured content of `recall_memory`, for each of its three modes: search, listing by tag and look-up by id. The
 * names are those of the specification.
 */
import { z } from 'zod';
import { roundThousandths } from '../../api/answer-fields.js';
import type { MemoryAnswer } from '../../api/memories.js';
import type { RecallAnswer } from '../../api/recall.js';
import { type RecallResult, recallResult } from '../../api/recall-result.js';
import type { TagPageAnswer } from '../../api/tags.js';
import { shownMetadata } from '../../domain/metadata.js';
import { takeTokens } from '../../domain/shown-text.js';
import { beginningOf, characterCount } from '../../domain/text/characters.js';
import { warningsOf } from './notes.js';

/** A result, and the excerpt of its memory that is shown. */
export interface Shown {
  result: RecallResult;
  excerpt: Excerpt;
}

/**
 * The fields of a result that programs get. `brief`: without scores and relations, for answers that would otherwise
 * exceed `max_tokens`. `table`: the fields of the specification. `full`: all fields.
 */
export type Detail = 'brief' | 'table' | 'full';

const itemOutput = z.looseObject({
  memory: z.looseObject({
    memory_id: z.string(),
    content: z.string().optional(),
    tags: z.array(z.string()),
    importance: z.number(),
    created_at: z.string(),
  }),
  final_score: z.number(),
  match_type: z.enum([...recallResult.shape.match_type.options, 'direct']),
  score_components: z.record(z.string(), z.number()).optional(),
  relations: z.array(z.looseObject({ type: z.string(), direction: z.string(), memory_id: z.string() })).optional(),
  expanded_from_entity: z.string().optional(),
  deduped_from: z.array(z.string()).optional(),
});

type Item = z.infer<typeof itemOutput>;

function toItem({ result, excerpt }: Shown, detail: Detail): Item {
  if (detail === 'full') return inFull({ result, excerpt });
  const { memory, match_type, final_score, score_components, relations } = result;
  const { memory_id, tags, importance, created_at } = memory;
  return {
    memory: { memory_id, ...excerpt, tags, importance, created_at },
    final_score: roundThousandths(final_score),
    match_type,
    ...(detail === 'table' && {
      score_components: withoutZeros(score_components),
      relations: relations.map(({ type, direction, memory: other }) => ({ type, direction, memory_id: other.id })),
    }),
    expanded_from_entity: result.expanded_from_entity,
    deduped_from: result.deduped_from,
    superseded_by: result.superseded_by,
    not_current: result.not_current,
    maybe_outdated_by: result.maybe_outdated_by,
    outside_tag_scope: result.outside_tag_scope,
  };
}

function inFull({ result, excerpt }: Shown): Item {
  const { content: _whole, ...memory } = result.memory;
  return { ...result, memory: { ...memory, ...excerpt }, relations: withIds(result.relations) };
}

/** Adds the id of the other memory under the name that it has without full detail. */
function withIds(relations: RecallResult['relations']) {
  return relations.map(relation => ({ ...relation, memory_id: relation.memory.id }));
}

function withoutZeros(components: RecallResult['score_components']): Record<string, number> {
  const all = Object.entries(components).map(([name, value]) => [name, roundThousandths(value)] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== 0));
}

/** The entity, or the relation and its source memory, that led to a result. */
export function expandedFrom({ expanded_from_entity: entity, from }: RecallResult): string | undefined {
  return entity ?? (from && `${from.type} of ${from.id}`);
}

/** The shown text. The field names are those of AutoMem. */
interface Excerpt {
  /** Undefined when the summary is shown instead. */
  content?: string;
  summary?: string;
  content_truncated?: true;
  /** Length of the whole content, in characters. Set when the content is not shown in full. */
  content_chars?: number;
}

export interface ExcerptRules {
  /** Shows the summary instead of the content when the memory has one. */
  usesSummary: boolean;
  /** Shows the whole content, however long it is. */
  isWhole: boolean;
  /** Maximum length of the content, in tokens. */
  maxTokens?: number | undefined;
}

/**
 * Maximum length of a preview, in characters. With the default settings, content that a tool has stored fits. Content
 * stored over REST may be longer.
 */
const PREVIEW_LENGTH = 2000;

export function excerptOf(memory: { content: string; summary?: string | undefined }, rules: ExcerptRules): Excerpt {
  const { content, summary } = memory;
  if (rules.usesSummary && summary !== undefined) return { summary, content_chars: characterCount(content) };
  const preview = rules.isWhole ? content : beginningOf(content, PREVIEW_LENGTH);
  const beginning = rules.maxTokens === undefined ? preview : takeTokens(preview, rules.maxTokens);
  if (beginning === content) return { content };
  return { content: beginning, content_truncated: true, content_chars: characterCount(content) };
}

/** Renders the excerpt for a reader. Says how many characters are missing, or how many a summary replaces. */
export function excerptText({ content, summary, content_chars: length = 0 }: Excerpt): string {
  const where = 'recall_memory with its memory_id';
  if (summary !== undefined) return `${summary} (summary of ${length} characters: ${where})`;
  const hidden = length - characterCount(content ?? '');
  return hidden <= 0 ? (content ?? '') : `${content}… (${hidden} more characters: ${where})`;
}

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
