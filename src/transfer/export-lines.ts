/** Converts pages of stored records to the lines of an export, and writes them into a file that can be resumed. */

import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { ExportPageAnswer } from '../api/transfer.js';
import { MemoryError } from '../domain/errors.js';
import { canonicalJson, isPlainObject, parseExactly } from '../domain/json.js';
import type { TransferPart } from '../domain/transfer.js';
import { inSteps } from '../event-loop.js';
import { headOf, type Line, readLines } from './files.js';

export interface ExportHeader {
  version: number;
  /** ISO 8601. */
  exported_at: string;
  /** Version of Engraph that wrote the export. */
  engraph: string;
  /** The export contains only records that have changed since this instant; if absent, all records. */
  since?: string;
}

export interface ExportCounts {
  memories: number;
  relations: number;
  nodes: number;
}

export interface ExportEnd extends ExportCounts {
  /** SHA-256 over all lines between the first and the last, each with its line break. */
  sha256: string;
}

/** Nodes come before memories, because an edge from a memory to a node can only be stored when both exist. */
const PART_ORDER: readonly TransferPart[] = ['nodes', 'memories'];

/** Progress of an export. */
interface ExportState extends ExportCounts {
  digest: Hash;
  /** The last record that was written; absent before the first record. */
  last?: { part: TransferPart; after: string };
}

export function newState(): ExportState {
  return { digest: createHash('sha256'), memories: 0, relations: 0, nodes: 0 };
}

/** Adds a line, given without its line break, to the digest. */
export function noteLine({ digest }: ExportState, text: string): void {
  digest.update(text).update('\n');
}

/**
 * Adds a record to the counts, and its line to the digest.
 *
 * @param text the line without its line break
 */
export function noteRecord(state: ExportState, text: string, record: unknown): void {
  noteLine(state, text);
  const { memory, node, relations } = record as {
    memory?: { id: string };
    node?: { kind: string; id: string };
    relations?: unknown[];
  };
  if (memory) {
    state.memories += 1;
    state.relations += relations?.length ?? 0;
    state.last = { part: 'memories', after: memory.id };
  } else if (node) {
    state.nodes += 1;
    state.last = { part: 'nodes', after: `${node.kind}/${node.id}` };
  }
}

function headerLine(header: ExportHeader): string {
  return canonicalJson({ engraph_export: header });
}

function endLine({ memories, relations, nodes, digest }: ExportState): string {
  return canonicalJson({ engraph_export_end: { memories, relations, nodes, sha256: digest.copy().digest('hex') } });
}

/**
 * Reads the first line of an export in any version of the format.
 *
 * @returns undefined when the value is not such a line
 */
export function readHeader(value: unknown): ExportHeader | undefined {
  const header = isPlainObject(value) ? value.engraph_export : undefined;
  if (!isPlainObject(header) || typeof header.version !== 'number') return undefined;
  const { version, exported_at, engraph, since } = header;
  return {
    version,
    exported_at: String(exported_at),
    engraph: String(engraph),
    ...(typeof since === 'string' && { since }),
  };
}

/** @returns undefined when the value is not the last line of an export */
export function readEnd(value: unknown): ExportEnd | undefined {
  const end = isPlainObject(value) ? value.engraph_export_end : undefined;
  return isPlainObject(end) ? (end as unknown as ExportEnd) : undefined;
}

export interface PageQuery {
  part: TransferPart;
  limit: number;
  after?: string;
  since?: string;
}

/** Reads one page of stored records, in this process or from another process. */
type ReadPage = (query: PageQuery) => Promise<ExportPageAnswer>;

/** Maximum number of records in one request. The service ends a page of large records earlier. */
const PAGE_SIZE = 250;

export interface Lines {
  /** Complete lines with their line breaks. */
  text: string;
  state: Readonly<ExportState>;
}

/**
 * Yields all lines, a page at a time. Other work of the thread runs in between.
 *
 * @param state state of an interrupted export to resume; the lines of that export are not yielded again
 */
export async function* exportLines(
  readPage: ReadPage,
  header: ExportHeader,
  state?: ExportState,
): AsyncGenerator<Lines> {
  const current = state ?? newState();
  if (!state) yield { text: `${headerLine(header)}\n`, state: current };
  const first = current.last ? PART_ORDER.indexOf(current.last.part) : 0;
  for (const part of PART_ORDER.slice(first)) {
    const after = current.last?.part === part ? current.last.after : undefined;
    for await (const records of recordsOf(readPage, {
      part,
      ...sinceOf(header),
      ...(after !== undefined && { after }),
    })) {
      let text = '';
      for await (const record of inSteps(records)) {
        const line = canonicalJson(record);
        noteRecord(current, line, record);
        text += `${line}\n`;
      }
      if (text !== '') yield { text, state: current };
    }
  }
  yield { text: `${endLine(current)}\n`, state: current };
}

