/**
 * Reads memories in the simple form that other programs can write: a list, or one object in each line, with the fields
 * `content`, `tags`, `timestamp`, `type`, `importance` and `metadata`. Other fields are kept in the metadata.
 */
import { createHash } from 'node:crypto';
import { readNumber } from '../../domain/input.js';
import { isPlainObject, type Metadata } from '../../domain/json.js';
import { jsonRecords } from './json-records.js';
import { type Fields, type Found, instantIn, keyOf, listOf, metadataOf, objectOf, textIn } from './source.js';

const KIND = 'memories';
const LISTS = ['memories', 'results', 'items'];
const FIELDS = new Set([
  'id',
  'content',
  'tags',
  'timestamp',
  'created_at',
  'updated_at',
  'type',
  'importance',
  'confidence',
  't_valid',
  't_invalid',
  'metadata',
]);
const TIMES = ['timestamp', 'created_at', 'updated_at', 't_valid', 't_invalid'];
const SHARES = ['importance', 'confidence'];

export async function* generic(path: string): AsyncGenerator<Found> {
  for await (const record of jsonRecords(path, LISTS)) {
    const { place } = record;
    const problem = 'problem' in record ? record.problem : problemOf(record.fields);
    if (problem !== undefined) yield { kind: KIND, place, problem };
    else if ('fields' in record) yield foundIn(record.fields, place);
  }
}

/** An optional field that is empty counts as not given. A list or an object may be JSON text. */
function problemOf(fields: Fields): string | undefined {
  if (typeof fields.content !== 'string') return "has no text in 'content'";
  if (fields.content.trim() === '') return "has an empty 'content'";
  if (tagsOf(fields.tags) === undefined) return "has 'tags' that are neither a list of texts nor a text";
  if (metadataIn(fields) === undefined) return "has 'metadata' that are not an object";
  for (const name of TIMES) {
    if (!isEmpty(fields[name]) && instantIn(fields, name) === undefined) {
      return `has a '${name}' that is not a time, such as 2026-01-31T12:00:00Z`;
    }
  }
  for (const name of SHARES) {
    if (!isEmpty(fields[name]) && shareOf(fields[name]) === undefined) {
      return `has '${name}' that is not a number from 0 to 1`;
    }
  }
  return isEmpty(fields.type) || typeof fields.type === 'string' ? undefined : "has a 'type' that is not a text";
}

function foundIn(fields: Fields, place: string): Found {
  const content = fields.content as string;
  const timestamp = instantIn(fields, 'timestamp', 'created_at');
  const others = Object.entries(fields).filter(([name]) => !FIELDS.has(name));
  const id = typeof fields.id === 'number' ? String(fields.id) : textIn(fields, 'id');
  return {
    kind: KIND,
    key:
      id === undefined
        ? createHash('sha256').update(`${timestamp}\n${content.trim()}`).digest('hex')
        : keyOf(id, content),
    place,
    content,
    timestamp,
    updatedAt: instantIn(fields, 'updated_at') ?? timestamp,
    validFrom: instantIn(fields, 't_valid'),
    validUntil: instantIn(fields, 't_invalid'),
    tags: tagsOf(fields.tags) ?? [],
    type: textIn(fields, 'type'),
    importance: shareOf(fields.importance),
    confidence: shareOf(fields.confidence),
    metadata: { ...metadataOf(Object.fromEntries(others)), ...metadataIn(fields) },
  };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function tagsOf(value: unknown): string[] | undefined {
  if (isEmpty(value)) return [];
  const list = typeof value === 'string' ? (listOf(value) ?? value.split(',')) : value;
  return Array.isArray(list) && list.every(tag => typeof tag === 'string') ? list : undefined;
}

function metadataIn({ metadata }: Fields): Metadata | undefined {
  if (isEmpty(metadata)) return {};
  const value = typeof metadata === 'string' ? objectOf(metadata) : metadata;
  return isPlainObject(value) ? (value as Metadata) : undefined;
}

function shareOf(value: unknown): number | undefined {
  const number = readNumber(value);
  return number !== undefined && number >= 0 && number <= 1 ? number : undefined;
}
