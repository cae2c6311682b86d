/** Imports an export: checks the file, stores its records in pages, and compares the stored records with the file. */
import type { ImportPageAnswer } from '../api/transfer.js';
import type { EdgesLine, MemoryLine, NodeLine, TransferLine } from '../api/transfer-records.js';
import type { EngraphClient } from '../client/client.js';
import { partsOf } from '../domain/collections.js';
import { assertIntact, type CheckedFile, type Comparison, checkFile, compareWithFile } from './check-file.js';
import { lineRecord, readEnd, readHeader } from './export-lines.js';
import { readLines } from './files.js';
import type { LeftOut, Severity } from './sources/source.js';

export type TransferClient = Pick<EngraphClient, 'exportPage' | 'importPage'>;

export interface ImportProgress {
  what: 'memories' | 'relations' | 'comparing';
  done: number;
  total: number;
}

export interface ImportFileParts {
  client: TransferClient;
  isDryRun: boolean;
  /** Whether the other records are imported if some lines are broken. */
  skipsInvalid?: boolean;
  allowsCredentials?: boolean;
  onProgress(progress: ImportProgress): void;
}

type Counts = Omit<ImportPageAnswer, 'status' | 'credentials'>;

export interface ImportedFile {
  file: CheckedFile;
  counts: Counts;
  /** Records that were left out, because they seem to contain credentials. */
  leftOut: LeftOutRecords;
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
 * @throws MemoryError `invalid` for a file that is not an export, or has broken lines that may not be skipped;
 * EngraphError when the server refuses a page
 */
export async function importFile(path: string, parts: ImportFileParts): Promise<ImportedFile> {
  const { client, isDryRun, skipsInvalid = false, allowsCredentials = false, onProgress } = parts;
  const file = await checkFile(path);
  if (!skipsInvalid) assertIntact(file);
  const total = file.memories + file.nodes;
  const counts = zeroCounts();
  const leftOut = createLeftOut();
  const withheld = new Set<string>();
  const send = async (records: readonly TransferLine[], isChecked: boolean) => {
    if (records.length === 0) return [];
    const allow_credentials = isChecked || allowsCredentials;
    const answer = await client.importPage({ records, dry_run: isDryRun, allow_credentials });
    addCounts(counts, answer);
    return answer.credentials;
  };
  let done = 0;
  for await (const page of recordPages(path, file.broken)) {
    for (const { id, kinds } of await send(
      page.map(({ record }) => withoutEdges(record)),
      false,
    )) {
      withheld.add(id);
      const line = page.find(({ record }) => idOf(record) === id)?.line;
      leftOut.add({
        kind: 'records',
        place: `line ${line}`,
        problem: credentialProblem(kinds),
        severity: 'credential',
      });
    }
    done += page.length;
    onProgress({ what: 'memories', done, total });
  }
  const kept = () => keptPages(path, { broken: file.broken, withheld });
  done = 0;
  for await (const page of kept()) {
    for (const edges of edgePages(page)) await send(edges, true);
    done += page.length;
    onProgress({ what: 'relations', done, total });
  }
  if (isDryRun) return { file, counts, leftOut };
  const comparison = await compareWithFile(kept(), {
    client,
    isPartial: file.header.since !== undefined || withheld.size > 0 || file.broken.size > 0,
    onProgress: compared => onProgress({ what: 'comparing', done: compared, total }),
  });
  await client.importPage({ records: [], last: true });
  return { file, counts, leftOut, comparison };
}

type FileRecord = MemoryLine | NodeLine;

interface NumberedRecord {
  line: number;
  /** In bytes. */
  size: number;
  record: FileRecord;
}

/** Divides records into pages of at most `PAGE_RECORDS` records, and of about `PAGE_BYTES`. */
export async function* inPages<Item>(items: AsyncIterable<Item>, sizeOf: (item: Item) => number) {
  let page: Item[] = [];
  let bytes = 0;
  for await (const item of items) {
    const size = sizeOf(item);
    if (page.length > 0 && (page.length === PAGE_RECORDS || bytes + size > PAGE_BYTES)) {
      yield page;
      page = [];
      bytes = 0;
    }
    page.push(item);
    bytes += size;
  }
  if (page.length > 0) yield page;
}

/** Yields the records of a checked file. */
async function* recordsIn(path: string, broken: ReadonlySet<number>): AsyncGenerator<NumberedRecord> {
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      const { number, size } = line;
      if (broken.has(number)) continue;
      const record = lineRecord(line);
      if (!readHeader(record) && !readEnd(record)) yield { line: number, size, record: record as FileRecord };
    }
  }
}

