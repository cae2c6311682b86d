/**
 * Reads a backup of AutoMem, also of a running service: a tar file with the nodes and edges of a graph. Ignores the
 * vectors.
 */
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Parser, type ReadEntry } from 'tar';
import { MemoryError, messageOf } from '../../domain/errors.js';
import { isPlainObject, type Metadata } from '../../domain/json.js';
import { AUTHORABLE_RELATION_TYPES, RELATION_TYPES, type RelationType } from '../../domain/relation.js';
import { collect, gunzip } from '../files.js';
import {
  type Fields,
  type Found,
  instantIn,
  listIn,
  metadataOf,
  objectIn,
  objectsIn,
  parseJson,
  type SourceRelation,
  shareIn,
  tagsIn,
  textIn,
  wrongShape,
} from './source.js';

const KIND = 'memories';
const GRAPH = /(?:^|\/)falkordb\/[^/]+\.json(?:\.gz)?$/;
/** Properties that become fields of the memory or are left out. All others go into its metadata. */
const FIELDS = new Set([
  'id',
  'content',
  'type',
  'confidence',
  'tags',
  'tag_prefixes',
  'importance',
  'timestamp',
  'updated_at',
  'last_accessed',
  't_valid',
  't_invalid',
  'metadata',
  'archived',
  'enriched',
  'processed',
  'summary',
  'relevance_score',
  'embedding',
]);

export async function* automem(path: string): AsyncGenerator<Found> {
  const graphs = await graphsIn(path);
  if (graphs.length === 0) throw wrongShape(path, 'a tar file with the folder "falkordb"');
  for (const { name, bytes } of graphs) {
    const text = (name.endsWith('.gz') ? await gunzip(bytes, name) : bytes).toString('utf8');
    const graph = parseJson(text, name);
    if (!isPlainObject(graph) || !Array.isArray(graph.nodes)) throw wrongShape(name, 'an object with the list "nodes"');
    yield* fromGraph(graph);
  }
}

interface TarFile {
  name: string;
  bytes: Buffer;
}

/** Reads the regular files of the graph into memory. Skips links and all other entries. */
async function graphsIn(path: string): Promise<TarFile[]> {
  const files: Promise<TarFile>[] = [];
  const parser = new Parser({
    strict: true,
    filter: (name, entry) => GRAPH.test(name) && 'type' in entry && (entry.type === 'File' || entry.type === 'OldFile'),
    onReadEntry: (entry: ReadEntry) => {
      const file = collect(entry as unknown as AsyncIterable<Buffer>, entry.path).then(bytes => ({
        name: entry.path,
        bytes,
      }));
      file.catch(() => {});
      files.push(file);
    },
  });
  await new Promise<void>((resolve, reject) => {
    parser.on('error', reject);
    parser.on('end', () => resolve());
    createReadStream(path)
      .on('error', reject)
      .pipe(parser as unknown as NodeJS.WritableStream);
  }).catch(cause => {
    throw new MemoryError('invalid', `${path} cannot be read as a tar file: ${messageOf(cause)}`, { cause });
  });
  return Promise.all(files);
}

/** @param graph lists of `nodes` and `relationships`, as in a backup */
export function* fromGraph(graph: Fields): Generator<Found> {
  const keys = new Map<string, string>();
  for (const node of objectsIn(graph, 'nodes')) {
    const id = textIn(objectIn(node, 'properties'), 'id');
    if (listIn(node, 'labels').includes('Memory') && id !== undefined) keys.set(String(node.id), id);
  }
  const edges = new Map<string, SourceRelation[]>();
  for (const edge of objectsIn(graph, 'relationships')) {
    const [from, to] = [keys.get(String(edge.source_id)), keys.get(String(edge.target_id))];
    const type = AUTHORABLE_RELATION_TYPES.find(candidate => candidate === edge.type);
    if (from === undefined || to === undefined) continue;
    if (type === undefined) {
      yield {
        kind: 'relations',
        place: `${from} to ${to}`,
        ...(RELATION_TYPES.includes(edge.type as RelationType)
          ? { problem: `has the type ${edge.type}, which Engraph makes by itself`, severity: 'expected' }
          : { problem: 'has a type that Engraph does not have', severity: 'incomplete' }),
      };
      continue;
    }
    const known = edges.get(from);
    if (known) known.push(relationOf(edge, to, type));
    else edges.set(from, [relationOf(edge, to, type)]);
  }
  for (const node of objectsIn(graph, 'nodes')) {
    if (listIn(node, 'labels').includes('Memory')) yield memoryOf(objectIn(node, 'properties'), edges);
  }
}

