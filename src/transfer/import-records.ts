/**
 * Converts the records of a source to memories, and stores the memories, then their edges. The ids are derived from the
 * source, so that a repeated import stores each memory once.
 */

import { readNewMemory } from '../api/memory-requests.js';
import { DEFAULT_STRENGTH } from '../api/relations.js';
import type { ImportPageAnswer } from '../api/transfer.js';
import type { EdgesLine, MemoryLine, TransferLine } from '../api/transfer-records.js';
import { derivedDigest, derivedUuid } from '../domain/derived-ids.js';
import { MemoryError, messageOf } from '../domain/errors.js';
import type { InputLimits } from '../domain/input.js';
import { createMemory, readMemoryType } from '../domain/memory.js';
import { tagLevels } from '../domain/tags.js';
import { toIso } from '../domain/time.js';
import { noArrivals } from '../domain/transfer.js';
import { createLeftOut, credentialProblem, inPages, type LeftOutRecords, type TransferClient } from './import-file.js';
import type { LeftOut, Source, SourceName, SourceRecord } from './sources/source.js';

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
  const undated = found.timestamp === undefined && found.updatedAt === undefined;
  const timestamp = found.timestamp ?? toIso(Math.floor(found.modifiedMs ?? modifiedMs));
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
    ...(undated && { undated }),
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

/** A memory of a source with its place in the source, or the reason why a record of the source is left out. */
export type SourceLine = { kind: string; place: string; record: MemoryLine } | LeftOut;

export interface KindSummary {
  count: number;
  /** Creation times of the oldest and of the newest memory, in ISO 8601. */
  first?: string;
  last?: string;
}

export interface ImportRecordsParts {
  client: Pick<TransferClient, 'importPage'>;
  isDryRun: boolean;
  /** Whether memories without a type get a type that is derived from their text. */
  readsTypes: boolean;
  /** Whether the other records are imported if some records are broken. */
  skipsInvalid?: boolean;
  allowsCredentials?: boolean;
  onProgress(what: string, done: number): void;
}

export interface ImportedRecords {
  kinds: Map<string, KindSummary>;
  leftOut: LeftOutRecords;
  /** Whether nothing was written, because some records are broken and may not be skipped. */
  isRefused: boolean;
  memories: ReturnType<typeof noArrivals>;
  edges: ReturnType<typeof noArrivals> & { left_out: number };
  /** Number of the source's memories that are not stored, or are stored in an older state. Zero after a dry run. */
  missing: number;
}

type SourceMemory = Extract<SourceLine, { record: MemoryLine }>;

/**
 * Reads the source up to four times: to check it, for its memories, for their edges, and to compare the memories with the
 * stored memories. The ids of memories are derived from the source, so that a second import stores no memory twice.
 *
 * @throws the MemoryError of a source that cannot be read; EngraphError when the server refuses a page
 */
export async function importRecords(
  source: () => AsyncIterable<SourceLine>,
  parts: ImportRecordsParts,
): Promise<ImportedRecords> {
  const { client, isDryRun, readsTypes, skipsInvalid = false, allowsCredentials = false, onProgress } = parts;
  const { hasEdges, ...imported } = await survey(source());
  if (imported.leftOut.countOf('broken') > 0 && !skipsInvalid) {
    imported.isRefused = true;
    if (!isDryRun) return imported;
  }
  const send = (records: readonly TransferLine[], options: { isDry: boolean; isChecked: boolean }) =>
    client.importPage({
      records,
      dry_run: options.isDry,
      read_types: readsTypes,
      allow_credentials: options.isChecked || allowsCredentials,
    });
  const withheld = new Set<string>();
  let done = 0;
  for await (const page of inPages(unique(source()), sizeOf)) {
    const answer = await send(page.map(withoutEdges), { isDry: isDryRun, isChecked: false });
    add(imported.memories, answer.memories);
    noteCredentials(imported, page, answer);
    for (const { id } of answer.credentials) withheld.add(id);
    done += page.length;
    onProgress('memories', done);
  }
  const stored = () => inPages(unique(source(), withheld), sizeOf);
  if (hasEdges) {
    for await (const page of stored()) {
      const edges = page.map(edgesOf).filter(({ relations }) => relations.length > 0);
      if (edges.length === 0) continue;
      const answer = await send(edges, { isDry: isDryRun, isChecked: true });
      add(imported.edges, answer.edges);
      imported.edges.left_out += answer.edges.left_out;
    }
  }
  if (isDryRun) return imported;
  for await (const page of stored()) {
    const { memories } = await send(page.map(withoutEdges), { isDry: true, isChecked: true });
    imported.missing += memories.created + memories.updated;
  }
  await client.importPage({ records: [], last: true });
  return imported;
}

