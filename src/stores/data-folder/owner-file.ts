/** What the owner of a data folder says about itself, for those who come after it. Never trusted to be true. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_FILE = 'owner.json';

export interface OwnerRecord {
  pid: number;
  /** Of the package. Absent, as are the next four, where the owner does not share the memory. */
  version?: string;
  /** Number of the way in which other processes speak to this one. */
  protocol?: number;
  /** Digest of the settings that say where memories are kept. */
  settings?: string;
  /** Unix socket or named pipe on which it listens. */
  address?: string;
  /** Those who know it have read this file, which its user alone may read. */
  token?: string;
}

/** Replaces the record in one step. Call it with the lock of the folder. */
export function writeOwner(folder: string, record: OwnerRecord): void {
  const path = join(folder, OWNER_FILE);
  writeFileSync(`${path}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Undefined when nobody says to own the folder. */
export function readOwner(folder: string): OwnerRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8'));
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an owner has left a record, readable or not. */
export function isOwned(folder: string): boolean {
  return existsSync(join(folder, OWNER_FILE));
}

export function removeOwner(folder: string): void {
  rmSync(join(folder, OWNER_FILE), { force: true });
}

function isRecord(value: unknown): value is OwnerRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, version, protocol, settings, address, token } = value as Record<string, unknown>;
  const isTextOrAbsent = (field: unknown) => field === undefined || typeof field === 'string';
  const areTexts = [version, settings, address, token].every(isTextOrAbsent);
  return typeof pid === 'number' && areTexts && (protocol === undefined || typeof protocol === 'number');
}