function relationOf(edge: Fields, to: string, type: RelationType): SourceRelation {
  const strength = shareIn(objectIn(edge, 'properties'), 'strength');
  return { to, type, ...(strength !== undefined && { strength }) };
}

function memoryOf(properties: Fields, edges: ReadonlyMap<string, SourceRelation[]>): Found {
  const key = textIn(properties, 'id');
  const content = textIn(properties, 'content');
  if (key === undefined || content === undefined)
    return { kind: KIND, place: key ?? 'a node', problem: 'has no id or no content' };
  const others = Object.entries(properties).filter(([name]) => !FIELDS.has(name));
  return {
    kind: KIND,
    key,
    content,
    timestamp: instantIn(properties, 'timestamp'),
    updatedAt: instantIn(properties, 'updated_at', 'timestamp'),
    validFrom: instantIn(properties, 't_valid'),
    validUntil: instantIn(properties, 't_invalid'),
    tags: tagsIn(properties, 'tags'),
    type: textIn(properties, 'type'),
    importance: shareIn(properties, 'importance'),
    confidence: shareIn(properties, 'confidence'),
    metadata: {
      ...(metadataOf(Object.fromEntries(others)) as Metadata),
      ...metadataOf(objectIn(properties, 'metadata')),
    },
    isArchived: properties.archived === true,
    relations: edges.get(key) ?? [],
  };
}

/** Requests only the graph, because Engraph computes the vectors again. */
const BACKUP = 'backup?include=falkordb';
const TIMEOUT_MS = 600_000;

export interface FetchedBackup {
  path: string;
  /** Removes the file. */
  remove(): Promise<void>;
}

export function isServiceUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

/**
 * @param token the admin token of the service
 * @throws MemoryError `unavailable` when the service does not answer, `invalid` when it refuses
 */
export async function fetchBackup(url: string, token: string | undefined): Promise<FetchedBackup> {
  const answer = await ask(new URL(BACKUP, url.endsWith('/') ? url : `${url}/`), token);
  const folder = await mkdtemp(join(tmpdir(), 'engraph-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'backup.tar.gz');
  try {
    await save(answer, path);
    return { path, remove };
  } catch (error) {
    await remove();
    if (error instanceof MemoryError) throw error;
    throw new MemoryError('unavailable', `The backup of ${url} was interrupted: ${messageOf(error)}`, { cause: error });
  }
}

async function ask(target: URL, token: string | undefined): Promise<Response> {
  const headers = new Headers(token === undefined ? {} : { 'X-Admin-Token': token });
  let answer: Response;
  try {
    // A redirect is not followed, because it could send the token to another host.
    answer = await fetch(target, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    throw new MemoryError('unavailable', `${target.origin} gave no answer`, { cause, hint: 'Check the address.' });
  }
  if (answer.ok) return answer;
  await answer.body?.cancel();
  throw new MemoryError('invalid', `${target.origin} answered ${answer.status} to the request for a backup`, {
    hint: 'Set AUTOMEM_ADMIN_TOKEN to the ADMIN_API_TOKEN of that service.',
  });
}

async function save({ body }: Response, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of body ?? []) await file.write(chunk);
  } finally {
    await file.close();
  }
}
