/** Converts pages of stored records to the lines of an export, and writes them into a file. */

import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import type { ExportPageAnswer } from '../api/transfer.js';
import { MemoryError } from '../domain/errors.js';
import { canonicalJson, isPlainObject, parseExactly } from '../domain/json.js';
import type { TransferPart } from '../domain/transfer.js';
import { inSteps } from '../event-loop.js';
import { headOf, type Line } from './files.js';

export interface ExportHeader {
  version: number;
  /** ISO 8601. */
  exported_at: string;
  /** Version of Engraph that wrote the export. */
  engraph: string;
  /** The export contains only records whose `updated_at` is not before this instant; if absent, all records. */
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
  const { memory, node, relations } = record as { memory?: object; node?: object; relations?: unknown[] };
  if (memory) {
    state.memories += 1;
    state.relations += relations?.length ?? 0;
  } else if (node) state.nodes += 1;
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

/** Yields all lines, a page at a time. Other work of the thread runs in between. */
export async function* exportLines(readPage: ReadPage, header: ExportHeader): AsyncGenerator<Lines> {
  const state = newState();
  yield { text: `${headerLine(header)}\n`, state };
  for (const part of PART_ORDER) {
    for await (const records of recordsOf(readPage, { part, ...sinceOf(header) })) {
      let text = '';
      for await (const record of inSteps(records)) {
        const line = canonicalJson(record);
        noteRecord(state, line, record);
        text += `${line}\n`;
      }
      if (text !== '') yield { text, state };
    }
  }
  yield { text: `${endLine(state)}\n`, state };
}

function sinceOf({ since }: ExportHeader): { since?: string } {
  return since === undefined ? {} : { since };
}

/** Yields the records of one part, a page at a time. */
export async function* recordsOf(
  readPage: ReadPage,
  query: Omit<PageQuery, 'limit' | 'after'>,
): AsyncGenerator<ExportPageAnswer['records']> {
  let after: string | undefined;
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
  /** Whether the export replaced an earlier export or an empty file. */
  isReplaced: boolean;
}

/**
 * Writes the lines into a temporary file next to `path`, and renames this file when the export is complete. An
 * interrupted export is not continued, because the memory may have changed since.
 *
 * @throws MemoryError `invalid` when the file exists and is neither empty nor an export
 */
export async function exportToFile(path: string, parts: ExportLinesParts): Promise<Exported> {
  const isReplaced = await assertReplaceable(path);
  const unfinished = `${path}${UNFINISHED}`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    const counts = await writeAll(file, parts);
    await file.sync();
    await file.close();
    await rename(unfinished, path);
    return { ...counts, isReplaced };
  } finally {
    await file.close().catch(() => {});
  }
}

async function writeAll(file: FileHandle, { readPage, header, onProgress }: ExportLinesParts): Promise<ExportCounts> {
  let counts: ExportCounts = { memories: 0, relations: 0, nodes: 0 };
  for await (const { text, state } of exportLines(readPage, header)) {
    await file.writeFile(text);
    counts = { memories: state.memories, relations: state.relations, nodes: state.nodes };
    onProgress(counts);
  }
  return counts;
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