function recordPages(path: string, broken: ReadonlySet<number>): AsyncGenerator<NumberedRecord[]> {
  return inPages(recordsIn(path, broken), ({ size }) => size);
}

async function* keptPages(
  path: string,
  { broken, withheld }: { broken: ReadonlySet<number>; withheld: ReadonlySet<string> },
): AsyncGenerator<FileRecord[]> {
  for await (const page of recordPages(path, broken)) {
    yield page.map(({ record }) => record).filter(record => !withheld.has(idOf(record)));
  }
}

/** The id under which the answer to a page names a record. */
function idOf(record: FileRecord): string {
  return 'memory' in record ? record.memory.id : `${record.node.kind}/${record.node.id}`;
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

function zeroCounts(): Counts {
  const zero = () => ({ created: 0, updated: 0, unchanged: 0, kept: 0 });
  return { memories: zero(), nodes: zero(), edges: { ...zero(), left_out: 0 } };
}

function addCounts(sum: Counts, { memories, nodes, edges }: ImportPageAnswer): void {
  for (const key of ['created', 'updated', 'unchanged', 'kept'] as const) {
    sum.memories[key] += memories[key];
    sum.nodes[key] += nodes[key];
    sum.edges[key] += edges[key];
  }
  sum.edges.left_out += edges.left_out;
}

export interface LeftOutGroup {
  kind: string;
  problem: string;
  severity: Severity;
  count: number;
  /** The first places. */
  places: string[];
}

export interface LeftOutRecords {
  add(record: LeftOut): void;
  countOf(severity: Severity): number;
  /** Number of records of a kind, except those that are no memories. */
  countIn(kind: string): number;
  kinds(): string[];
  /** Broken records first. */
  groups(): LeftOutGroup[];
}

const PLACES_MAX = 10;
/** Some reasons contain a number, so a large file may have as many reasons as records. */
const GROUPS_MAX = 50;
const OTHER_PROBLEM = 'has another problem';
const SEVERITIES: readonly Severity[] = ['broken', 'incomplete', 'credential', 'expected'];

export function createLeftOut(): LeftOutRecords {
  const groups = new Map<string, LeftOutGroup>();
  const groupOf = ({ kind, problem, severity = 'broken' }: LeftOut): LeftOutGroup => {
    const known = groups.get(`${severity} ${kind} ${problem}`);
    if (known) return known;
    const isFull = groups.size >= GROUPS_MAX && problem !== OTHER_PROBLEM;
    if (isFull) return groupOf({ kind, problem: OTHER_PROBLEM, severity, place: '' });
    const group = { kind, problem, severity, count: 0, places: [] };
    groups.set(`${severity} ${kind} ${problem}`, group);
    return group;
  };
  const sum = (isCounted: (group: LeftOutGroup) => boolean) =>
    [...groups.values()].filter(isCounted).reduce((total, { count }) => total + count, 0);
  return {
    add: record => {
      const group = groupOf(record);
      group.count += 1;
      if (group.places.length < PLACES_MAX) group.places.push(record.place);
    },
    countOf: severity => sum(group => group.severity === severity),
    countIn: kind => sum(group => group.kind === kind && group.severity !== 'expected'),
    kinds: () => [...new Set([...groups.values()].map(({ kind }) => kind))],
    groups: () => SEVERITIES.flatMap(severity => [...groups.values()].filter(group => group.severity === severity)),
  };
}

export function credentialProblem(kinds: readonly string[]): string {
  return `seems to contain a credential (${kinds.join(', ')})`;
}
