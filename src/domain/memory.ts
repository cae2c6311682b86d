/** The memory record: its shape in answers and in stores, and how a record is created and changed. */
import { withMadeTags } from './entity.js';
import { invalidField } from './errors.js';
import { nulProblem } from './input.js';
import type { Metadata } from './json.js';
import { tagPrefixes } from './tags.js';
import { parseIso, toIso } from './time.js';

/** A stored memory. It must not be modified, because other code may share the object. Instants are ISO 8601 in UTC. */
export interface Memory {
  readonly id: string;
  readonly content: string;
  readonly type: MemoryType;
  /** Confidence of the type, 0..1. */
  readonly confidence: number;
  readonly tags: readonly string[];
  readonly tag_prefixes: readonly string[];
  /** 0..1 */
  readonly importance: number;
  readonly metadata: Readonly<Metadata>;
  readonly timestamp: string;
  readonly updated_at: string;
  readonly last_accessed: string;
  readonly t_valid?: string;
  readonly t_invalid?: string;
  readonly summary?: string;
  readonly enriched: boolean;
  readonly archived: boolean;
  /** When the memory was archived. The reason is set only if consolidation archived the memory. */
  readonly archived_at?: string;
  readonly archived_reason?: string;
  /** Relevance after decay, 0..1. Undefined until decay has run. */
  readonly relevance_score?: number;
  /** Model that made the vector. Undefined when the memory has no vector. */
  readonly embedded_by?: string;
  /** The suggestion that a newer memory may replace this one (derived-ids.ts). It is not part of answers. */
  readonly maybe_outdated_by?: string;
}

/** A memory under construction. */
export type MemoryDraft = { -readonly [Name in keyof Memory]: Memory[Name] };

/**
 * Number of characters of a content that enrichment and classification read. The beginning of a text shows its topic, and
 * reading a long text as a whole would block the thread that answers requests.
 */
export const READ_LENGTH = 5_000;
/** Model name of a vector supplied by the caller. */
export const SUPPLIED_EMBEDDING = 'supplied';

export const DEFAULT_IMPORTANCE = 0.5;

/**
 * A validated and normalised memory from a caller, without the fields that the service adds. Its times are in ISO 8601.
 * Until the engine has parsed them, they may also be in words.
 */
export interface NewMemory {
  id?: string;
  content: string;
  type?: MemoryType;
  confidence?: number;
  /** By default, a memory has no tags. */
  tags?: string[];
  /** The default is `DEFAULT_IMPORTANCE`. */
  importance?: number;
  metadata: Metadata;
  embedding?: number[];
  timestamp?: string;
  updated_at?: string;
  last_accessed?: string;
  t_valid?: string;
  t_invalid?: string;
}

/**
 * A change from a caller. Its times have the same form as in a new memory. In `metadata`, null removes a key. In
 * `t_valid` and `t_invalid`, null removes the bound.
 */
export interface MemoryPatch {
  content?: string;
  type?: MemoryType;
  confidence?: number;
  tags?: string[];
  importance?: number;
  metadata?: Metadata;
  timestamp?: string;
  updated_at?: string;
  last_accessed?: string;
  t_valid?: string | null;
  t_invalid?: string | null;
  archived?: boolean;
}

/** Creates the record of a new memory. Pure: the caller supplies the id and the instant. */
export function createMemory(input: NewMemory, id: string, nowMs: number): Memory {
  const timestamp = input.timestamp ?? toIso(nowMs);
  const updatedAt = input.updated_at ?? timestamp;
  const type = input.type ?? UNCLASSIFIED.type;
  const { tags = [], importance = DEFAULT_IMPORTANCE } = input;
  return {
    id,
    content: input.content,
    type,
    confidence: input.confidence ?? (input.type ? STATED_TYPE_CONFIDENCE : UNCLASSIFIED.confidence),
    tags,
    tag_prefixes: tagPrefixes(tags),
    importance,
    metadata: input.metadata,
    timestamp,
    updated_at: updatedAt,
    // Recency counts from the event, because an import may store the memory long after the event.
    last_accessed: input.last_accessed ?? timestamp,
    ...(input.t_valid !== undefined && { t_valid: input.t_valid }),
    ...(input.t_invalid !== undefined && { t_invalid: input.t_invalid }),
    enriched: false,
    archived: false,
  };
}

