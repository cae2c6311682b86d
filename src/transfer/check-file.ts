/** Checks all lines of an export before the import writes any of its records. */
import { readTransferLine } from '../api/requests/transfer.js';
import { MemoryError, messageOf } from '../domain/errors.js';
import { lineRecord } from './export-parts.js';
import {
  type ExportCounts,
  type ExportEnd,
  type ExportHeader,
  FORMAT_VERSION,
  newState,
  noteRecord,
  readEnd,
  readHeader,
} from './format.js';
import { type Line, readLines } from './lines.js';

export interface CheckedFile extends ExportCounts {
  header: ExportHeader;
  sha256: string;
}

/**
 * @throws MemoryError `invalid` when the file is not an export of this version, was cut off or changed, or has an
 * invalid line. The error then contains the number of the first invalid line.
 */
export async function checkFile(path: string): Promise<CheckedFile> {
  const state = newState();
  let header: ExportHeader | undefined;
  let end: ExportEnd | undefined;
  let lastId = '';
  for await (const lines of readLines(path)) {
    for (const line of lines) {
      const record = lineRecord(line);
      if (end) throw broken(line, 'follows the end of the export');
      if (!header) {
        header = headerOf(record);
        continue;
      }
      end = readEnd(record);
      if (end) continue;
      lastId = checkRecord(line, record, lastId);
      noteRecord(state, line.text, record);
    }
  }
  if (!header) throw notAnExport();
  if (!end) throw new MemoryError('invalid', 'The file was cut off: its last line is missing', { hint: AGAIN });
  const sha256 = state.digest.copy().digest('hex');
  if (end.sha256 !== sha256) {
    throw new MemoryError('invalid', 'The file was changed: its checksum does not match', { hint: AGAIN });
  }
  const { memories, relations, nodes } = state;
  return { header, memories, relations, nodes, sha256 };
}

const AGAIN = "Nothing was written. Make the file again with 'engraph export'.";

function headerOf(record: unknown): ExportHeader {
  const header = readHeader(record);
  if (!header) throw notAnExport();
  if (header.version === FORMAT_VERSION) return header;
  throw new MemoryError(
    'invalid',
    `The file has version ${header.version} of the format, but this version of Engraph reads version ${FORMAT_VERSION}`,
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
  if (id <= lastId) throw broken(line, `has the id ${id}, but ids must be in ascending order`);
  return id;
}

function attempt(line: Line, record: unknown) {
  try {
    const read = readTransferLine(record);
    if (!('from' in read)) return read;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    throw broken(line, `cannot be read: ${messageOf(error)}`);
  }
  throw broken(line, 'is not a record of an export');
}

function broken({ number }: Line, problem: string): MemoryError {
  return new MemoryError('invalid', `Line ${number} ${problem}`, { hint: 'Nothing was written.' });
}