function sinceOf({ since }: ExportHeader): { since?: string } {
  return since === undefined ? {} : { since };
}

/** Yields the records of one part, a page at a time. */
export async function* recordsOf(
  readPage: ReadPage,
  query: Omit<PageQuery, 'limit'>,
): AsyncGenerator<ExportPageAnswer['records']> {
  let after = query.after;
  do {
    const { records, next } = await readPage({ ...query, limit: PAGE_SIZE, ...(after !== undefined && { after }) });
    yield records;
    after = next;
  } while (after !== undefined);
}

export interface ExportLinesParts {
  readPage: ReadPage;
  header: ExportHeader;
  onProgress(counts: ExportCounts): void;
}

/** @throws MemoryError `invalid` with the number of a line that cannot be read or is not JSON */
export function lineRecord({ text, number, problem }: Line): unknown {
  if (problem !== undefined) throw new MemoryError('invalid', `Line ${number} ${problem}`);
  try {
    return parseExactly(text);
  } catch (cause) {
    throw new MemoryError('invalid', `Line ${number} is not valid JSON`, { cause });
  }
}

/** Suffix of the file name until the export is complete. */
const UNFINISHED = '.partial';

export interface Exported extends ExportCounts {
  /** Whether an interrupted export was completed. */
  isResumed: boolean;
  /** Whether the export replaced an earlier export or an empty file. */
  isReplaced: boolean;
}

/**
 * Writes the lines into a temporary file next to `path`, and renames this file when the export is complete.
 *
 * @throws MemoryError `invalid` when the file exists and is neither empty nor an export
 */
export async function exportToFile(path: string, parts: ExportLinesParts): Promise<Exported> {
  const isReplaced = await assertReplaceable(path);
  const unfinished = `${path}${UNFINISHED}`;
  const resumed = await resumable(unfinished, parts.header);
  const file = await open(unfinished, resumed ? 'r+' : 'w', 0o600);
  try {
    if (resumed) await file.truncate(resumed.size);
    const counts = await writeAll(file, parts, resumed);
    await file.sync();
    await file.close();
    await rename(unfinished, path);
    return { ...counts, isResumed: resumed !== undefined, isReplaced };
  } finally {
    await file.close().catch(() => {});
  }
}

async function writeAll(
  file: FileHandle,
  parts: ExportLinesParts,
  resumed: Resumed | undefined,
): Promise<ExportCounts> {
  let position = resumed?.size ?? 0;
  const header = resumed?.header ?? parts.header;
  let counts: ExportCounts = { memories: 0, relations: 0, nodes: 0 };
  for await (const { text, state } of exportLines(parts.readPage, header, resumed?.state)) {
    const bytes = Buffer.from(text);
    await file.write(bytes, 0, bytes.length, position);
    position += bytes.length;
    counts = { memories: state.memories, relations: state.relations, nodes: state.nodes };
    parts.onProgress(counts);
  }
  return counts;
}

interface Resumed {
  state: ExportState;
  header: ExportHeader;
  /** Number of bytes in complete lines. */
  size: number;
}

/**
 * Reads the complete lines of an unfinished export.
 *
 * @returns undefined when the export must start from the beginning: the file is missing, has no complete line,
 * has a line that cannot be read, or has a different header
 */
async function resumable(path: string, wanted: ExportHeader): Promise<Resumed | undefined> {
  if (!existsSync(path)) return undefined;
  const state = newState();
  let header: ExportHeader | undefined;
  let size = 0;
  try {
    for await (const lines of readLines(path, { skipsRest: true })) {
      for (const line of lines) {
        const record = lineRecord(line);
        if (header) {
          if (readEnd(record)) return { state, header, size };
          noteRecord(state, line.text, record);
        } else {
          header = readHeader(record);
          if (header?.version !== wanted.version || header.since !== wanted.since) return undefined;
        }
        size += line.size;
      }
    }
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    await rm(path);
    return undefined;
  }
  return header && { state, header, size };
}

/**
 * An earlier export or an empty file may be replaced. Any other file was probably named by mistake.
 *
 * @returns whether the file exists
 */
async function assertReplaceable(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const head = await headOf(path);
  if (head === '' || head.startsWith('{"engraph_export":')) return true;
  throw new MemoryError('invalid', `${path} exists and is not an export of Engraph; it was left as it is`, {
    hint: 'Name another file.',
  });
}
