/** Writes an export into a file, or resumes an interrupted export. */
import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { MemoryError } from '../domain/errors.js';
import { exportLines } from './export-lines.js';
import { type ExportLinesParts, lineRecord } from './export-parts.js';
import {
  type ExportCounts,
  type ExportHeader,
  type ExportState,
  newState,
  noteRecord,
  readEnd,
  readHeader,
} from './format.js';
import { readLines } from './lines.js';

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
