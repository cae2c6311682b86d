/** Between domain records and the properties of their two nodes. */
import { createHash } from 'node:crypto';
import type { Metadata } from '../../domain/json.js';
import type { Memory } from '../../domain/memory.js';
import { readMemoryType, UNCLASSIFIED } from '../../domain/memory-type.js';
import { tagPrefixes } from '../../domain/tags.js';
import { toIso } from '../../domain/time.js';
import type { NewRecord } from '../ports/memory-store.js';
import { decodeText, encodeText, encodeVector, exactId, keyOf, NONE } from './encoding.js';
import { comparable } from './parameters.js';
import { tagTokens, wordsOf } from './tokens.js';
import { newWork } from './work-fields.js';

export type Properties = Record<string, string | number | boolean | string[]>;

/** Before and after every instant that can be stored. */
const EVER = { fromMs: -1e15, untilMs: 1e15 };

/** What is read of a `Memory` to make its record, in this order. */
const RECORD_FIELDS = [
  'id',
  'exact_id',
  'content',
  'type',
  'numbers',
  'tags',
  'metadata',
  'timestamp_ms',
  'updated_ms',
  'accessed_ms',
  'valid_from_ms',
  'valid_to_ms',
  'summary',
  'enriched',
  'archived',
  'embedded_by',
] as const;

/** A record as one column: lists come back smaller than nodes, and without their other properties. */
export type RecordRow = [
  id: string,
  exactId: string,
  content: string,
  type: string,
  numbers: string,
  tags: string,
  metadata: string,
  timestampMs: number,
  updatedMs: number,
  accessedMs: number,
  validFromMs: number,
  validToMs: number,
  summary: string,
  enriched: boolean,
  archived: boolean,
  embeddedBy: string,
];

/** The column that `memoryOf` reads. */
export function recordOf(alias: string): string {
  return `[${RECORD_FIELDS.map(field => `${alias}.${field}`).join(', ')}]`;
}

export function memoryOf(row: RecordRow): Memory {
  const [id, exact, content, type, numbers, tagsText, metadata, timestampMs, updatedMs, accessedMs, ...rest] = row;
  const [validFromMs, validToMs, summary, enriched, archived, embeddedBy] = rest;
  const [confidence, importance, relevance] = JSON.parse(numbers) as [number, number, number | null];
  const tags = JSON.parse(tagsText) as string[];
  return {
    id: decodeText(exact === NONE ? id : exact),
    content: decodeText(content),
    type: readMemoryType(type) ?? UNCLASSIFIED.type,
    confidence,
    tags,
    tag_prefixes: tagPrefixes(tags),
    importance,
    metadata: JSON.parse(metadata) as Metadata,
    timestamp: toIso(timestampMs),
    updated_at: toIso(updatedMs),
    last_accessed: toIso(accessedMs),
    ...(validFromMs !== EVER.fromMs && { t_valid: toIso(validFromMs) }),
    ...(validToMs !== EVER.untilMs && { t_invalid: toIso(validToMs) }),
    ...(summary !== NONE && { summary: decodeText(summary) }),
    enriched,
    archived,
    ...(relevance !== null && { relevance_score: relevance }),
    ...(embeddedBy !== NONE && { embedded_by: decodeText(embeddedBy) }),
  };
}

/** Text in numbers and lists stays JSON: the server would turn 1.0 into 1 and refuse the smallest numbers. */
export function recordProperties(memory: Memory): Properties {
  return {
    content: encodeText(memory.content),
    type: memory.type,
    numbers: JSON.stringify([memory.confidence, memory.importance, memory.relevance_score ?? null]),
    tags: JSON.stringify(memory.tags),
    metadata: JSON.stringify(memory.metadata),
    timestamp_ms: Date.parse(memory.timestamp),
    updated_ms: Date.parse(memory.updated_at),
    accessed_ms: Date.parse(memory.last_accessed),
    valid_from_ms: memory.t_valid === undefined ? EVER.fromMs : Date.parse(memory.t_valid),
    valid_to_ms: memory.t_invalid === undefined ? EVER.untilMs : Date.parse(memory.t_invalid),
    summary: memory.summary === undefined ? NONE : encodeText(memory.summary),
    enriched: memory.enriched,
    archived: memory.archived,
    ...modelProperties(memory.embedded_by),
  };
}

/** In `model` for memories without a vector, so that an index finds them. */
export const NO_MODEL = 0;

/** The model as it is, and the number by which it is looked up. */
export function modelProperties(model: string | undefined) {
  return { embedded_by: model === undefined ? NONE : encodeText(model), model: modelNumber(model) };
}

/** A digest: numbers have ranges that the index can be asked for, as text has not. */
export function modelNumber(model: string | undefined): number {
  if (model === undefined) return NO_MODEL;
  return createHash('sha1').update(Buffer.from(model, 'utf16le')).digest().readUIntBE(0, 6) + 1;
}

/** What a memory is found by. It holds from `holds_from_ms` to before `holds_until_ms`: never, when it is archived. */
export function indexProperties(memory: Memory): Properties {
  const { t_valid, t_invalid, archived } = memory;
  return {
    words: wordsOf(memory),
    tag_tokens: tagTokens(memory),
    importance: comparable(memory.importance),
    timestamp_ms: Date.parse(memory.timestamp),
    updated_ms: Date.parse(memory.updated_at),
    holds_from_ms: t_valid === undefined ? EVER.fromMs : Date.parse(t_valid),
    holds_until_ms: archived ? EVER.fromMs : t_invalid === undefined ? EVER.untilMs : Date.parse(t_invalid),
  };
}

/** Both nodes of a new memory. */
export function newNodes({ memory, embedding, work }: NewRecord): { memory: Properties; index: Properties } {
  const identity = { id: keyOf(memory.id), exact_id: exactId(memory.id) };
  return {
    memory: {
      ...identity,
      id_rank: idRank(memory.id),
      ...recordProperties(memory),
      supplied: embedding ? encodeVector(embedding) : NONE,
      revision: 1,
      ...newWork(work),
    },
    index: { ...identity, ...indexProperties(memory) },
  };
}

const RANKED_CHARACTERS = '0123456789abcdef';
const RANKED_LENGTH = 9;
const RANK_BASE = 19;
export const RANK_END = RANK_BASE ** RANKED_LENGTH;

/**
 * The beginning of an id as a number of the same order: the server cannot be trusted with ranges of text. Hexadecimal
 * digits, of which most ids are, are told apart; from the first other character on, ids are alike.
 */
export function idRank(id: string): number {
  let rank = 0;
  let isRanked = true;
  for (let position = 0; position < RANKED_LENGTH; position++) {
    const character = keyOf(id)[position] ?? '';
    rank = rank * RANK_BASE + (isRanked ? rankOf(character) : 0);
    isRanked &&= RANKED_CHARACTERS.includes(character) && character !== '';
  }
  return rank;
}

/** 0 before the digits, then the digits, 11 between them and the letters, the letters, and 18 behind. */
function rankOf(character: string): number {
  if (character < '0') return 0;
  if (character <= '9') return 1 + Number(character);
  if (character < 'a') return 11;
  return character <= 'f' ? 2 + Number.parseInt(character, 16) : 18;
}
