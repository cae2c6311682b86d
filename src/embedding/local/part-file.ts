/**
 * Files that are still being downloaded.
 *
 * A part belongs to one process: its name has the process id, and a process that goes on with what another has left takes
 * it over by renaming it, which only one can do. So two of them never write to the same part, and no lock can be left
 * behind; at worst both download the file. The name also has the checksum that the file is to have in the end: what is left
 * of another version is not gone on with.
 */
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Parts that this process writes to at the moment: others with its id are from before, or have failed. */
const partsInUse = new Set<string>();
let partCount = 0;

export interface PartFile {
  path: string;
  /** It is no longer written to, and may be gone on with. */
  release(): void;
}

/**
 * A part for a file to be downloaded: what is left of an earlier attempt, or a name for a new one.
 *
 * @param target the finished file, in a folder that exists
 * @param version of the file, in letters and digits
 */
export async function claimPart(target: string, version: string): Promise<PartFile> {
  partCount += 1;
  const path = `${target}.${version}.${process.pid}-${partCount}.part`;
  partsInUse.add(path);
  for (const left of await findAbandoned(target, version)) {
    const isMine = await rename(left, path).then(
      () => true,
      () => false,
    );
    if (isMine) break;
  }
  return { path, release: () => void partsInUse.delete(path) };
}

/** Removes what is left of earlier attempts at a file, of any version. */
export async function removeAbandonedParts(target: string): Promise<void> {
  for (const path of await findAbandoned(target)) await rm(path, { force: true });
}

async function findAbandoned(target: string, version?: string): Promise<string[]> {
  const prefix = `${basename(target)}.`;
  const names = (await readdir(dirname(target))).filter(name => name.startsWith(prefix));
  return names.flatMap(name => {
    const [, found, pid] = /^(\w+)\.(\d+)-\d+\.part$/.exec(name.slice(prefix.length)) ?? [];
    if (found === undefined || (version !== undefined && found !== version)) return [];
    const path = join(dirname(target), name);
    const isInUse = Number(pid) === process.pid ? partsInUse.has(path) : isRunning(Number(pid));
    return isInUse ? [] : [path];
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
