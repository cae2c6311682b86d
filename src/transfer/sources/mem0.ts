/**
 * Reads what mem0 returns or exports: a list of memories, an object with the list `results` or `memories`, or one memory
 * in each line. Relations of its graph become memories of their own.
 */
import { stat } from 'node:fs/promises';
import { jsonRecords } from './json-records.js';
import type { Found, Source } from './source.js';
import { type Fields, instantIn, metadataOf, objectIn, tagsIn, textIn } from './values.js';

const LISTS = ['results', 'memories', 'relations'];
/** Fields that become fields of the memory, or that describe the answer to a search and not the memory. */
const FIELDS = new Set(['id', 'memory', 'data', 'created_at', 'updated_at', 'categories', 'metadata', 'score']);

export async function mem0(path: string): Promise<Source> {
  const { mtimeMs } = await stat(path);
  return { name: 'mem0', modifiedMs: mtimeMs, read: () => read(path) };
}

async function* read(path: string): AsyncGenerator<Found> {
  for await (const record of jsonRecords(path, LISTS)) {
    const { place, list } = record;
    if ('problem' in record) yield { kind: list === 'relations' ? list : 'memories', place, problem: record.problem };
    else if (list === 'relations') yield relationOf(record.fields, place);
    else yield memoryOf(record.fields, place);
  }
}

function memoryOf(fields: Fields, place: string): Found {
  const kind = 'memories';
  const content = textIn(fields, 'memory', 'data', 'content', 'text');
  if (content === undefined) return { kind, place, problem: "has no text in 'memory'" };
  const others = Object.entries(fields).filter(([name]) => !FIELDS.has(name));
  return {
    kind,
    key: textIn(fields, 'id') ?? content,
    place,
    content,
    timestamp: instantIn(fields, 'created_at', 'createdAt'),
    updatedAt: instantIn(fields, 'updated_at', 'updatedAt', 'created_at'),
    validUntil: instantIn(fields, 'expiration_date'),
    tags: tagsIn(fields, 'categories'),
    metadata: { ...metadataOf(Object.fromEntries(others)), ...metadataOf(objectIn(fields, 'metadata')) },
  };
}

function relationOf(fields: Fields, place: string): Found {
  const kind = 'relations';
  const source = textIn(fields, 'source');
  const type = textIn(fields, 'relationship', 'relation');
  const target = textIn(fields, 'target', 'destination');
  if (source === undefined || type === undefined || target === undefined) {
    return { kind, place, problem: 'is a relation without its ends or its type' };
  }
  const content = `${source} ${type.replaceAll('_', ' ')} ${target}.`;
  return { kind, key: `relation\n${content}`, place, content, metadata: { source, relationship: type, target } };
}
