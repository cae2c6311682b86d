/** Who has the memory of a data folder open: this process from now on, or another one that can be asked. */
import { MemoryError } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';
import { type FolderLock, tryLockFolder } from '../stores/data-folder/lock.js';
import { type OwnerRecord, readOwner } from '../stores/data-folder/owner-file.js';

/** Raise it when an owner and a sibling of different versions would no longer understand each other. */
export const PROTOCOL = 1;

/** An owner that can be asked. */
export interface Owner {
  pid: number;
  address: string;
  token: string;
}

const POLL_MS = 25;
/** Until the new owner has written its record, the one of the last owner stands there. */
const STRANGE_RECORD_MS = 1_000;
const SILENCE_MS = 10_000;

export interface ElectionParts {
  folder: string;
  /** Of this package, for messages. */
  version: string;
  clock: Clock;
}

/**
 * Waits until it is known.
 *
 * @throws MemoryError `unavailable` when the folder cannot be used, or its owner cannot be asked
 */
export async function elect(parts: ElectionParts): Promise<{ lock: FolderLock } | { owner: Owner }> {
  const { folder, version, clock } = parts;
  const startedMs = clock.elapsedMs();
  for (;;) {
    const lock = tryLockFolder(folder, { version, protocol: PROTOCOL });
    if (lock) return { lock };
    const record = readOwner(folder);
    const owner = ownerIn(record);
    if (owner) return { owner };
    const waitedMs = clock.elapsedMs() - startedMs;
    if (record && record.protocol !== PROTOCOL && waitedMs > STRANGE_RECORD_MS) throw unsharedBy(parts, record);
    if (waitedMs > SILENCE_MS) throw silentOwner(folder, record?.pid);
    await pause(clock, POLL_MS);
  }
}

export function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise(resolve => void clock.schedule(delayMs, resolve, true));
}

/** @param pid of the owner, where it is known */
export function silentOwner(folder: string, pid: number | undefined): MemoryError {
  const owner = pid === undefined ? 'Another process' : `Process ${pid}`;
  return new MemoryError('unavailable', `${owner} has the memory in ${folder} open and does not answer`, {
    hint: `Restart the program that runs ${pid === undefined ? 'it' : `process ${pid}`}, then try again.`,
  });
}

function ownerIn(record: OwnerRecord | undefined): Owner | undefined {
  if (record?.protocol !== PROTOCOL) return undefined;
  const { pid, address, token } = record;
  return address === undefined || token === undefined ? undefined : { pid, address, token };
}

function unsharedBy({ folder, version }: ElectionParts, { pid, version: theirs }: OwnerRecord): MemoryError {
  const restart = `Restart the program that runs process ${pid}`;
  if (theirs === undefined) {
    return new MemoryError('unavailable', `Process ${pid} has the memory in ${folder} open and does not share it`, {
      hint: `It is an older Engraph, a migration, or a program that opens the memory by itself. ${restart}, or wait for its end.`,
    });
  }
  return new MemoryError(
    'unavailable',
    `Process ${pid} (Engraph ${theirs}) has the memory in ${folder} open and cannot share it with this Engraph ${version}`,
    { hint: `${restart}, so that both are of one version.` },
  );
}
