/**
 * Keeps the version of a memory before each edit, and computes the change that takes edits back. The functions are
 * pure.
 */
import { ownTags } from './entity.js';
import { MemoryError } from './errors.js';
import type { Json } from './json.js';
import type { Memory, MemoryPatch } from './memory.js';

/** Maximum number of versions of a memory. */
const VERSIONS_MAX = 10;
/**
 * Maximum total length of the versions of a memory as JSON, in UTF-8 bytes. The newest version is kept even if it is
 * longer.
 */
const VERSIONS_MAX_BYTES = 262_144;

/**
 * The fields that are compared with `!==` to find what an edit changed. Tags and metadata are compared in another way,
 * because enrichment also writes them.
 */
const PLAIN_FIELDS = [
  'content',
  'type',
  'confidence',
  'importance',
  'timestamp',
  't_valid',
  't_invalid',
  'archived',
] as const;
const METADATA_PREFIX = 'metadata.';

/** The state of a memory before an edit. `tags` leaves out the tags that enrichment derived. */
export type VersionFields = Pick<Memory, (typeof PLAIN_FIELDS)[number] | 'tags' | 'metadata'>;

export interface MemoryVersion {
  /** Counts the edits of the memory, from 1. A number is never used again. */
  number: number;
  /** The instant of the edit, in ISO 8601. */
  replacedAt: string;
  /** The fields that the edit changed. `metadata.<key>` stands for a key of the metadata. */
  changed: readonly string[];
  fields: VersionFields;
}

export interface MemoryHistory {
  /** Number of the last version, which may have been removed since; 0 before the first edit. */
  lastNumber: number;
  /** The versions, newest first. */
  versions: readonly MemoryVersion[];
}

export const NO_HISTORY: MemoryHistory = { lastNumber: 0, versions: [] };

export interface EditOfMemory {
  before: Memory;
  after: Memory;
  patch: MemoryPatch;
  /** In ISO 8601. */
  at: string;
}

/**
 * Adds the state before an edit as a version. Returns undefined when the edit changed none of the fields that a version
 * contains.
 */
export function historyAfter(history: MemoryHistory, edit: EditOfMemory): MemoryHistory | undefined {
  const changed = changedFields(edit);
  if (changed.length === 0) return undefined;
  const number = history.lastNumber + 1;
  const version: MemoryVersion = { number, replacedAt: edit.at, changed, fields: versionFields(edit.before) };
  return { lastNumber: number, versions: bounded([version, ...history.versions]) };
}

/**
 * Of the metadata, only the keys in the patch are compared, because enrichment also writes metadata. When a version is
 * restored, enrichment derives the entities from its content again.
 */
function changedFields({ before, after, patch }: EditOfMemory): string[] {
  const plain = PLAIN_FIELDS.filter(name => before[name] !== after[name]);
  const areTagsChanged = patch.tags !== undefined && !isSame([...ownTags(before)].sort(), [...ownTags(after)].sort());
  const keys = Object.keys(patch.metadata ?? {}).filter(
    key => !isSame(valueIn(before.metadata, key), valueIn(after.metadata, key)),
  );
  return [...plain, ...(areTagsChanged ? ['tags'] : []), ...keys.map(key => `${METADATA_PREFIX}${key}`)];
}

/** Ignores the properties that every object inherits, such as `constructor`. */
function valueIn(metadata: Memory['metadata'], key: string): Json | undefined {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The fields of a memory that callers can change, and that a version of it contains. */
export function versionFields(memory: Memory): VersionFields {
  const { content, type, confidence, importance, metadata, timestamp, t_valid, t_invalid, archived } = memory;
  return {
    content,
    type,
    confidence,
    tags: ownTags(memory),
    importance,
    metadata,
    timestamp,
    ...(t_valid !== undefined && { t_valid }),
    ...(t_invalid !== undefined && { t_invalid }),
    archived,
  };
}

function bounded(versions: readonly MemoryVersion[]): MemoryVersion[] {
  let bytes = 0;
  const fits = (version: MemoryVersion, index: number) => {
    bytes += Buffer.byteLength(JSON.stringify(version));
    return index === 0 || bytes <= VERSIONS_MAX_BYTES;
  };
  return versions.slice(0, VERSIONS_MAX).filter(fits);
}

/**
 * Returns the change that restores a version. The change takes back the edit that replaced the version, and all later
 * edits. Fields that none of these edits changed are left out, so that they keep the values that consolidation gave
 * them. If the content is restored, its type and confidence are restored too.
 *
 * @param id of the memory, for the error
 * @throws MemoryError `not_found` when the history does not have the version
 */
export function changeBackTo({ versions }: MemoryHistory, number: number, id: string): MemoryPatch {
  const version = versions.find(each => each.number === number);
  if (!version) throw versionNotFound(versions, number, id);
  const undone = new Set(versions.filter(each => each.number >= number).flatMap(({ changed }) => changed));
  if (undone.has('content')) for (const name of ['type', 'confidence']) undone.add(name);
  const { fields } = version;
  const plain = PLAIN_FIELDS.filter(name => undone.has(name)).map(name => [name, fields[name] ?? null]);
  const keys = [...undone]
    .filter(name => name.startsWith(METADATA_PREFIX))
    .map(name => name.slice(METADATA_PREFIX.length));
  return {
    ...(Object.fromEntries(plain) as MemoryPatch),
    ...(undone.has('tags') && { tags: [...fields.tags] }),
    ...(keys.length > 0 && {
      metadata: Object.fromEntries(keys.map(key => [key, valueIn(fields.metadata, key) ?? null])),
    }),
  };
}

function versionNotFound(versions: readonly MemoryVersion[], number: number, id: string): MemoryError {
  const kept = versions.map(version => version.number);
  return new MemoryError('not_found', `Memory ${id} has no version ${number}`, {
    field: 'version',
    hint: kept.length === 0 ? 'No edit of this memory can be taken back.' : `Its versions are ${kept.join(', ')}.`,
  });
}
