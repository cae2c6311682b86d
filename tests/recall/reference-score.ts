/**
 * A slow reference implementation of the nine score components in the specification under "Scoring". It shares only the
 * word rules and the stemmer with the project. Everything else is written from the specification alone.
 */

import type { Memory } from '../../src/domain/memory.js';
import { isStopWord, languagesOf } from '../../src/domain/text/language.js';
import { stem, words } from '../../src/domain/text/words.js';

const DAY_MS = 86_400_000;

export const SPECIFIED_WEIGHTS = {
  vector: 0.35,
  keyword: 0.35,
  exact: 0.2,
  importance: 0.1,
  confidence: 0.05,
  recency: 0.1,
  tag: 0.2,
  relation: 0.25,
  relevance: 0,
} as const;

export type SpecifiedComponents = Record<keyof typeof SPECIFIED_WEIGHTS, number>;

export interface Asked {
  query: string;
  queryVector: Float32Array;
  memory: Memory;
  memoryVector: Float32Array | undefined;
  nowMs: number;
}

export function specifiedComponents({ query, queryVector, memory, memoryVector, nowMs }: Asked): SpecifiedComponents {
  const tokens = tokensOf(query);
  const inContent = stemsOf(memory.content);
  const inTags = memory.tags.map(stemsOf);
  const matchedTags = tokens.filter(token => inTags.some(tag => tag.includes(token)));
  const matchedContent = tokens.filter(token => inContent.includes(token));
  let points = 2 * matchedContent.length + matchedTags.length;
  if (tokens.length > 0 && holdsRun(inContent, tokens)) points += 2;
  if (tokens.length > 0 && inTags.some(tag => holdsRun(tag, tokens))) points += 1;
  return {
    vector: memoryVector ? Math.max(0, cosine(queryVector, memoryVector)) : 0,
    keyword: tokens.length === 0 ? 0 : points / (3 * tokens.length + 3),
    exact: overlap(words(query), words(memory.content)),
    importance: memory.importance,
    confidence: memory.confidence,
    recency: Math.max(0, 1 - (nowMs - Date.parse(memory.last_accessed)) / DAY_MS / 180),
    tag: tokens.length === 0 ? 0 : matchedTags.length / tokens.length,
    relation: 0,
    relevance: memory.relevance_score ?? 1,
  };
}

export function specifiedScore(components: SpecifiedComponents): number {
  const names = Object.keys(SPECIFIED_WEIGHTS) as (keyof SpecifiedComponents)[];
  return names.reduce((sum, name) => sum + SPECIFIED_WEIGHTS[name] * components[name], 0);
}

function stemsOf(text: string): string[] {
  return words(text).map(stem);
}

/** The distinct stems of the meaningful words of a query, or of all its words if no word is meaningful. */
function tokensOf(query: string): string[] {
  const all = words(query);
  const languages = languagesOf(query);
  const telling = all.filter(word => !isStopWord(word, languages));
  return [...new Set((telling.length > 0 ? telling : all).map(stem))];
}

function holdsRun(sequence: readonly string[], run: readonly string[]): boolean {
  return sequence.some((_, start) => run.every((item, index) => sequence[start + index] === item));
}

/** The number of words in the longest run of query words in the content, divided by the number of query words. */
function overlap(query: readonly string[], content: readonly string[]): number {
  for (let length = query.length; length > 0; length--) {
    for (let start = 0; start + length <= query.length; start++) {
      if (holdsRun(content, query.slice(start, start + length))) return length / query.length;
    }
  }
  return 0;
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (left: Float32Array, right: Float32Array) =>
    left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
