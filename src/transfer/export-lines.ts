/** Converts pages of stored records to the lines of an export, and writes them into a file that can be resumed. */

import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { ExportPageAnswer } from '../api/transfer.js';
import { MemoryError } from '../domain/errors.js';
import { canonicalJson, parseExactly } from '../domain/json.js';
import type { TransferPart } from '../domain/transfer.js';
import { inSteps } from '../event-loop.js';
import {
  type ExportCounts,
  type ExportHeader,
  type ExportState,
  endLine,
  headerLine,
  newState,
  noteRecord,
  PART_ORDER,
  readEnd,
  readHeader,
} from './format.js';
import { type Line, readLines } from './lines.js';

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
/** Number of characters of a part. */
const CHARACTERS_PER_STEP = 250_000;

export interface Lines {
  /** Complete lines with their line breaks. */
  text: string;
  state: Readonly<ExportState>;
}

/**
 * Yields all lines, at most a page at a time. Other work of the thread runs between two parts.
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
        if (text.length < CHARACTERS_PER_STEP) continue;
        yield { text, state: current };
        text = '';
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
const FIRST_LINE_MAX_BYTES = 4_096;

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
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_LINE_MAX_BYTES), 0, FIRST_LINE_MAX_BYTES, 0);
    if (bytesRead === 0 || buffer.toString('utf8', 0, bytesRead).startsWith('{"engraph_export":')) return true;
  } finally {
    await file.close();
  }
  throw new MemoryError('invalid', `${path} exists and is not an export of Engraph; it was left as it is`, {
    hint: 'Name another file.',
  });
}