/**
 * Returns a changed copy of a record. `updated_at` becomes the given instant unless the change sets it.
 *
 * @throws MemoryError `invalid` when the resulting validity ends before it begins
 */
export function applyPatch(memory: Memory, patch: MemoryPatch, nowMs: number): Memory {
  const { metadata, t_valid, t_invalid, ...plain } = patch;
  const changed: MemoryDraft = { ...memory, ...plain, updated_at: patch.updated_at ?? toIso(nowMs) };
  if (patch.tags) {
    changed.tags = withMadeTags(patch.tags, memory);
    changed.tag_prefixes = tagPrefixes(changed.tags);
  }
  if (metadata) changed.metadata = mergeMetadata(memory.metadata, metadata);
  if (patch.archived !== undefined) noteArchiving(changed, memory, nowMs);
  setBound(changed, 't_valid', t_valid);
  setBound(changed, 't_invalid', t_invalid);
  assertValidityBounds(changed);
  if (changed.content !== memory.content) {
    // These were derived from the former content.
    delete changed.summary;
    delete changed.embedded_by;
    delete changed.maybe_outdated_by;
  }
  return changed;
}

/**
 * SQLite ends a text at a NUL character, so the rest of the text would be lost.
 *
 * @throws MemoryError `invalid` when the content or a tag contains a NUL character
 */
export function assertStorable({ content = '', tags = [] }: Pick<MemoryPatch, 'content' | 'tags'>): void {
  for (const [field, texts] of [
    ['content', [content]],
    ['tags', tags],
  ] as const) {
    const problem = texts.map(nulProblem).find(Boolean);
    if (problem !== undefined) throw invalidField(field, problem);
  }
}

/** @throws MemoryError `invalid` when the end is before the beginning; times in words are not checked */
export function assertValidityBounds({ t_valid, t_invalid }: Pick<NewMemory, 't_valid' | 't_invalid'>): void {
  const [fromMs = -Infinity, toMs = Infinity] = [t_valid, t_invalid].map(time => parseIso(time ?? ''));
  if (toMs < fromMs) throw invalidField('t_invalid', 'must not be before t_valid');
}

/** A memory that is already archived keeps its archival time and reason. */
function noteArchiving(changed: MemoryDraft, before: Memory, nowMs: number): void {
  if (!changed.archived || !before.archived) {
    delete changed.archived_at;
    delete changed.archived_reason;
  }
  if (changed.archived) changed.archived_at ??= toIso(nowMs);
}

function mergeMetadata(current: Metadata, change: Metadata): Metadata {
  return Object.fromEntries(Object.entries({ ...current, ...change }).filter(([key]) => change[key] !== null));
}

function setBound(memory: MemoryDraft, bound: 't_valid' | 't_invalid', value: string | null | undefined): void {
  if (value === null) delete memory[bound];
  else if (value !== undefined) memory[bound] = value;
}

export const MEMORY_TYPES = ['Decision', 'Pattern', 'Preference', 'Style', 'Habit', 'Insight', 'Context'] as const;

export type MemoryType = (typeof MEMORY_TYPES)[number];

/** Types of memories that say how a person wants things to be done. */
export const PREFERENCE_TYPES = ['Preference', 'Style', 'Habit'] as const satisfies readonly MemoryType[];

/** Type and confidence of a memory that could not be classified. */
export const UNCLASSIFIED = { type: 'Context', confidence: 0.3 } as const;

/** Confidence of a memory if the caller gave its type but no confidence. */
export const STATED_TYPE_CONFIDENCE = 0.9;

const TYPE_BY_LOWER_CASE = new Map<string, MemoryType>(MEMORY_TYPES.map(type => [type.toLowerCase(), type]));

/** Parses a type, in upper or lower case. Undefined when the text is not one of the seven types. */
export function readMemoryType(value: string): MemoryType | undefined {
  return TYPE_BY_LOWER_CASE.get(value.trim().toLowerCase());
}
