/** Records the hooks that came too late or failed, in the data folder, for `engraph doctor`. */
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface HookFailure {
  /** ISO 8601. */
  at: string;
  event: string;
  host: string;
  kind: 'late' | 'failed';
  reason: string;
}

const FILE = 'hook-failures.jsonl';
/** When the file is longer, its older half is dropped. */
const FILE_MAX_BYTES = 65_536;

/** Writes nothing if the folder does not exist or cannot be written: a host must not fail because of this record. */
export function noteFailure(folder: string, failure: Omit<HookFailure, 'at'>): void {
  const path = join(folder, FILE);
  try {
    if (!existsSync(folder)) return;
    appendFileSync(path, `${JSON.stringify({ at: new Date().toISOString(), ...failure })}\n`, { mode: 0o600 });
    if (statSync(path).size <= FILE_MAX_BYTES) return;
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, lines.slice(lines.length >> 1).join('\n'), { mode: 0o600 });
  } catch {
    // The record is only for the doctor.
  }
}

/** Oldest first. Lines that are broken are left out. */
export function readFailures(folder: string): HookFailure[] {
  try {
    return readFileSync(join(folder, FILE), 'utf8').split('\n').flatMap(readLine);
  } catch {
    return [];
  }
}

function readLine(line: string): HookFailure[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as HookFailure];
  } catch {
    return [];
  }
}
