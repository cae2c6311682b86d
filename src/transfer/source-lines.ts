/**
 * Converts the records of a source to memories. The ids are derived from the source, so that a repeated import stores
 * each memory once.
 */

import { readNewMemory } from '../api/memory-requests.js';
import type { MemoryLine } from '../api/transfer-records.js';
import { derivedDigest, derivedUuid } from '../domain/derived-ids.js';
import { MemoryError, messageOf } from '../domain/errors.js';
import type { InputLimits } from '../domain/input.js';
import { createMemory, readMemoryType } from '../domain/memory.js';
import { tagLevels } from '../domain/tags.js';
import { toIso } from '../domain/time.js';
import type { SourceLine } from './import-records.js';
import type { Source, SourceName, SourceRecord } from './sources/source.js';

const DEFAULT_STRENGTH = 0.5;
/** A longer key, or one with line breaks, contains text, and metadata name only its digest. */
const KEY_MAX_LENGTH = 200;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Yields a memory for each record, or the reason why the record is left out. */
export async function* linesOfSource(source: Source, limits: InputLimits): AsyncGenerator<SourceLine> {
  for await (const found of source.read()) {
    if ('problem' in found) {
      yield found;
      continue;
    }
    const { kind, key, place = key } = found;
    try {
      yield { kind, place, record: lineOf(source, found, limits) };
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      yield { kind, place, problem: messageOf(error) };
    }
  }
}

/** Keeps the UUIDs of memories from AutoMem, so that references of other programs to these memories stay valid. */
function idOf(source: SourceName, key: string): string {
  return source === 'automem' && UUID.test(key) ? key : derivedUuid(['import', source, key]);
}

function originId(key: string): string {
  return key.length <= KEY_MAX_LENGTH && !key.includes('\n') ? key : derivedDigest([key]);
}

function lineOf({ name, modifiedMs }: Source, found: SourceRecord, limits: InputLimits): MemoryLine {
  const { key, content, tags = [], importance, confidence } = found;
  const type = readMemoryType(found.type ?? '');
  const timestamp = found.timestamp ?? toIso(Math.floor(modifiedMs));
  const fitting = tags.filter(tag => fits(tag, limits)).slice(0, limits.tags.maxCount);
  const further = tags.filter(tag => !fitting.includes(tag));
  const { origin, ...metadata } = found.metadata ?? {};
  const given = readNewMemory(
    {
      content,
      ...(type && { type }),
      ...(type && confidence !== undefined && { confidence }),
      tags: fitting,
      importance,
      timestamp,
      updated_at: found.updatedAt ?? timestamp,
      t_valid: found.validFrom,
      t_invalid: found.validUntil,
      metadata: {
        ...metadata,
        ...(origin !== undefined && { original_origin: origin }),
        ...(found.type !== undefined && !type && { original_type: found.type }),
        ...(further.length > 0 && { further_tags: further }),
        origin: { source: name, id: originId(key) },
      },
    },
    limits,
  );
  const { tag_prefixes: _, ...memory } = createMemory(given, idOf(name, key), modifiedMs);
  const archived = found.isArchived === true;
  const relations = (found.relations ?? []).map(({ to, type: edgeType, strength = DEFAULT_STRENGTH }) => ({
    to: idOf(name, to),
    type: edgeType,
    strength,
    properties: {},
    updated_at: memory.updated_at,
  }));
  return {
    memory: { ...memory, tags: [...memory.tags], metadata: given.metadata, archived },
    work: ['enrich'],
    relations: uniqueEdges(relations, memory.id),
    links: [],
  };
}

function fits(tag: string, { tags }: InputLimits): boolean {
  return tag.length <= tags.maxLength && !tag.includes('\0') && tagLevels(tag) <= tags.maxLevels;
}

function uniqueEdges(relations: MemoryLine['relations'], from: string): MemoryLine['relations'] {
  const byKey = new Map(relations.filter(({ to }) => to !== from).map(edge => [`${edge.type} ${edge.to}`, edge]));
  return [...byKey.values()];
}
