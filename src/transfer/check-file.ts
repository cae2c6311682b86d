/** Checks all lines of an export before the import writes any of its records. */
import { readTransferLine } from '../api/transfer-records.js';
import { MemoryError, messageOf } from '../domain/errors.js';
import { EXPORT_VERSION } from '../domain/versions.js';
import { lineRecord } from './export-parts.js';
import {
  type ExportCounts,
  type ExportEnd,
  type ExportHeader,
  newState,
  noteRecord,
  readEnd,
  readHeader,
} from './format.js';
import { type Line, readLines } from './lines.js';

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
