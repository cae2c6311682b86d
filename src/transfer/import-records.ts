/** Stores the memories of a source, then their edges. Counts the stored records and the records that were left out. */
import type { EdgesLine, MemoryLine, TransferLine } from '../api/requests/transfer.js';
import { MemoryError } from '../domain/errors.js';
import { noArrivals } from '../domain/transfer.js';
import type { TransferClient } from './import-file.js';

/** A memory of a source, or the reason why a record of the source is left out. */
export type Arriving =
  | { kind: string; record: MemoryLine }
  /** `place`: position in the source; `problem`: the end of a sentence about the record, such as `has no text`. */
  | { kind: string; place: string; problem: string };

export interface KindSummary {
  count: number;
  /** Creation times of the oldest and of the newest memory, in ISO 8601. */
  first?: string;
  last?: string;
  /** Number of records that were left out, by reason, and the place of the first such record. */
  leftOut: Map<string, { count: number; place: string }>;
}

export interface ImportRecordsParts {
  client: Pick<TransferClient, 'importPage'>;
  isDryRun: boolean;
  /** Whether memories without a type get a type that is derived from their text. */
  readsTypes: boolean;
  onProgress(what: string, done: number): void;
}

export interface ImportedRecords {
  kinds: Map<string, KindSummary>;
  memories: ReturnType<typeof noArrivals>;
  edges: ReturnType<typeof noArrivals> & { left_out: number };
  /** Number of the source's memories that are not stored, or are stored in an older state. Zero after a dry run. */
  missing: number;
}

const PAGE_RECORDS = 200;
const PAGE_CHARACTERS = 500_000;
const RECORDS_MAX = 1_000_000;

/**
 * Reads the source up to three times: for its memories, for their edges, and to compare the memories with the stored
 * memories. The ids of memories are derived from the source, so that a second import stores no memory twice.
 *
 * @throws the MemoryError of a source that cannot be read; MemoryError `too_large` for more than a million memories;
 * EngraphError when the server refuses a page
 */
export async function importRecords(
  source: () => AsyncIterable<Arriving>,
  parts: ImportRecordsParts,
): Promise<ImportedRecords> {
  const { client, isDryRun, readsTypes, onProgress } = parts;
  const imported: ImportedRecords = {
    kinds: new Map(),
    memories: noArrivals(),
    edges: { ...noArrivals(), left_out: 0 },
    missing: 0,
  };
  const send = (records: readonly TransferLine[], dry_run: boolean) =>
    client.importPage({ records, dry_run, read_types: readsTypes });
  let done = 0;
  for await (const page of pagesOf(unique(source(), imported.kinds))) {
    add(imported.memories, (await send(page.map(withoutEdges), isDryRun)).memories);
    done += page.length;
    onProgress('memories', done);
  }
  const none = new Map();
  for await (const page of pagesOf(unique(source(), none))) {
    const edges = page.map(edgesOf).filter(({ relations }) => relations.length > 0);
    if (edges.length === 0) continue;
    const answer = await send(edges, isDryRun);
    add(imported.edges, answer.edges);
    imported.edges.left_out += answer.edges.left_out;
  }
  if (isDryRun) return imported;
  for await (const page of pagesOf(unique(source(), none))) {
    const { memories } = await send(page.map(withoutEdges), true);
    imported.missing += memories.created + memories.updated;
  }
  await client.importPage({ records: [], last: true });
  return imported;
}

/** Yields the memories of a source, each id once, and counts all records of the source in `kinds`. */
async function* unique(source: AsyncIterable<Arriving>, kinds: Map<string, KindSummary>): AsyncGenerator<MemoryLine> {
  const ids = new Set<string>();
  for await (const arriving of source) {
    const summary: KindSummary = kinds.get(arriving.kind) ?? { count: 0, leftOut: new Map() };
    kinds.set(arriving.kind, summary);
    if (!('record' in arriving)) {
      leaveOut(summary, arriving);
      continue;
    }
    const { id, timestamp } = arriving.record.memory;
    if (ids.has(id)) {
      leaveOut(summary, { place: id, problem: 'is in the source twice' });
      continue;
    }
    ids.add(id);
    if (ids.size > RECORDS_MAX) throw new MemoryError('too_large', `The source has more than ${RECORDS_MAX} memories`);
    summary.count += 1;
    if (summary.first === undefined || timestamp < summary.first) summary.first = timestamp;
    if (summary.last === undefined || timestamp > summary.last) summary.last = timestamp;
    yield arriving.record;
  }
}

function leaveOut({ leftOut }: KindSummary, { place, problem }: { place: string; problem: string }): void {
  const known = leftOut.get(problem);
  if (known) known.count += 1;
  else leftOut.set(problem, { count: 1, place });
}

async function* pagesOf(records: AsyncIterable<MemoryLine>): AsyncGenerator<MemoryLine[]> {
  let page: MemoryLine[] = [];
  let characters = 0;
  for await (const record of records) {
    page.push(record);
    characters += record.memory.content.length;
    if (page.length === PAGE_RECORDS || characters > PAGE_CHARACTERS) {
      yield page;
      page = [];
      characters = 0;
    }
  }
  if (page.length > 0) yield page;
}

function withoutEdges(record: MemoryLine): MemoryLine {
  return { ...record, relations: [], links: [] };
}

function edgesOf({ memory, relations }: MemoryLine): EdgesLine {
  return { from: memory.id, relations, links: [] };
}

function add(sum: ReturnType<typeof noArrivals>, counts: ReturnType<typeof noArrivals>): void {
  for (const key of ['created', 'updated', 'unchanged', 'kept'] as const) sum[key] += counts[key];
}
