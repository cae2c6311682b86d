/** Renders recalled memories as compact, numbered text for the model. */
import type { MemoryAnswer } from '../../api/memories.js';
import type { ScoreExplanationAnswer } from '../../api/recall-result.js';
import type { TagPageAnswer } from '../../api/tags.js';
import { ownTags } from '../../domain/entity.js';
import type { Metadata } from '../../domain/json.js';
import { shownMetadata } from '../../domain/metadata.js';
import type { RelationEntry } from '../../domain/relation.js';
import { inBlock, onOneLine, plural, RECORDED_DATA, visibleJson } from '../../domain/shown-text.js';
import { asksSomething, confidenceNote, DEGRADED, isDegraded } from './notes.js';
import { excerptOf, excerptText, expandedFrom, type Shown } from './output.js';
import type { ShownAnswer } from './present.js';

/**
 * In a list, lines about a memory have at most this indentation. Lines of its content are indented further, so that
 * they cannot be mistaken for lines of Engraph.
 */
const INDENT = '   ';
const CONTENT_INDENT = '     ';

/** Renders the first line of a ranked search. */
export function rankedHeading({ answer, notes }: ShownAnswer): string {
  const { count } = answer;
  const degraded = isDegraded(answer) ? ` (${DEGRADED})` : '';
  if (count === 0) {
    const reasons = notes.length > 0 ? ` (${notes.join('; ')})` : '';
    return `No memories found matching your query${reasons}${degraded}.`;
  }
  const told = [
    ...orderOf(answer),
    ...(asksSomething(answer) ? [confidenceNote(answer)] : []),
    RECORDED_DATA,
    ...notes,
  ];
  return `Found ${plural(count, 'memory')} (${told.join('; ')})${degraded}:`;
}

/** Names the order, unless the results answer a question and the best come first. */
function orderOf(answer: ShownAnswer['answer']): string[] {
  if (answer.sort !== 'score') return [`sorted by ${answer.sort}`];
  return asksSomething(answer) ? [] : ['most important first'];
}

/** Renders the first line of a tag listing page. */
export function pageHeading({ tags: given, count, offset, has_more }: TagPageAnswer): string {
  const tags = onOneLine(given.join(', '));
  if (count === 0) {
    return offset === 0 ? `No memories found with any of the tags ${tags}.` : `No more memories with ${tags}.`;
  }
  const rest = has_more ? `more with offset ${offset + count}` : 'last page';
  return `Found ${plural(count, 'memory')} tagged ${tags} (from offset ${offset}; ${rest}; ${RECORDED_DATA}):`;
}

/** @param offset number of memories before the first shown memory */
export function listText(heading: string, shown: readonly Shown[], offset: number): string {
  return [heading, ...shown.map((each, index) => itemText(each, offset + index + 1))].join('\n\n');
}

/**
 * Models read this text with every recall, so the facts have a fixed order instead of labels: date, type, score, tags,
 * id. Tags that contain spaces are quoted.
 */
function itemText({ result, excerpt }: Shown, position: number): string {
  const { memory, explanation } = result;
  const special = specialFacts(result);
  const tags = explanation ? memory.tags : ownTags(memory);
  const facts = [
    memory.timestamp.slice(0, 10),
    memory.type,
    shortScore(result.final_score),
    ...tags.map(quotedTag),
    ...(special.length > 0 ? [`(${special.join('; ')})`] : []),
    memory.memory_id,
  ];
  const further = [
    ...suggestion(result),
    ...(explanation ? [`Relations: ${relationList(result)}`, `Why: ${reasons(explanation)}`] : []),
  ];
  return [
    `${position}. ${inBlock(excerptText(excerpt), CONTENT_INDENT)}`,
    onOneLine(facts.join(' ')),
    ...further.map(line => `${INDENT}${onOneLine(line)}`),
  ].join('\n');
}

/** Rounds to two decimals, without the zero before the point, which would be a further token. */
function shortScore(score: number): string {
  return score.toFixed(2).replace(/^0\./, '.');
}

/** The number of relations, and the type, the direction and the other memory of each. */
function relationList({ relations }: Shown['result']): string {
  const each = relations.map(({ type, direction, memory }) => `${arrow(direction)} ${type} ${memory.id}`);
  return each.length === 0 ? '0' : `${each.length} (${each.join(', ')})`;
}

function arrow(direction: RelationEntry['direction']): string {
  return direction === 'outgoing' ? '->' : '<-';
}

/** Names the newer memory that may replace a result. Empty if there is none. */
function suggestion({ maybe_outdated_by: newer }: Shown['result']): string[] {
  return newer ? [`maybe outdated by ${newer.memory_id} (${newer.timestamp}): ${newer.content}`] : [];
}

export function quotedTags(tags: readonly string[]): string {
  return tags.map(quotedTag).join(', ') || 'none';
}

