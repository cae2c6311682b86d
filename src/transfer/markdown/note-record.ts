/**
 * Converts memories to notes of the Open Knowledge Format 0.2, and notes to memories. A note is Markdown text after front
 * matter in YAML.
 */
import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { parseDocument, type Scalar, stringify, visit } from 'yaml';
import { type MemoryLine, readTransferLine } from '../../api/transfer-records.js';
import { derivedDigest, derivedUuid } from '../../domain/derived-ids.js';
import { entitiesOf, entityTag, isEntityNames, namesByKind, ownTags } from '../../domain/entity.js';
import { MemoryError } from '../../domain/errors.js';
import { isKept, isPlainObject, type Metadata } from '../../domain/json.js';
import { DEFAULT_IMPORTANCE, readMemoryType, STATED_TYPE_CONFIDENCE, UNCLASSIFIED } from '../../domain/memory.js';
import { normalizeTags } from '../../domain/tags.js';
import { parseIso, toIso } from '../../domain/time.js';
import { readBounded } from '../files.js';

export const OKF_VERSION = '0.2';
const TITLE_MAX_LENGTH = 80;

/** The program that wrote a note, and the time of the export. */
export interface Origin {
  /** Program and version, such as `engraph/1.0.0`. */
  by: string;
  /** ISO 8601. */
  at: string;
}

export function noteOf({ memory, work, embedding: _, relations }: MemoryLine, { by, at }: Origin): Note {
  const { content, id, type, tags, summary, metadata, t_invalid, ...rest } = memory;
  const source = metadata.source;
  const fields = {
    type,
    id,
    title: titleOf(content),
    ...(summary !== undefined && { description: summary }),
    tags,
    status: statusOf(memory, at),
    ...(t_invalid !== undefined && { stale_after: t_invalid }),
    ...(typeof source === 'string' && { sources: [source] }),
    generated: { by, at },
    ...rest,
    content_digest: derivedDigest([content]),
    waits_for_enrichment: work.length > 0,
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(relations.length > 0 && { relations }),
  };
  return { fields, body: content };
}

export function titleOf(content: string): string {
  const [line = ''] = content.trim().split('\n');
  const title = line.replace(/^#+\s*/, '').trim();
  return title.length > TITLE_MAX_LENGTH ? `${title.slice(0, TITLE_MAX_LENGTH).toWellFormed()}…` : title;
}

function statusOf({ archived, t_invalid }: MemoryLine['memory'], at: string): string {
  if (archived) return 'archived';
  return t_invalid !== undefined && t_invalid <= at ? 'superseded' : 'active';
}

export interface NoteOrigin {
  /** Path relative to the folder, with slashes. */
  path: string;
  /** Time of the last change of the file. */
  modifiedMs: number;
}

/**
 * Reads a note that Engraph or a person wrote. Missing fields get default values, which are the same at each import of
 * an unchanged file.
 *
 * @throws MemoryError `invalid` naming the invalid field, or for a note without text
 */
export function recordOfNote({ fields, body }: Note, { path, modifiedMs }: NoteOrigin): MemoryLine {
  if (body.trim() === '') throw new MemoryError('invalid', 'The note has no text');
  const stated = instantIn(fields, 'timestamp') ?? generatedAt(fields);
  const changed = instantIn(fields, 'updated_at');
  const undated = stated === undefined && changed === undefined;
  const timestamp = stated ?? toIso(Math.floor(modifiedMs));
  const type = readMemoryType(String(fields.type ?? ''));
  const isEdited = typeof fields.content_digest === 'string' && fields.content_digest !== derivedDigest([body]);
  const archived = fields.archived === true || fields.status === 'archived';
  const memory = {
    id: typeof fields.id === 'string' && isUuid(fields.id) ? fields.id : derivedUuid(['markdown', path]),
    content: body,
    type: type ?? UNCLASSIFIED.type,
    confidence: fields.confidence ?? (type ? STATED_TYPE_CONFIDENCE : UNCLASSIFIED.confidence),
    tags: fields.id === undefined ? normalizeTags(tagsIn(fields.tags)) : tagsIn(fields.tags),
    importance: fields.importance ?? DEFAULT_IMPORTANCE,
    metadata: metadataOf(fields, type === undefined),
    timestamp,
    updated_at: changed ?? timestamp,
    last_accessed: instantIn(fields, 'last_accessed') ?? timestamp,
    enriched: fields.enriched === true && !isEdited,
    archived,
    ...optionalFields(fields),
  };
  const work = fields.waits_for_enrichment === false && !isEdited ? [] : ['enrich'];
  const relations = Array.isArray(fields.relations) ? fields.relations : [];
  const said = isEdited ? withoutDerived(memory) : memory;
  const read = readTransferLine({ memory: said, work, ...(undated && { undated }), relations, links: [] });
  if ('memory' in read) return read;
  throw new MemoryError('invalid', 'The note is not a memory');
}

/**
 * Removes what enrichment derived from the text of the note before a person edited it: the summary, and the names that
 * the new text does not contain. Enrichment derives both again.
 */
function withoutDerived<
  Read extends { content: string; tags: readonly string[]; metadata: Metadata; summary?: string },
>(memory: Read): Omit<Read, 'summary'> {
  const { summary: _, ...rest } = memory;
  const { entities, ...others } = memory.metadata;
  if (!isEntityNames(entities)) return rest;
  const named = entitiesOf(entities).filter(({ name }) => memory.content.includes(name));
  const tags = [...new Set([...ownTags(memory), ...named.map(entityTag)])];
  return { ...rest, tags, metadata: named.length > 0 ? { ...others, entities: namesByKind(named) } : others };
}

function optionalFields(fields: Note['fields']): object {
  const t_valid = instantIn(fields, 't_valid');
  const t_invalid = instantIn(fields, 'stale_after');
  const archived_at = instantIn(fields, 'archived_at');
  const { description, archived_reason, relevance_score } = fields;
  return {
    ...(t_valid !== undefined && { t_valid }),
    ...(t_invalid !== undefined && { t_invalid }),
    ...(archived_at !== undefined && { archived_at }),
    ...(typeof description === 'string' && { summary: description }),
    ...(typeof archived_reason === 'string' && { archived_reason }),
    ...(typeof relevance_score === 'number' && { relevance_score }),
  };
}

/** If a note has no id, adds its title to its metadata, and also its type if Engraph does not have this type. */
function metadataOf({ metadata, id, title, type }: Note['fields'], isOwnType: boolean): Metadata {
  const given = isPlainObject(metadata) ? (metadata as Metadata) : {};
  if (id !== undefined) return given;
  return {
    ...(typeof title === 'string' && { title }),
    ...(isOwnType && typeof type === 'string' && { okf_type: type }),
    ...given,
  };
}

function tagsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',');
  return Array.isArray(value) ? value.map(String) : [];
}

