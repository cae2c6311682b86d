/** Stores the memories of a source, then their edges. Counts the stored records and the records that were left out. */
import type { ImportPageAnswer } from '../api/transfer.js';
import type { EdgesLine, MemoryLine, TransferLine } from '../api/transfer-records.js';
import { derivedDigest } from '../domain/derived-ids.js';
import { MemoryError } from '../domain/errors.js';
import { noArrivals } from '../domain/transfer.js';
import { createLeftOut, credentialProblem, type LeftOutRecords, type TransferClient } from './import-file.js';
import type { LeftOut } from './sources/source.js';

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

const PAGE_RECORDS = 200;
const PAGE_CHARACTERS = 500_000;
const RECORDS_MAX = 1_000_000;

/**
 * Reads the source up to four times: to check it, for its memories, for their edges, and to compare the memories with the
 * stored memories. The ids of memories are derived from the source, so that a second import stores no memory twice.
 *
 * @throws the MemoryError of a source that cannot be read; MemoryError `too_large` for more than a million memories;
 * EngraphError when the server refuses a page
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
  for await (const page of pagesOf(unique(source()))) {
    const answer = await send(page.map(withoutEdges), { isDry: isDryRun, isChecked: false });
    add(imported.memories, answer.memories);
    noteCredentials(imported, page, answer);
    for (const { id } of answer.credentials) withheld.add(id);
    done += page.length;
    onProgress('memories', done);
  }
  const stored = () => pagesOf(unique(source(), withheld));
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
    if (digests.size > RECORDS_MAX) {
      throw new MemoryError('too_large', `The source has more than ${RECORDS_MAX} memories`);
    }
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

async function* pagesOf(arriving: AsyncIterable<SourceMemory>): AsyncGenerator<SourceMemory[]> {
  let page: SourceMemory[] = [];
  let characters = 0;
  for await (const each of arriving) {
    page.push(each);
    characters += each.record.memory.content.length;
    if (page.length === PAGE_RECORDS || characters > PAGE_CHARACTERS) {
      yield page;
      page = [];
      characters = 0;
    }
  }
  if (page.length > 0) yield page;
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
