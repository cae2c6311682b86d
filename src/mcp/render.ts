/** The text of recalled memories, compact and numbered, for the model to read. */
import type { MemoryAnswer } from '../api/answers/memory.js';
import type { TagPageAnswer } from '../api/answers/tag-page.js';
import type { Metadata } from '../domain/json.js';
import { shownMetadata } from '../domain/metadata.js';
import type { RelationEntry } from '../domain/relation.js';
import { characterCount } from '../domain/text.js';
import { inBlock, onOneLine } from '../domain/visible-text.js';
import type { ShownAnswer, ShownResult } from './shorten.js';

/** In code points. What this tool layer stores fits; longer texts come over REST and are cut in lists only. */
const PREVIEW_LENGTH = 2000;
/** What we say of a memory stands here; what it says itself stands further in, and cannot pose as ours. */
const INDENT = '   ';
const CONTENT_INDENT = '     ';

/** A ranked search. */
export function renderRanked(answer: ShownAnswer): string {
  const { results, count, query } = answer;
  if (count === 0) return `No memories found matching your query${degradation(answer)}.`;
  const notes = [`sorted by ${answer.sort}`, ...rankedNotes(answer)];
  const topic = isQuery(query) ? ` for "${onOneLine(query)}"` : '';
  return list(`Found ${memories(count)}${topic} (${notes.join('; ')})${degradation(answer)}:`, results, 0);
}

function rankedNotes(answer: ShownAnswer): string[] {
  const { query, results, confidence, dedup_removed, state_filter, truncation, entity_expansion, expansion } = answer;
  const notes: string[] = [];
  if (isQuery(query)) notes.push(`confidence that this answers it: ${confidence}`);
  if (dedup_removed > 0) notes.push(`${plural(dedup_removed, 'duplicate')} removed`);
  if (state_filter?.suppressed_count) notes.push(`${state_filter.suppressed_count} superseded left out`);
  if (expansion?.expanded_count) notes.push(`${expansion.expanded_count} via relations`);
  if (entity_expansion?.expanded_count) notes.push(`${entity_expansion.expanded_count} via entities`);
  if (results.some(({ memory }) => memory.content_truncated)) notes.push('shortened to stay within max_tokens');
  if (truncation?.omitted_results)
    notes.push(`${plural(truncation.omitted_results, 'further result')} left out to stay within max_tokens`);
  return notes;
}

/** A page of everything under some tags. */
export function renderPage(page: TagPageAnswer): string {
  const tags = onOneLine(page.tags.join(', '));
  if (page.count === 0) {
    return page.offset === 0 ? `No memories found with any of the tags ${tags}.` : `No more memories with ${tags}.`;
  }
  const next = page.offset + page.count;
  const rest = page.has_more ? `more with offset ${next}` : 'no more after these';
  return list(
    `Found ${memories(page.count)} tagged ${tags} (from offset ${page.offset}; ${rest}):`,
    page.results,
    page.offset,
  );
}

/** One memory in full, or the statement that there is none. */
export function renderFetched(id: string, memory: MemoryAnswer | undefined): string {
  if (memory === undefined) return `Memory not found: ${onOneLine(id)}`;
  const facts = [
    `ID: ${memory.id}`,
    `Type: ${memory.type} (confidence ${round(memory.confidence)})`,
    `Tags: ${memory.tags.join(', ') || 'none'}`,
    `Importance: ${round(memory.importance)}`,
    `Created: ${memory.timestamp}`,
    `Updated: ${memory.updated_at}`,
  ];
  if (memory.t_valid !== undefined) facts.push(`Valid from: ${memory.t_valid}`);
  if (memory.t_invalid !== undefined) facts.push(`Valid until: ${memory.t_invalid}`);
  facts.push(...renderMetadata(memory.metadata));
  facts.push(`Relations: ${memory.relations.length}`);
  return [
    `${INDENT}${inBlock(memory.content, INDENT)}`,
    '',
    ...facts.map(onOneLine),
    ...memory.relations.map(relation => `${INDENT}${onOneLine(renderRelation(relation))}`),
  ].join('\n');
}

function renderMetadata(all: Metadata): string[] {
  const { metadata, metadata_bytes: bytes } = shownMetadata(all);
  if (Object.keys(all).length === 0) return [];
  const cut = bytes === undefined ? '' : ` (cut: all of it has ${bytes} bytes, which REST shows)`;
  return [`Metadata: ${JSON.stringify(metadata)}${cut}`];
}

function list(summary: string, results: readonly ShownResult[], offset: number): string {
  return [summary, ...results.map((result, index) => renderResult(result, offset + index + 1))].join('\n\n');
}

function renderResult(result: ShownResult, position: number): string {
  const { memory } = result;
  const facts = [
    `tags: ${memory.tags.join(', ') || 'none'}`,
    `importance: ${round(memory.importance)}`,
    `score: ${result.final_score.toFixed(3)}`,
    `match: ${result.match_type}`,
    `relations: ${result.relations.length}`,
  ];
  if (result.expanded_from_entity !== undefined) facts.push(`via entity: ${result.expanded_from_entity}`);
  if (result.from) facts.push(`via ${result.from.type} of ${result.from.id}`);
  if (result.state_replaces !== undefined) facts.push(`replaces ${result.state_replaces}`);
  if (result.outside_tag_scope) facts.push('outside the tags');
  if (result.deduped_from?.length) facts.push(`duplicates: ${result.deduped_from.length}`);
  return [
    `${position}. ${inBlock(preview(memory), CONTENT_INDENT)}`,
    `${INDENT}[${onOneLine(facts.join(' | '))}]`,
    `${INDENT}${onOneLine(`ID: ${memory.memory_id}  Created: ${memory.created_at}`)}`,
  ].join('\n');
}

function renderRelation({ direction, type, strength, memory }: RelationEntry): string {
  const arrow = direction === 'outgoing' ? '->' : '<-';
  return `${arrow} ${type} (${round(strength)}) ${memory.id}: ${preview({ content: memory.summary ?? memory.content })}`;
}

function preview({
  content,
  content_chars: length = characterCount(content),
}: Pick<ShownResult['memory'], 'content' | 'content_chars'>): string {
  const shown = [...content].slice(0, PREVIEW_LENGTH);
  const hidden = length - shown.length;
  return hidden <= 0 ? content : `${shown.join('')}… (${hidden} more characters: recall_memory with its memory_id)`;
}

function degradation({ query, vector_search }: ShownAnswer): string {
  return vector_search.enabled || !isQuery(query) ? '' : ' (by keyword only: semantic search is not available now)';
}

function isQuery(query: string): boolean {
  return query !== '' && query !== '*';
}

function memories(count: number): string {
  return count === 1 ? '1 memory' : `${count} memories`;
}

function plural(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
