/**
 * Part files: files that are still being downloaded.
 *
 * Each part belongs to one process, whose id is in the name of the part. To resume the part of an earlier attempt, a
 * process renames the part. Only one process can do this, so two processes never write to the same part, and no lock
 * can be left behind. At worst, two processes download the same file. The name also contains the checksum of the
 * complete file, so that a part of another version is not resumed.
 */
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Parts that this process is writing. Other parts with the id of this process come from a failed attempt, or from an
 * earlier process that had the same id.
 */
const partsInUse = new Set<string>();
let partCount = 0;

export interface PartFile {
  path: string;
  /** Ends the claim, so that another download may resume the part. */
  release(): void;
}

/**
 * Claims a part for a file to be downloaded. If an earlier attempt left a part, the claimed part contains its bytes.
 *
 * @param target path of the finished file, in an existing folder
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

/** Removes the parts of earlier attempts at a file, of any version. */
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
    // The code EPERM means that the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
