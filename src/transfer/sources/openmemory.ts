/** Reads the exports of OpenMemory and mem0. */
import { basename } from 'node:path';
import { isPlainObject } from '../../domain/json.js';
import { collect, gunzip } from '../files.js';
import { jsonRecords } from './json-records.js';
import {
  type Fields,
  type Found,
  instantIn,
  keyOf,
  listIn,
  metadataOf,
  objectIn,
  objectsIn,
  parseJson,
  tagsIn,
  textIn,
  wrongShape,
} from './source.js';
import { openZip } from './zip-entries.js';

const KIND = 'memories';

/** Reads a zip file with `memories.json`, or with only `memories.jsonl.gz`. */
export async function* openmemory(path: string): AsyncGenerator<Found> {
  const zip = await openZip(path);
  try {
    const entry = (name: string) => zip.names.find(candidate => basename(candidate) === name);
    const [whole, lines] = [entry('memories.json'), entry('memories.jsonl.gz')];
    if (whole !== undefined) {
      const document = parseJson((await collect(zip.read(whole), whole)).toString('utf8'), whole);
      if (!isPlainObject(document) || !Array.isArray(document.memories))
        throw wrongShape(whole, 'an object with the list "memories"');
      yield* fromDocument(document);
    } else if (lines !== undefined) {
      const text = (await gunzip(await collect(zip.read(lines), lines), lines)).toString('utf8');
      for (const [index, line] of text.split('\n').entries()) {
        if (line.trim() === '') continue;
        const item = parseJson(line, `${lines}, line ${index + 1}`);
        if (isPlainObject(item)) yield foundIn(item, { apps: new Map(), categories: new Map() });
        else yield { kind: KIND, place: `line ${index + 1}`, problem: 'is not an object' };
      }
    } else throw wrongShape(path, 'a zip file with memories.json or memories.jsonl.gz');
  } finally {
    zip.close();
  }
}

interface NamesById {
  apps: Map<string, string>;
  categories: Map<string, string>;
}

function* fromDocument(document: Fields): Generator<Found> {
  const names = { apps: namesOf(document, 'apps'), categories: namesOf(document, 'categories') };
  for (const [index, item] of listIn(document, 'memories').entries()) {
    if (isPlainObject(item)) yield foundIn(item, names);
    else yield { kind: KIND, place: `memory ${index}`, problem: 'is not an object' };
  }
}

function namesOf(document: Fields, list: string): Map<string, string> {
  return new Map(
    objectsIn(document, list).flatMap((item): [string, string][] => {
      const id = textIn(item, 'id');
      const name = textIn(item, 'name');
      return id === undefined || name === undefined ? [] : [[id, name]];
    }),
  );
}

function foundIn(item: Fields, { apps, categories }: NamesById): Found {
  const key = textIn(item, 'id');
  const content = textIn(item, 'content');
  if (key === undefined || content === undefined)
    return { kind: KIND, place: key ?? 'a memory', problem: 'has no id or no content' };
  if (item.state === 'deleted' || (item.deleted_at !== undefined && item.deleted_at !== null)) {
    return { kind: KIND, place: key, problem: 'was deleted', severity: 'expected' };
  }
  const named = listIn(item, 'category_ids').flatMap(id => categories.get(String(id)) ?? []);
  const app = textIn(item, 'app') ?? apps.get(String(item.app_id));
  return {
    kind: KIND,
    key,
    content,
    timestamp: instantIn(item, 'created_at'),
    updatedAt: instantIn(item, 'updated_at'),
    tags: [...new Set([...tagsIn(item, 'categories'), ...named])],
    metadata: { ...metadataOf(objectIn(item, 'metadata')), ...(app !== undefined && { app }) },
    isArchived: item.state === 'archived',
  };
}

const LISTS = ['results', 'memories', 'relations'];
/** Fields that become fields of the memory, or that describe the answer to a search and not the memory. */
const FIELDS = new Set([
  ...['id', 'memory', 'data', 'content', 'text', 'categories', 'metadata', 'score'],
  ...['created_at', 'createdAt', 'updated_at', 'updatedAt', 'expiration_date'],
]);

/**
 * Reads what mem0 returns or exports: a list of memories, an object with the list `results` or `memories`, or one memory
 * in each line. Relations of its graph become memories of their own.
 */
export async function* mem0(path: string): AsyncGenerator<Found> {
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
  const id = typeof fields.id === 'number' ? String(fields.id) : textIn(fields, 'id');
  const others = Object.entries(fields).filter(([name]) => !FIELDS.has(name));
  return {
    kind,
    key: keyOf(id ?? content, content),
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
