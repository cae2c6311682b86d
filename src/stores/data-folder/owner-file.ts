/**
 * The record that the owner of a data folder publishes for other processes. It may be outdated, so readers never rely
 * on it.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_FILE = 'owner.json';

export interface OwnerRecord {
  pid: number;
  /** Version of the package. This field and the four fields below are absent if the owner does not share the memory. */
  version?: string;
  /** Version of the protocol between the owner and other processes. */
  protocol?: number;
  /** Digest of the settings that determine where memories are kept. */
  settings?: string;
  /** Unix socket or named pipe on which the owner listens. */
  address?: string;
  /** Secret that proves that its sender has read this file, which only the user of the folder can read. */
  token?: string;
}

/** Replaces the record atomically. The caller must hold the lock of the folder. */
export function writeOwner(folder: string, record: OwnerRecord): void {
  const path = join(folder, OWNER_FILE);
  writeFileSync(`${path}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Returns undefined when the record is missing or invalid. */
export function readOwner(folder: string): OwnerRecord | undefined {
  try {
    const record: unknown = JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8'));
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a record of an owner exists, even if it cannot be read. */
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
