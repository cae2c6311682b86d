/**
 * Decides which process has the memory of a data folder open: this process from now on, or another process that answers
 * requests.
 */
import { createHash } from 'node:crypto';
import type { Config } from '../config.js';
import { MemoryError } from '../domain/errors.js';
import type { Clock } from '../domain/time.js';
import { SHARING_VERSION } from '../domain/versions.js';
import { type FolderLock, tryLockFolder } from '../stores/data-folder/lock.js';
import { type OwnerRecord, readOwner } from '../stores/data-folder/owner-file.js';

/** An owner that accepts requests. */
export interface Owner {
  pid: number;
  address: string;
  token: string;
}

/** Pause before another look at an owner that is starting or ending. */
export const RETRY_MS = 25;
/** Time within which a new owner replaces the record of the previous owner. */
const STALE_RECORD_MS = 1_000;
/** Time for an owner to open the memory, and to accept connections. */
export const SILENCE_MS = 10_000;

export interface ElectionParts {
  config: Config;
  /** Version of this package. */
  version: string;
  clock: Clock;
}

/**
 * Returns the details that an owner publishes before it listens. From these details, other processes find out whether
 * they can share the memory.
 */
export function shareWith(config: Config, version: string): Pick<OwnerRecord, 'version' | 'protocol' | 'settings'> {
  return { version, protocol: SHARING_VERSION, settings: digestOf(config) };
}

/**
 * Resolves with the lock when this process becomes the owner, and otherwise with the owner that accepts requests.
 *
 * @throws MemoryError `unavailable` when the folder cannot be used or its owner publishes no address in time,
 * `conflict` when its owner cannot share the memory with this process
 */
export async function elect(parts: ElectionParts): Promise<{ lock: FolderLock } | { owner: Owner }> {
  const { config, version, clock } = parts;
  const { dataDir: folder } = config;
  const ours = shareWith(config, version);
  const startedMs = clock.elapsedMs();
  for (;;) {
    const lock = tryLockFolder(folder, ours);
    if (lock) return { lock };
    const record = readOwner(folder);
    const waitedMs = clock.elapsedMs() - startedMs;
    const problem = record && problemOf(record, ours, folder);
    if (problem && waitedMs > STALE_RECORD_MS) throw problem;
    const owner = problem ? undefined : ownerIn(record);
    if (owner) return { owner };
    if (waitedMs > SILENCE_MS) throw silentOwner(folder, record?.pid);
    await waitFor(clock, RETRY_MS);
  }
}

export function waitFor(clock: Pick<Clock, 'schedule'>, delayMs: number): Promise<void> {
  return new Promise(resolve => void clock.schedule(delayMs, resolve, true));
}

/** @param pid of the owner, if it is known */
export function silentOwner(folder: string, pid: number | undefined): MemoryError {
  const owner = pid === undefined ? 'Another process' : `Process ${pid}`;
  return new MemoryError('unavailable', `${owner} has the memory in ${folder} open and does not answer`, {
    hint: `It may still be opening the memory: try again in a while. Otherwise restart the program that runs ${pid === undefined ? 'it' : `process ${pid}`}.`,
  });
}

function ownerIn(record: OwnerRecord | undefined): Owner | undefined {
  const { pid, address, token } = record ?? {};
  return pid === undefined || address === undefined || token === undefined ? undefined : { pid, address, token };
}

/** Explains why the owner with this record cannot share the memory with this process. */
function problemOf(
  { pid, version, protocol, settings }: OwnerRecord,
  ours: ReturnType<typeof shareWith>,
  folder: string,
): MemoryError | undefined {
  const restart = `Restart the program that runs process ${pid}`;
  const refusal = (reason: string, hint: string) =>
    new MemoryError('conflict', `Process ${pid} has the memory in ${folder} open and ${reason}`, { hint });
  if (version === undefined) {
    const who = 'That process is an older Engraph, a migration, or a program that opens the memory by itself';
    return refusal('does not share it', `${who}. ${restart}, or wait until that process ends.`);
  }
  if (protocol !== ours.protocol) {
    const versions = `cannot share it, because it runs Engraph ${version} and this process runs ${ours.version}`;
    return refusal(versions, `${restart}, so that both processes have the same version.`);
  }
  if (settings === ours.settings) return undefined;
  return refusal(
    'keeps it elsewhere than the settings of this process say',
    `FALKORDB_…, QDRANT_… and VECTOR_SIZE must be the same for both processes. ${restart} with the same settings, or choose another folder with --data-dir.`,
  );
}

/** Returns a digest of the settings that determine where memories are kept. The digest reveals no password. */
function digestOf({ stores: { falkordb, qdrant }, input }: Config): string {
  const places = [falkordb?.url, falkordb?.graph, qdrant?.url, qdrant?.collection, input.vectorSize];
  return createHash('sha256').update(JSON.stringify(places)).digest('hex').slice(0, 16);
}