function generatedAt({ generated }: Note['fields']): string | undefined {
  return isPlainObject(generated) ? instantIn(generated, 'at') : undefined;
}

/** @throws MemoryError `invalid` for a time that cannot be read */
function instantIn(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  const epochMs = typeof value === 'string' ? parseIso(value) : undefined;
  if (epochMs === undefined) throw new MemoryError('invalid', `'${name}' must be an ISO 8601 time`, { field: name });
  return toIso(epochMs);
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** Whether a file with this name is a note. */
export function isNoteName(name: string): boolean {
  return extname(name).toLowerCase() === '.md';
}

const FENCE = '---';
export interface Note {
  /** Empty if the file has no front matter. */
  fields: Record<string, unknown>;
  body: string;
}

export function writeNote({ fields, body }: Note): string {
  return `${FENCE}\n${stringify(fields, { lineWidth: 0 })}${FENCE}\n\n${body}\n`;
}

/** @throws MemoryError `invalid` for front matter that is not closed or is not valid YAML with fields */
export function readNote(text: string): Note {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (!opening) return { fields: {}, body: text.replace(/^\uFEFF/, '').trim() };
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (!closing) throw new MemoryError('invalid', 'The front matter has no closing line ---');
  const front = rest.slice(0, closing.index);
  const body = rest.slice(closing.index + closing[0].length).replace(/^\r?\n/, '');
  return { fields: readYaml(front), body: body.replace(/\r?\n$/, '') };
}

/** Maximum size of a note, whose front matter may contain metadata of 64 KiB and many relations. */
const NOTE_MAX_BYTES = 4 * 1_048_576;

export interface NoteFile extends Note {
  modifiedMs: number;
}

/** @throws MemoryError as `readNote`, and `too_large`, or `invalid` for a file that is not text */
export async function readNoteFile(path: string): Promise<NoteFile> {
  const { bytes, modifiedMs } = await readBounded(path, NOTE_MAX_BYTES);
  if (!isUtf8(bytes)) throw new MemoryError('invalid', 'is not text in UTF-8');
  return { ...readNote(bytes.toString('utf8')), modifiedMs };
}

/** Refuses YAML aliases, because a few lines with aliases can expand to any number of values. */
function readYaml(text: string): Record<string, unknown> {
  const document = parseDocument(text, { schema: 'core', merge: false, stringKeys: true });
  const [problem] = document.errors;
  if (problem) throw new MemoryError('invalid', `The front matter is not valid YAML: ${firstLine(problem.message)}`);
  visit(document, { Scalar: (_key, scalar) => quoteChanged(scalar) });
  const fields: unknown = plain(document);
  if (fields === null) return {};
  if (!isPlainObject(fields)) throw new MemoryError('invalid', 'The front matter must consist of fields and values');
  return fields;
}

/** Turns a number that JavaScript changes into a text. */
function quoteChanged(scalar: Scalar): void {
  const { value, source } = scalar;
  if (typeof value === 'number' && source !== undefined && DECIMAL.test(source) && !isKept(source))
    scalar.value = source;
}

const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

function plain(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    throw new MemoryError('invalid', 'The front matter must not contain YAML aliases', { cause });
  }
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? message).replace(/:$/, '');
}
