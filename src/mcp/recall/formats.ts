/**
 * Renders recalled memories in the formats other than `text`: one block per memory, labelled lines, or the structured
 * content as text.
 */
import { inBlock, onOneLine, visibleJson } from '../../domain/visible-text.js';
import { excerptText } from './excerpt.js';
import type { Shown } from './item.js';
import { reasons, relationList, round, specialFacts, suggestion, tagList } from './text.js';

export const FORMATS = ['text', 'items', 'detailed', 'json'] as const;
export type Format = (typeof FORMATS)[number];

const INDENT = '   ';
const CONTENT_INDENT = '     ';

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
    `Tags: ${tagList(memory.tags)}`,
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
