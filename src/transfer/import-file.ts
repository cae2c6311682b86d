/** Imports an export: checks the file, stores its records in pages, and compares the stored records with the file. */
import type { ImportPageAnswer } from '../api/answers/transfer.js';
import type { EdgesLine, MemoryLine, NodeLine, TransferLine } from '../api/requests/transfer.js';
import type { EngraphClient } from '../client/client.js';
import { partsOf } from '../domain/parts.js';
import { type CheckedFile, checkFile } from './check-file.js';
import { type Comparison, compareWithFile } from './compare.js';
import { lineRecord } from './export-parts.js';
import { readEnd, readHeader } from './format.js';
import { readLines } from './lines.js';

export type TransferClient = Pick<EngraphClient, 'exportPage' | 'importPage'>;

export interface ImportProgress {
  what: 'memories' | 'relations' | 'comparing';
  done: number;
  total: number;
}

export interface ImportFileParts {
  client: TransferClient;
  isDryRun: boolean;
  onProgress(progress: ImportProgress): void;
}

export interface ImportedFile {
  file: CheckedFile;
  counts: Omit<ImportPageAnswer, 'status'>;
  /** Absent after a dry run. */
  comparison?: Comparison;
}

/** Maximum numbers of records, bytes and edges in one request. */
const PAGE_RECORDS = 500;
const PAGE_BYTES = 1_048_576;
const PAGE_EDGES = 1_000;

/**
 * Imports a file. After an interruption the import can be started again: records that are already stored are skipped.
 *
 * @throws MemoryError `invalid`, like `checkFile`; EngraphError when the server refuses a page
 */
export async function importFile(path: string, parts: ImportFileParts): Promise<ImportedFile> {
  const { client, isDryRun, onProgress } = parts;
  const file = await checkFile(path);
  const total = file.memories + file.nodes;
  const counts = zeroCounts();
  const send = async (records: readonly TransferLine[]) => {
    if (records.length > 0) addCounts(counts, await client.importPage({ records, dry_run: isDryRun }));
  };
  let done = 0;
  for await (const page of recordPages(path)) {
    await send(page.map(withoutEdges));
    done += page.length;
    onProgress({ what: 'memories', done, total });
  }
  done = 0;
  for await (const page of recordPages(path)) {
    for (const edges of edgePages(page)) await send(edges);
    done += page.length;
    onProgress({ what: 'relations', done, total });
  }
  if (isDryRun) return { file, counts };
  const comparison = await compareWithFile(recordPages(path), {
    client,
    isPartial: file.header.since !== undefined,
    onProgress: compared => onProgress({ what: 'comparing', done: compared, total }),
  });
  await client.importPage({ records: [], last: true });
  return { file, counts, comparison };
}

type FileRecord = MemoryLine | NodeLine;

/** Yields the records of a checked file in pages of bounded size. */
async function* recordPages(path: string): AsyncGenerator<FileRecord[]> {
  let page: FileRecord[] = [];
  let bytes = 0;
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      const record = lineRecord(line);
      if (readHeader(record) || readEnd(record)) continue;
      if (page.length > 0 && (page.length === PAGE_RECORDS || bytes + line.size > PAGE_BYTES)) {
        yield page;
        page = [];
        bytes = 0;
      }
      page.push(record as FileRecord);
      bytes += line.size;
    }
  }
  if (page.length > 0) yield page;
}

function withoutEdges(record: FileRecord): FileRecord {
  return 'memory' in record ? { ...record, relations: [], links: [] } : record;
}

/** Yields the edges of a page, a bounded number at a time. */
function* edgePages(page: readonly FileRecord[]): Generator<EdgesLine[]> {
  let lines: EdgesLine[] = [];
  let count = 0;
  for (const line of page.flatMap(edgesOf)) {
    const size = line.relations.length + line.links.length;
    if (lines.length > 0 && count + size > PAGE_EDGES) {
      yield lines;
      lines = [];
      count = 0;
    }
    lines.push(line);
    count += size;
  }
  if (lines.length > 0) yield lines;
}

function edgesOf(record: FileRecord): EdgesLine[] {
  if (!('memory' in record)) return [];
  const from = record.memory.id;
  return [
    ...partsOf(record.relations, PAGE_EDGES).map(relations => ({ from, relations, links: [] })),
    ...partsOf(record.links, PAGE_EDGES).map(links => ({ from, relations: [], links })),
  ];
}

function zeroCounts(): Omit<ImportPageAnswer, 'status'> {
  const zero = () => ({ created: 0, updated: 0, unchanged: 0, kept: 0 });
  return { memories: zero(), nodes: zero(), edges: { ...zero(), left_out: 0 } };
}

function addCounts(sum: Omit<ImportPageAnswer, 'status'>, { memories, nodes, edges }: ImportPageAnswer): void {
  for (const key of ['created', 'updated', 'unchanged', 'kept'] as const) {
    sum.memories[key] += memories[key];
    sum.nodes[key] += nodes[key];
    sum.edges[key] += edges[key];
  }
  sum.edges.left_out += edges.left_out;
}
