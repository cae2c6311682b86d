/** The parameters that all exports share, and a function that parses a line as JSON. */
import { MemoryError } from '../domain/errors.js';
import { parseExactly } from '../domain/exact-numbers.js';
import type { ReadPage } from './export-lines.js';
import type { ExportCounts, ExportHeader } from './format.js';
import type { Line } from './lines.js';

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
