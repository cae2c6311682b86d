/** Renders a result of a recall (docs/decisions.md, "The result object"). */
import type { Invalidity } from '../../domain/filter.js';
import type { Memory } from '../../domain/memory.js';
import { shownMetadata } from '../../domain/metadata.js';
import type { FoundBy, RecalledMemory, ScoreComponents, ScoreExplanation } from '../../domain/recall-results.js';
import type { RecallResult, ScoreExplanationAnswer } from '../answers/result.js';
import { previewOf } from './memory.js';
import { roundScore } from './numbers.js';

export function renderResult(result: RecalledMemory): RecallResult {
  const { memory, components, relations, duplicateIds, expandedFromEntity, from, replaces, explanation } = result;
  const { supersededBy, invalidity, maybeOutdatedBy } = result;
  const score = roundScore(result.score);
  return {
    id: memory.id,
    memory: renderRecalledMemory(memory),
    score,
    final_score: score,
    match_score: roundScore(result.matchScore),
    match_type: result.matchType,
    source: result.foundBy.includes('vector') ? 'qdrant' : 'graph',
    score_components: eachComponent(name => roundScore(components[name])),
    relations,
    ...(duplicateIds && { deduped_from: duplicateIds }),
    ...(expandedFromEntity !== undefined && { expanded_from_entity: expandedFromEntity }),
    ...(from && { from }),
    ...(replaces && { state_replaces: replaces.id }),
    ...(result.inheritedFrom !== undefined && { inherited_from: result.inheritedFrom }),
    ...(supersededBy && { superseded_by: supersededBy.id }),
    ...(invalidity && { not_current: invalidityName(invalidity) }),
    ...(maybeOutdatedBy && { maybe_outdated_by: renderSuggestion(maybeOutdatedBy) }),
    ...(result.isOutsideTags && { outside_tag_scope: true }),
    ...(explanation && { explanation: renderExplanation(result, explanation) }),
  };
}

function renderSuggestion(newer: Memory): NonNullable<RecallResult['maybe_outdated_by']> {
  return { memory_id: newer.id, content: previewOf(newer), timestamp: newer.timestamp };
}

/** The name of the reason in answers. */
export function invalidityName(reason: Invalidity): 'archived' | 'not_yet_valid' | 'expired' {
  return reason === 'notYetValid' ? 'not_yet_valid' : reason;
}

export function renderRecalledMemory(memory: Memory): RecallResult['memory'] {
  return {
    memory_id: memory.id,
    id: memory.id,
    content: memory.content,
    tags: [...memory.tags],
    importance: memory.importance,
    created_at: memory.timestamp,
    timestamp: memory.timestamp,
    updated_at: memory.updated_at,
    last_accessed: memory.last_accessed,
    type: memory.type,
    confidence: memory.confidence,
    ...shownMetadata(memory.metadata),
    ...(memory.summary !== undefined && { summary: memory.summary }),
    ...(memory.t_valid !== undefined && { t_valid: memory.t_valid }),
    ...(memory.t_invalid !== undefined && { t_invalid: memory.t_invalid }),
    ...(memory.archived_at !== undefined && { archived_at: memory.archived_at }),
  };
}

export function renderExplanation(
  { components, foundBy }: { components: ScoreComponents; foundBy: readonly FoundBy[] },
  { weights, contributions, terms, lenders, isSaidByAnother }: ScoreExplanation,
): ScoreExplanationAnswer {
  return {
    found_by: [...foundBy],
    components: eachComponent(name => ({
      evidence: roundScore(components[name]),
      weight: weights[name],
      contribution: roundScore(contributions[name]),
    })),
    terms: terms.map(({ term, weight, inContent, inTags }) => ({
      term,
      weight: roundScore(weight),
      in_content: inContent,
      in_tags: inTags,
    })),
    ...(lenders.length > 0 && { lent_by: lenders.map(({ id, amount }) => ({ id, amount: roundScore(amount) })) }),
    ...(isSaidByAnother && { said_by_another: true }),
  };
}

function eachComponent<Value>(read: (name: keyof ScoreComponents) => Value): Record<keyof ScoreComponents, Value> {
  return {
    vector: read('vector'),
    keyword: read('keyword'),
    exact: read('exact'),
    importance: read('importance'),
    confidence: read('confidence'),
    recency: read('recency'),
    tag: read('tag'),
    relation: read('relation'),
    relevance: read('relevance'),
    lexical: read('lexical'),
    meaning: read('meaning'),
    neighbour: read('neighbour'),
    context: read('context'),
    newer: read('newer'),
    inherited: read('inherited'),
  };
}
