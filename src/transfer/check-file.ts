/** Checks all lines of an export before the import writes any of its records, and afterwards whether all are stored. */
import { type EdgesLine, type MemoryLine, type NodeLine, readTransferLine } from '../api/transfer-records.js';
import type { EngraphClient } from '../client/client.js';
import { MemoryError, messageOf } from '../domain/errors.js';
import { canonicalJson } from '../domain/json.js';
import { isLater } from '../domain/transfer.js';
import { EXPORT_VERSION } from '../domain/versions.js';
import {
  type ExportCounts,
  type ExportEnd,
  type ExportHeader,
  lineRecord,
  newState,
  noteLine,
  noteRecord,
  readEnd,
  readHeader,
  recordsOf,
} from './export-lines.js';
import { type Line, readLines } from './files.js';

export interface CheckedFile extends ExportCounts {
  header: ExportHeader;
  sha256: string;
  /** Numbers of the lines that cannot be read. */
  broken: ReadonlySet<number>;
  /** The first problems of the file, as sentences without a full stop. Empty for an intact file. */
  problems: string[];
  problemCount: number;
}

const PROBLEMS_MAX = 10;
const AGAIN =
  "Nothing was written. Make the file again with 'engraph export', or add --skip-invalid to import the rest.";

/**
 * Reads the whole file. Broken lines are counted, and their records are not.
 *
 * @throws MemoryError `invalid` for a file that is not an export of this version
 */
export async function checkFile(path: string): Promise<CheckedFile> {
  const state = newState();
  const broken = new Set<number>();
  const problems: string[] = [];
  let header: ExportHeader | undefined;
  let end: ExportEnd | undefined;
  let lastId = '';
  const check = (line: Line) => {
    const record = lineRecord(line);
    if (end) throw brokenLine(line, 'follows the end of the export');
    end = readEnd(record);
    if (end) return;
    lastId = checkRecord(line, record, lastId);
    noteRecord(state, line.text, record);
  };
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      if (!header) {
        header = headerOf(lineRecord(line));
        continue;
      }
      try {
        check(line);
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        broken.add(line.number);
        // The checksum covers every line, so that it tells whether a line was changed or was written like that.
        if (!end) noteLine(state, line.text);
        if (problems.length < PROBLEMS_MAX) problems.push(error.message);
      }
    }
  }
  if (!header) throw notAnExport();
  const sha256 = state.digest.copy().digest('hex');
  const problemCount = broken.size + (end?.sha256 === sha256 ? 0 : 1);
  if (!end) problems.push('The file was cut off: its last line is missing');
  else if (end.sha256 !== sha256) problems.push('The file was changed: its checksum does not match');
  const { memories, relations, nodes } = state;
  return { header, memories, relations, nodes, sha256, broken, problems, problemCount };
}

/** @throws MemoryError `invalid` that lists the problems of a file */
export function assertIntact({ problems, problemCount }: CheckedFile): void {
  if (problemCount === 0) return;
  const more = problemCount > problems.length ? [`${problemCount - problems.length} more problems are not listed`] : [];
  throw new MemoryError('invalid', [...problems, ...more].join('. '), { hint: AGAIN });
}

function headerOf(record: unknown): ExportHeader {
  const header = readHeader(record);
  if (!header) throw notAnExport();
  if (header.version === EXPORT_VERSION) return header;
  throw new MemoryError(
    'invalid',
    `The file has version ${header.version} of the format, but this version of Engraph reads version ${EXPORT_VERSION}`,
    { hint: 'Import the file with the version of Engraph that wrote it, or with a later version.' },
  );
}

function notAnExport(): MemoryError {
  return new MemoryError('invalid', 'The file is not an export of Engraph', {
    hint: 'Its first line must begin with {"engraph_export": .',
  });
}

/** @returns the id of the last memory up to and including this line */
function checkRecord(line: Line, record: unknown, lastId: string): string {
  const read = attempt(line, record);
  if (!('memory' in read)) return lastId;
  const { id } = read.memory;
  if (id <= lastId) throw brokenLine(line, `has the id ${id}, but ids must be in ascending order`);
  return id;
}

function attempt(line: Line, record: unknown) {
  try {
    const read = readTransferLine(record);
    if (!('from' in read)) return read;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    throw brokenLine(line, `cannot be read: ${messageOf(error)}`);
  }
  throw brokenLine(line, 'is not a record of an export');
}

function brokenLine({ number }: Line, problem: string): MemoryError {
  return new MemoryError('invalid', `Line ${number} ${problem}`);
}

export interface Comparison {
  /** Number of memories that are stored exactly as in the file. */
  equal: number;
  /** Number of memories that are stored in a later state than in the file, or with more edges. */
  kept: number;
  /**
   * Memories and nodes that are missing, or that are stored in an older or another state than in the file. Memories are
   * listed by id, nodes by kind and id.
   */
  differing: string[];
}