/** Reads the whole source and writes nothing. */
async function survey(source: AsyncIterable<SourceLine>): Promise<ImportedRecords & { hasEdges: boolean }> {
  const kinds = new Map<string, KindSummary>();
  const leftOut = createLeftOut();
  let hasEdges = false;
  for await (const { kind, record } of unique(source, new Set(), each => leftOut.add(each))) {
    const summary: KindSummary = kinds.get(kind) ?? { count: 0 };
    kinds.set(kind, summary);
    const { timestamp } = record.memory;
    summary.count += 1;
    if (summary.first === undefined || timestamp < summary.first) summary.first = timestamp;
    if (summary.last === undefined || timestamp > summary.last) summary.last = timestamp;
    hasEdges ||= record.relations.length > 0;
  }
  for (const kind of leftOut.kinds()) if (!kinds.has(kind)) kinds.set(kind, { count: 0 });
  const edges = { ...noArrivals(), left_out: 0 };
  return { kinds, leftOut, isRefused: false, memories: noArrivals(), edges, missing: 0, hasEdges };
}

/** Yields the memories of a source, each id once, except those that are `withheld`. */
async function* unique(
  source: AsyncIterable<SourceLine>,
  withheld: ReadonlySet<string> = new Set(),
  onLeftOut: (record: LeftOut) => void = () => {},
): AsyncGenerator<SourceMemory> {
  const digests = new Map<string, string>();
  for await (const arriving of source) {
    if (!('record' in arriving)) {
      onLeftOut(arriving);
      continue;
    }
    const { kind, place } = arriving;
    const { id, content } = arriving.record.memory;
    if (withheld.has(id)) continue;
    const digest = derivedDigest([content]).slice(0, 12);
    const known = digests.get(id);
    if (known !== undefined) {
      onLeftOut(
        known === digest
          ? { kind, place, problem: 'is in the source twice', severity: 'expected' }
          : { kind, place, problem: 'has the id of an earlier record, but another text' },
      );
      continue;
    }
    digests.set(id, digest);
    yield arriving;
  }
}

function noteCredentials(
  { kinds, leftOut }: ImportedRecords,
  page: readonly SourceMemory[],
  { credentials }: Pick<ImportPageAnswer, 'credentials'>,
): void {
  const byId = new Map(page.map(arriving => [arriving.record.memory.id, arriving]));
  for (const { id, kinds: found } of credentials) {
    const { kind, place } = byId.get(id) ?? { kind: 'memories', place: id };
    leftOut.add({ kind, place, problem: credentialProblem(found), severity: 'credential' });
    const summary = kinds.get(kind);
    if (summary) summary.count -= 1;
  }
}

function sizeOf({ record }: SourceMemory): number {
  return record.memory.content.length;
}

function withoutEdges({ record }: SourceMemory): MemoryLine {
  return { ...record, relations: [], links: [] };
}

function edgesOf({ record: { memory, relations } }: SourceMemory): EdgesLine {
  return { from: memory.id, relations, links: [] };
}

function add(sum: ReturnType<typeof noArrivals>, counts: ReturnType<typeof noArrivals>): void {
  for (const key of ['created', 'updated', 'unchanged', 'kept'] as const) sum[key] += counts[key];
}