/** Quotes a tag that could be mistaken for several tags, or for text of Engraph. */
function quotedTag(tag: string): string {
  return /[|,;"()[\]\s]/.test(tag) ? JSON.stringify(tag) : tag;
}

/** Properties that only some results have. */
function specialFacts(result: Shown['result']): string[] {
  const { expanded_from_entity: entity, from, state_replaces: replaced, superseded_by: successor } = result;
  const facts: string[] = [];
  if (entity !== undefined) facts.push(`via entity: ${entity}`);
  else if (from) facts.push(`via ${expandedFrom(result)}`);
  if (replaced !== undefined) facts.push('replaces an older memory');
  if (successor !== undefined) facts.push(`superseded by ${successor}`);
  if (result.not_current !== undefined) facts.push(result.not_current.replaceAll('_', ' '));
  if (result.outside_tag_scope) facts.push('outside the tags');
  if (result.deduped_from?.length) facts.push(`duplicates: ${result.deduped_from.length}`);
  return facts;
}

/** Maximum number of score components that are shown to the model. */
const REASONS_MAX = 4;

/** Explains the rank of a memory: the strongest components of its score, and the channels that found it. */
function reasons({ components, found_by }: ScoreExplanationAnswer): string {
  const strongest = Object.entries(components)
    .filter(([, { contribution }]) => contribution > 0)
    .sort(([, a], [, b]) => b.contribution - a.contribution)
    .slice(0, REASONS_MAX)
    .map(([name, { contribution }]) => `${name} ${contribution.toFixed(3)}`);
  return `${strongest.join(', ') || 'no score component above 0'}; found by ${found_by.join(', ')}`;
}

/** Renders one memory in full, or a sentence saying that it does not exist. */
export function fetchedText(id: string, memory: MemoryAnswer | undefined): string {
  if (memory === undefined) return `Memory not found: ${onOneLine(id)}`;
  const facts = [
    `ID: ${memory.id}`,
    `Type: ${memory.type} (confidence ${round(memory.confidence)})`,
    `Tags: ${quotedTags(memory.tags)}`,
    `Importance: ${round(memory.importance)}`,
    `Created: ${memory.timestamp}`,
    `Updated: ${memory.updated_at}`,
  ];
  if (memory.t_valid !== undefined) facts.push(`Valid from: ${memory.t_valid}`);
  if (memory.t_invalid !== undefined) facts.push(`Valid until: ${memory.t_invalid}`);
  facts.push(...renderMetadata(memory.metadata));
  facts.push(`Relations: ${memory.relations.length}`);
  return [
    `One memory (${RECORDED_DATA}):`,
    `${INDENT}${inBlock(memory.content, INDENT)}`,
    '',
    ...facts.map(onOneLine),
    ...memory.relations.map(relation => `${INDENT}${onOneLine(renderRelation(relation))}`),
  ].join('\n');
}

function renderMetadata(all: Metadata): string[] {
  const { metadata, metadata_bytes: bytes } = shownMetadata(all);
  if (Object.keys(all).length === 0) return [];
  const cut = bytes === undefined ? '' : ` (shortened: REST shows all ${bytes} bytes)`;
  return [`Metadata: ${JSON.stringify(metadata)}${cut}`];
}

function renderRelation({ direction, type, strength, memory }: RelationEntry): string {
  const excerpt = excerptOf({ content: memory.summary ?? memory.content }, { usesSummary: false, isWhole: false });
  return `${arrow(direction)} ${type} (${round(strength)}) ${memory.id}: ${excerptText(excerpt)}`;
}

/** Rounds to at most two decimals. */
function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export const FORMATS = ['text', 'items', 'detailed', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** Renders one block per memory. Notes about the whole answer follow in the last block. */
export function itemBlocks(heading: string, shown: readonly Shown[], notes: readonly string[]): string[] {
  const blocks = shown.map(({ result, excerpt }) => {
    const { memory_id, type, timestamp } = result.memory;
    const facts = [type, timestamp.slice(0, 10), ...specialFacts(result)].join(', ');
    const lines = [`(${facts})`, ...suggestion(result)].map(line => `${INDENT}${onOneLine(line)}`);
    return [`[${memory_id}] ${inBlock(excerptText(excerpt), CONTENT_INDENT)}`, ...lines].join('\n');
  });
  if (blocks.length === 0) return [heading];
  return notes.length === 0 ? blocks : [...blocks.slice(0, -1), `${blocks.at(-1)}\n\n(${notes.join('; ')})`];
}

/** Renders each memory with one labelled field per line. @param offset number of memories before the first shown memory */
export function labelledText(heading: string, shown: readonly Shown[], offset: number): string {
  return [heading, ...shown.map((each, index) => labelled(each, offset + index + 1))].join('\n\n');
}

function labelled({ result, excerpt }: Shown, position: number): string {
  const { memory, explanation } = result;
  const facts = [
    `Type: ${memory.type}`,
    `Created: ${memory.timestamp}`,
    `Updated: ${memory.updated_at}`,
    `Accessed: ${memory.last_accessed}`,
    `Importance: ${round(memory.importance)}`,
    `Confidence: ${round(memory.confidence)}`,
    `Tags: ${quotedTags(memory.tags)}`,
    `Score: ${result.final_score.toFixed(3)}`,
    `Match: ${result.match_type}`,
    `Relations: ${relationList(result)}`,
    ...[...specialFacts(result), ...suggestion(result)].map(fact => `Note: ${fact}`),
    ...(explanation ? [`Why: ${reasons(explanation)}`] : []),
  ];
  return [
    `${position}. ID: ${memory.memory_id}`,
    ...facts.map(fact => `${INDENT}${onOneLine(fact)}`),
    `${INDENT}Content:`,
    `${CONTENT_INDENT}${inBlock(excerptText(excerpt), CONTENT_INDENT)}`,
  ].join('\n');
}

/** Renders the structured content for people. */
export function jsonText(structured: object): string {
  return JSON.stringify(visibleJson(structured), null, 2);
}