export interface ComparisonParts {
  client: Pick<EngraphClient, 'exportPage' | 'importPage'>;
  /** Whether the file contains only changed records. The store may then lack edges to memories outside the file. */
  isPartial: boolean;
  onProgress(compared: number): void;
}

/** @param pages the records of the file: nodes first, then memories in order of id */
export async function compareWithFile(
  pages: AsyncIterable<(MemoryLine | NodeLine)[]>,
  { client, isPartial, onProgress }: ComparisonParts,
): Promise<Comparison> {
  const comparison: Comparison = { equal: 0, kept: 0, differing: [] };
  const cursor = createCursor(recordsOf(client.exportPage, { part: 'memories' }));
  let compared = 0;
  for await (const page of pages) {
    const nodes = page.filter(record => 'node' in record);
    comparison.differing.push(...(await differingNodes(nodes, client)));
    for (const record of page) {
      if (!('memory' in record)) continue;
      const present = await cursor.find(record);
      noteMemory(comparison, present && isPartial ? withEdgesOf(record, present) : record, present);
    }
    compared += page.length;
    onProgress(compared);
  }
  return comparison;
}

/** Finds the nodes that a dry run of the import counts as created or updated. */
async function differingNodes(nodes: readonly NodeLine[], client: ComparisonParts['client']): Promise<string[]> {
  const missing = async (records: readonly NodeLine[]) => {
    const { nodes: counts } = await client.importPage({ records, dry_run: true });
    return counts.created + counts.updated > 0;
  };
  if (nodes.length === 0 || !(await missing(nodes))) return [];
  const differing: string[] = [];
  for (const record of nodes) if (await missing([record])) differing.push(`${record.node.kind} ${record.node.id}`);
  return differing;
}

function noteMemory(comparison: Comparison, expected: MemoryLine, present: MemoryLine | undefined): void {
  const { id } = expected.memory;
  if (!present) comparison.differing.push(id);
  else if (canonicalJson(present) === canonicalJson(expected)) comparison.equal += 1;
  else if (isContained(expected, present)) comparison.kept += 1;
  else comparison.differing.push(id);
}

/** Returns the record of the file without the edges that the stored memory does not have. */
function withEdgesOf(record: MemoryLine, present: MemoryLine): MemoryLine {
  const relations = new Set(present.relations.map(edge => `${edge.type} ${edge.to}`));
  const links = new Set(present.links.map(link => `${link.kind} ${link.id}`));
  return {
    ...record,
    relations: record.relations.filter(edge => relations.has(`${edge.type} ${edge.to}`)),
    links: record.links.filter(link => links.has(`${link.kind} ${link.id}`)),
  };
}

/** Whether every part of the expected line is stored, in the same state or in a later state. */
function isContained(expected: MemoryLine, present: MemoryLine): boolean {
  const isSameMemory = canonicalJson(expected.memory) === canonicalJson(present.memory);
  const isKept = isLater(present.memory, expected.memory);
  const isVectorThere = expected.embedding === undefined || expected.embedding === present.embedding;
  return (isKept || (isSameMemory && isVectorThere)) && areEdgesContained(expected, present);
}

type Edges = Pick<EdgesLine, 'relations' | 'links'>;

function areEdgesContained(expected: Edges, present: Edges): boolean {
  const relations = new Map(present.relations.map(edge => [`${edge.type} ${edge.to}`, edge]));
  const links = new Map(present.links.map(link => [`${link.kind} ${link.id}`, link]));
  return (
    expected.relations.every(edge => isThere(edge, relations.get(`${edge.type} ${edge.to}`))) &&
    expected.links.every(link => isThere(link, links.get(`${link.kind} ${link.id}`)))
  );
}

function isThere<Edge extends { updated_at: string }>(expected: Edge, present: Edge | undefined): boolean {
  if (!present) return false;
  return present.updated_at > expected.updated_at || canonicalJson(present) === canonicalJson(expected);
}

/** Returns a cursor that finds the stored memory for each memory of the file, in one pass over both. */
function createCursor(walk: AsyncGenerator<(MemoryLine | NodeLine)[]>) {
  let page: (MemoryLine | NodeLine)[] = [];
  let position = 0;
  return {
    /** Finds the stored memory with the id of a memory of the file. Ids must be requested in ascending order. */
    find: async ({ memory: { id } }: MemoryLine): Promise<MemoryLine | undefined> => {
      for (;;) {
        while (position === page.length) {
          const next = await walk.next();
          if (next.done) return undefined;
          page = next.value;
          position = 0;
        }
        const current = page[position];
        if (!current || !('memory' in current)) return undefined;
        if (current.memory.id > id) return undefined;
        position += 1;
        if (current.memory.id === id) return current;
      }
    },
  };
}
